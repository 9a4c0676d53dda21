//! Why: the b-threads behind a position and behind the move that led to it.

use game::{AwakeThread, Game, MoveExplanation, PlayerKind, Ply, Seat, all_seats};

use crate::sitting::Seen;

/// The b-threads after so many moves of the round, and the move that led there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panel {
    /// What it is about.
    pub title: String,
    /// In a sentence.
    pub sentence: String,
    /// Strategies first, as they have a say before rules.
    pub families: Vec<Family>,
    /// Who would have gone elsewhere: the b-thread, what it wanted, and to whom it lost.
    pub alternatives: Vec<(String, String, String)>,
}

/// B-threads of one family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// Whether these are strategies.
    pub is_strategy: bool,
    /// Whether this is the one that had its way in the move.
    pub is_heard: bool,
    /// Its b-threads that are awake.
    pub threads: Vec<AwakeThread>,
}

impl Panel {
    /// The panel for the table after so many moves of this round.
    #[must_use]
    pub fn new(seen: &Seen<'_>, step: usize) -> Self {
        let state = seen.shown;
        let history = &state.history()[..step.min(state.history().len())];
        // Other computer players do not ask the strategies.
        let by_threads = |seat: &Seat| state.level(*seat) == Some(&PlayerKind::BThreads);
        let computer = all_seats(state.game()).iter().find(by_threads);
        let strategies_of = computer.map(|seat| state.in_game(seat));
        let ply = u32::try_from(step).unwrap_or(u32::MAX);
        let mut reasons = seen.reasons.iter().rev();
        let why = reasons.find(|(chosen, _)| chosen + 1 == ply).map(|(_, why)| why);
        let mut awake = state.game().awake(history, strategies_of);
        // Strategies have gone on when their move was made: who wanted it is seen before it.
        if let (Some(why), Some((_, before))) = (why, history.split_last()) {
            let were = state.game().awake(before, strategies_of).into_iter();
            let wanted = were.filter(|thread| why.wanted_by.contains(&thread.thread));
            awake.retain(|thread| !why.wanted_by.contains(&thread.thread));
            awake.splice(0..0, wanted);
        }
        Self {
            title: title(seen, history, why),
            sentence: sentence(seen, &awake, history, why),
            families: families(awake, why),
            alternatives: why.map(alternatives).unwrap_or_default(),
        }
    }
}

fn title(
    seen: &Seen<'_>,
    history: &[Ply<game::MoveText, game::MoveText>],
    why: Option<&MoveExplanation>,
) -> String {
    let Some((symbol, chosen)) = last(seen, history) else {
        return "Before the first move".to_owned();
    };
    let verb = if why.is_some() { "Why " } else { "After " };
    let played = if why.is_some() { " played " } else { " on " };
    format!("{verb}{symbol}{played}{chosen}")
}

fn last(
    seen: &Seen<'_>,
    history: &[Ply<game::MoveText, game::MoveText>],
) -> Option<(String, String)> {
    let (seat, chosen) = last_move(history)?;
    let symbol = seen.shown.game().seats().get(seat.index()).copied().unwrap_or_default();
    Some((symbol.to_owned(), chosen.to_string()))
}

fn last_move(history: &[Ply<game::MoveText, game::MoveText>]) -> Option<&(Seat, game::MoveText)> {
    let Ply::Moves(moves) = history.last()? else { return None };
    moves.first()
}

fn sentence(
    seen: &Seen<'_>,
    awake: &[AwakeThread],
    history: &[Ply<game::MoveText, game::MoveText>],
    why: Option<&MoveExplanation>,
) -> String {
    if let Some(why) = why {
        return why.sentence.clone();
    }
    let state = seen.shown;
    let mover = last_move(history).map(|(seat, _)| state.at_table(*seat));
    let sentence = match mover {
        _ if awake.is_empty() => "This game is not written as b-threads.",
        None => "These b-threads wait for it.",
        Some(seat) if state.level(seat).is_some() => {
            "The computer took any move that no b-thread blocked."
        }
        Some(_) => "A person chose it, and no b-thread blocked it.",
    };
    sentence.to_owned()
}

/// The b-threads by family, in the order in which they are heard. The one that was heard stands
/// alone, so that nobody has to look for it among the others.
fn families(awake: Vec<AwakeThread>, why: Option<&MoveExplanation>) -> Vec<Family> {
    let heard = why.and_then(|why| why.wanted_by.first());
    let mut families: Vec<Family> = Vec::new();
    for thread in awake {
        let name = family(&thread.thread).to_owned();
        let is_heard = heard == Some(&thread.thread);
        let is_same = |family: &&mut Family| (family.is_heard, &family.name) == (is_heard, &name);
        match families.iter_mut().find(is_same) {
            Some(family) => family.threads.push(thread),
            None => families.push(Family {
                name,
                is_strategy: thread.is_strategy,
                is_heard,
                threads: vec![thread],
            }),
        }
    }
    let rank = |family: &Family| (!family.is_heard, !family.is_strategy);
    let mut ordered: Vec<Family> = Vec::new();
    for family in families {
        let place = ordered.partition_point(|other| rank(other) <= rank(&family));
        ordered.insert(place, family);
    }
    ordered
}

/// The family of a b-thread: its name without what tells it from the others.
#[must_use]
pub fn family(thread: &str) -> &str {
    thread.split_once('(').map_or(thread, |(family, _)| family)
}

fn alternatives(why: &MoveExplanation) -> Vec<(String, String, String)> {
    let others = why.alternatives.iter();
    others
        .map(|other| (other.thread.clone(), other.wanted.clone(), other.lost_to.join(", ")))
        .collect()
}
