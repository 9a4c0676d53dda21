//! The b-threads behind a position, and behind the move that led to it.

use game::{AwakeThread, Game, MoveExplanation, MoveText, PlayerKind, Ply, Seat, all_seats};

use crate::language::{RuleSentence, say, say_rule, say_with};
use crate::session::SessionView;
use crate::texts;

/// The b-threads after a number of moves in the round, and the move that led there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExplanationPanel {
    /// The heading.
    pub title: String,
    /// The explanation in one sentence, without a word about b-threads.
    pub sentence: RuleSentence,
    /// The same in terms of b-threads; empty if there is nothing to add.
    pub detail: RuleSentence,
    /// What the selected b-thread wanted first and did not get; empty if it got its first wish.
    pub decision: String,
    /// The squares that the selected b-thread is about, and last the square of the move.
    pub reason_squares: Vec<String>,
    /// The b-threads by family. Strategies come first, because they choose before the rules do.
    pub families: Vec<ThreadFamily>,
    /// The requests that lost: the b-thread, the event that it wanted, and the b-threads that it
    /// lost to.
    pub alternatives: Vec<(String, String, String)>,
}

/// The b-threads of one family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadFamily {
    /// The name of the family.
    pub name: String,
    /// Whether these b-threads are strategies.
    pub is_strategy: bool,
    /// Whether this is the b-thread whose request was selected.
    pub is_selected: bool,
    /// Its b-threads that are awake.
    pub threads: Vec<AwakeThread>,
}

impl ExplanationPanel {
    /// The panel for the table after `step` moves of this round.
    #[must_use]
    pub fn new(view: &SessionView<'_>, step: usize) -> Self {
        let state = view.shown;
        let history = &state.history()[..step.min(state.history().len())];
        // Other computer players do not ask the strategies.
        let by_threads = |seat: &Seat| state.level(*seat) == Some(&PlayerKind::BThreads);
        let computer = all_seats(state.game()).iter().find(by_threads);
        let strategies_of = computer.map(|seat| state.in_game(seat));
        let ply = u32::try_from(step).unwrap_or(u32::MAX);
        let mut explanations = view.explanations.iter().rev();
        let explanation =
            explanations.find(|(chosen, _)| chosen + 1 == ply).map(|(_, explanation)| explanation);
        let mut awake = state.game().awake(history, strategies_of);
        let mut decision = String::new();
        // Strategies advance with their move: the ones that wanted it are seen before it.
        if let (Some(explanation), Some((_, before))) = (explanation, history.split_last()) {
            let wanted_it = |thread: &AwakeThread| explanation.wanted_by.contains(&thread.thread);
            let before = state.game().awake(before, strategies_of);
            let selected =
                |thread: &&AwakeThread| Some(&thread.thread) == explanation.wanted_by.first();
            if let (Some(thread), Some((_, chosen))) =
                (before.iter().find(selected), last_move(history))
            {
                decision = first_wishes(thread, chosen.as_str());
            }
            awake.retain(|thread| !wanted_it(thread));
            awake.splice(0..0, before.into_iter().filter(wanted_it));
        }
        Self {
            title: title(view, history, explanation),
            sentence: sentence(view, history, explanation),
            detail: detail(&awake, explanation),
            decision,
            reason_squares: reason_squares(history, explanation),
            families: families(awake, explanation),
            alternatives: explanation.map(alternatives).unwrap_or_default(),
        }
    }
}

fn title(
    view: &SessionView<'_>,
    history: &[Ply<MoveText, MoveText>],
    explanation: Option<&MoveExplanation>,
) -> String {
    let Some((seat, chosen)) = last_move(history) else {
        return say("Before the first move");
    };
    let symbol = view.shown.game().seats().get(seat.index()).copied().unwrap_or_default();
    let (symbol, square) = (say_rule(symbol), chosen.to_string());
    let gaps = [("symbol", symbol.as_str()), ("square", &square)];
    match explanation {
        Some(_) => say_with("Why {symbol} played {square}", &gaps),
        None => say_with("After {symbol} on {square}", &gaps),
    }
}

fn last_move(history: &[Ply<MoveText, MoveText>]) -> Option<&(Seat, MoveText)> {
    let Ply::Moves(moves) = history.last()? else { return None };
    moves.first()
}

