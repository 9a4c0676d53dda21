//! Why a move is refused, and why a computer player made one.

use game::{MoveExplanation, Reason, Refusal, seat_name};

use super::session::{Awaited, ComputerMove, Denial, Session};
use super::sitter::Sitter;
use super::words;

/// An answer to the question why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Explanation {
    /// What is explained.
    pub(super) title: String,
    /// The answer, the most important first.
    pub(super) remarks: Vec<Remark>,
}

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Remark {
    /// A sentence.
    Said(String),
    /// A b-thread and what it did.
    BThread {
        /// Its name.
        name: String,
        /// What it did, in words that go on after the name.
        deed: String,
        /// What part it had.
        part: Part,
    },
}

/// What part a b-thread had in a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// It had its way.
    Heard,
    /// It wanted the same.
    Agreed,
    /// It wanted something else.
    Outvoted,
    /// It blocks a move.
    Blocks,
}

impl Explanation {
    /// Why the person who speaks may make none of the moves that pointing at a place may mean;
    /// `None` if it may make one of them.
    pub(super) fn of_refusal(session: &Session, place: &str, moves: &[String]) -> Option<Self> {
        if let Some(end) = Self::of_end(session) {
            return Some(end);
        }
        let refusal = |words: &String| match session.check(words) {
            Err(Denial::Refused(refusal)) => Some(refusal),
            Ok(_) | Err(Denial::Over(_)) => None,
        };
        let refusals: Vec<Refusal> = moves.iter().filter_map(refusal).collect();
        if refusals.len() < moves.len() {
            return None;
        }
        let mut remarks = Vec::new();
        for remark in refusals.iter().flat_map(Refusal::reasons).flat_map(of_reason) {
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        Some(Self { title: format!("Why not {place}"), remarks })
    }

    /// That the round is over, and how it ended, if it is.
    pub(super) fn of_end(session: &Session) -> Option<Self> {
        let Awaited::Nobody(outcome) = session.awaited() else { return None };
        let remarks = vec![Remark::Said(words::ending(session, outcome))];
        Some(Self { title: "The round is over".to_owned(), remarks })
    }

    /// Nothing speaks against a place.
    pub(super) fn allowed(place: &str) -> Self {
        Self { title: format!("{place} is allowed"), remarks: Vec::new() }
    }

    /// Why the last move of a computer player was made, if there was one.
    pub(super) fn of_last_choice(session: &Session) -> Option<Self> {
        let ComputerMove { seat, chosen, why, .. } = session.last_chosen()?;
        let name = seat_name(session.game(), *seat);
        let remarks = match why {
            Some(why) => of_why(why, chosen.as_str()),
            None => {
                vec![Remark::Said(format!("{} gives no reasons.", player(session.sitter(*seat))))]
            }
        };
        Some(Self { title: format!("Why {name} played {chosen}"), remarks })
    }

    /// The title and a line for each remark.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let line = |remark: &Remark| match remark {
            Remark::Said(sentence) => sentence.clone(),
            Remark::BThread { name, deed, .. } => format!("{name} {deed}"),
        };
        let sign = if self.remarks.is_empty() { '.' } else { ':' };
        std::iter::once(format!("{}{sign}", self.title)).chain(self.remarks.iter().map(line))
    }
}

fn player(sitter: &Sitter) -> String {
    match sitter {
        Sitter::Computer(name, _) => name.to_string(),
        Sitter::Person => "a person".to_owned(),
    }
}

fn of_reason(reason: &Reason) -> Vec<Remark> {
    let threads = reason.because.iter().map(|because| Remark::BThread {
        name: because.thread.clone(),
        deed: format!("blocks {}", because.blocks),
        part: Part::Blocks,
    });
    std::iter::once(Remark::Said(format!("{}.", reason.message))).chain(threads).collect()
}