/// The explanation for people who have never heard of b-threads.
fn sentence(
    view: &SessionView<'_>,
    history: &[Ply<MoveText, MoveText>],
    explanation: Option<&MoveExplanation>,
) -> RuleSentence {
    let state = view.shown;
    let Some((seat, _)) = last_move(history) else {
        return RuleSentence::said(say("Nobody has moved yet."));
    };
    match state.level(state.at_table(*seat)) {
        Some(_) => texts::computer_reason(state, explanation),
        None => RuleSentence::said(say("The rules allowed this move.")),
    }
}

/// What the panel says about the b-threads themselves.
fn detail(awake: &[AwakeThread], explanation: Option<&MoveExplanation>) -> RuleSentence {
    match explanation {
        Some(explanation) => RuleSentence::new(&texts::as_sentence(&explanation.sentence)),
        None if awake.is_empty() => {
            RuleSentence::said(say("This game is not written as b-threads."))
        }
        None => RuleSentence::said(say("No strategy took part: these are the rules.")),
    }
}

/// What a b-thread wanted before the move that it got: `It wanted O b2 first, which was blocked.`
fn first_wishes(thread: &AwakeThread, chosen: &str) -> String {
    let is_chosen = |request: &String| request.rsplit(' ').next() == Some(chosen);
    let earlier = thread.requests.iter().position(is_chosen).unwrap_or_default();
    match &thread.requests[..earlier] {
        [] => String::new(),
        [only] => say_with("It wanted {wish} first, but a rule blocked it.", &[("wish", only)]),
        several => {
            let wishes = several.join(", ");
            say_with("It wanted {wishes} first, but rules blocked them.", &[("wishes", &wishes)])
        }
    }
}

/// The squares in the name of the selected b-thread, and last the one of the move.
fn reason_squares(
    history: &[Ply<MoveText, MoveText>],
    explanation: Option<&MoveExplanation>,
) -> Vec<String> {
    let selected = explanation.and_then(|explanation| explanation.wanted_by.first());
    let parameter = selected.and_then(|thread| thread.strip_suffix(')')?.split_once('('));
    let (Some((_, parameter)), Some((_, chosen))) = (parameter, last_move(history)) else {
        return Vec::new();
    };
    let named = parameter.split([',', '-', ' ']).filter(|name| *name != chosen.as_str());
    named.map(str::to_owned).chain([chosen.to_string()]).collect()
}

/// Groups b-threads by family, strategies first.
#[must_use]
pub fn by_family(awake: Vec<AwakeThread>) -> Vec<ThreadFamily> {
    families(awake, None)
}

/// Groups b-threads by family, in order of priority. The selected b-thread comes first, on its own.
fn families(awake: Vec<AwakeThread>, explanation: Option<&MoveExplanation>) -> Vec<ThreadFamily> {
    let selected = explanation.and_then(|explanation| explanation.wanted_by.first());
    let mut families: Vec<ThreadFamily> = Vec::new();
    for thread in awake {
        let name = family(&thread.thread).to_owned();
        let is_selected = selected == Some(&thread.thread);
        let is_same =
            |family: &&mut ThreadFamily| (family.is_selected, &family.name) == (is_selected, &name);
        match families.iter_mut().find(is_same) {
            Some(family) => family.threads.push(thread),
            None => families.push(ThreadFamily {
                name,
                is_strategy: thread.is_strategy,
                is_selected,
                threads: vec![thread],
            }),
        }
    }
    let rank = |family: &ThreadFamily| (!family.is_selected, !family.is_strategy);
    let mut ordered: Vec<ThreadFamily> = Vec::new();
    // Inserted one by one: the library's sort would make the page larger.
    for family in families {
        let index = ordered.partition_point(|other| rank(other) <= rank(&family));
        ordered.insert(index, family);
    }
    ordered
}

/// The family of a b-thread: its name without the parameter.
fn family(thread: &str) -> &str {
    thread.split_once('(').map_or(thread, |(family, _)| family)
}

fn alternatives(explanation: &MoveExplanation) -> Vec<(String, String, String)> {
    let alternatives = explanation.alternatives.iter();
    alternatives
        .map(|other| (other.thread.clone(), other.wanted.clone(), other.lost_to.join(", ")))
        .collect()
}