fn of_why(why: &MoveExplanation, chosen: &str) -> Vec<Remark> {
    let Some((first, others)) = why.wanted_by.split_first() else {
        return vec![Remark::Said(sentence(&why.sentence))];
    };
    let remark =
        |name: &str, deed: String, part| Remark::BThread { name: name.to_owned(), deed, part };
    let heard = remark(first, format!("wanted {chosen} and had its way"), Part::Heard);
    let agreed = others.iter().map(|name| remark(name, "wanted the same".to_owned(), Part::Agreed));
    let outvoted = why.alternatives.iter().map(|other| {
        let deed = format!("wanted {}, but lost to {}", other.wanted, other.lost_to.join(", "));
        remark(&other.thread, deed, Part::Outvoted)
    });
    std::iter::once(heard).chain(agreed).chain(outvoted).collect()
}

/// With a capital at the beginning and a full stop at the end.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase);
    format!("{}{}.", first.into_iter().flatten().collect::<String>(), letters.as_str())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use game::Seat;

    use super::*;
    use crate::names;
    use crate::play::sitter::Opponent;

    fn session(game: &str, seat: Seat, against: &str, moves: &str) -> Session {
        let opponent = Opponent::named(against).unwrap();
        let mut session = Session::new(names::game(game).unwrap(), seat, &opponent, 3).unwrap();
        session.settle();
        for words in moves.split_whitespace() {
            session.play(words).unwrap();
            session.settle();
        }
        session
    }

    fn check(why: Option<Explanation>, expected: &Expect) {
        let lines = why.unwrap().lines().collect::<Vec<_>>();
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn a_move_of_strategies_names_all_that_wanted_something() {
        let session = session("tic-tac-toe", Seat::FIRST, "bthreads", "a1 c3 b3");
        check(
            Explanation::of_last_choice(&session),
            &expect![[r#"
                Why O played a3:
                PreventThirdX(a3,b3,c3) wanted a3 and had its way
                PreventXFork(a1,b3) wanted the same
                DefaultMoves wanted the same"#]],
        );
    }

    #[test]
    fn strategies_that_lost_are_named_too() {
        let session = session("tic-tac-toe", Seat::FIRST, "bthreads", "a1 a3 c3");
        check(
            Explanation::of_last_choice(&session),
            &expect![[r#"
                Why O played c2:
                AddThirdO(a2,b2,c2) wanted c2 and had its way
                DefaultMoves wanted the same
                PreventThirdX(a3,b3,c3) wanted O b3, but lost to AddThirdO(a2,b2,c2)"#]],
        );
    }

    #[test]
    fn perfect_play_is_explained_in_a_sentence_and_chance_is_not() {
        let perfect = session("tic-tac-toe", Seat::SECOND, "perfect", "");
        check(
            Explanation::of_last_choice(&perfect),
            &expect![[r#"
            Why X played a2:
            A draw for X, whatever the move."#]],
        );
        let random = session("tic-tac-toe", Seat::SECOND, "random", "");
        check(
            Explanation::of_last_choice(&random),
            &expect![[r#"
            Why X played a2:
            random gives no reasons."#]],
        );
    }

    #[test]
    fn before_its_first_move_the_computer_has_no_reasons() {
        let session = session("tic-tac-toe", Seat::FIRST, "bthreads", "");
        assert_eq!(Explanation::of_last_choice(&session), None);
    }

    #[test]
    fn a_refusal_has_all_its_reasons_and_each_only_once_until_the_round_is_over() {
        let wild = session("wild", Seat::FIRST, "human", "Xb2");
        let moves = ["Xb2".to_owned(), "Ob2".to_owned()];
        check(
            Explanation::of_refusal(&wild, "b2", &moves),
            &expect![[r#"
            Why not b2:
            That cell is already marked.
            SquareTaken(b2) blocks marks on b2"#]],
        );
        let over = session("tic-tac-toe", Seat::FIRST, "human", "a1 b1 a2 b2 a3");
        check(
            Explanation::of_refusal(&over, "a1", &["a1".to_owned()]),
            &expect![[r#"
            The round is over:
            X has won."#]],
        );
    }

    #[test]
    fn what_is_allowed_has_no_refusal() {
        let session = session("wild", Seat::FIRST, "human", "Xb2");
        let moves = ["Xa1".to_owned(), "Oa1".to_owned()];
        assert_eq!(Explanation::of_refusal(&session, "a1", &moves), None);
    }
}
