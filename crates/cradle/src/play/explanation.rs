//! Why a move is refused, and why a computer player made its move.

use game::{MoveExplanation, Reason, Refusal, seat_name};

use super::session::{ComputerMove, NextActor, PlayError, PlaySession};
use super::text;

/// An explanation of a move or of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Explanation {
    /// What is explained.
    pub(super) title: String,
    /// The explanation, most important part first.
    pub(super) parts: Vec<ExplanationPart>,
}

/// A part of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ExplanationPart {
    /// A sentence.
    Sentence(String),
    /// A b-thread and what it did.
    BThread {
        /// Its name.
        name: String,
        /// What it did: words that follow the name.
        deed: String,
        /// Its role in the decision.
        role: ThreadRole,
    },
}

/// The role of a b-thread in a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThreadRole {
    /// Its request was chosen.
    Chosen,
    /// It requested the same event.
    Agreed,
    /// It requested another event.
    Outvoted,
    /// It blocks the move.
    Blocks,
}

impl Explanation {
    /// Why the speaker may make none of the moves at a place; `None` if one of them is legal.
    pub(super) fn of_refusal(session: &PlaySession, place: &str, moves: &[String]) -> Option<Self> {
        if let Some(end) = Self::of_end(session) {
            return Some(end);
        }
        let refusal = |words: &String| match session.check(words) {
            Err(PlayError::Refused(refusal)) => Some(refusal),
            Ok(_) | Err(PlayError::Over(_)) => None,
        };
        let refusals: Vec<Refusal> = moves.iter().filter_map(refusal).collect();
        if refusals.len() < moves.len() {
            return None;
        }
        let mut parts = Vec::new();
        for part in refusals.iter().flat_map(Refusal::reasons).flat_map(of_reason) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        Some(Self { title: format!("Why not {place}"), parts })
    }

    /// How the round ended; `None` if it is not over.
    pub(super) fn of_end(session: &PlaySession) -> Option<Self> {
        let NextActor::Nobody(outcome) = session.next_actor() else { return None };
        let parts = vec![ExplanationPart::Sentence(text::ending(session, outcome))];
        Some(Self { title: "The round is over".to_owned(), parts })
    }

    /// Says that a move is legal.
    pub(super) fn allowed(place: &str) -> Self {
        Self { title: format!("{place} is allowed"), parts: Vec::new() }
    }

    /// Why a computer player made the last computer move; `None` if there is no such move.
    pub(super) fn of_last_computer_move(session: &PlaySession) -> Option<Self> {
        let ComputerMove { seat, chosen, explanation, .. } = session.last_computer_move()?;
        let name = seat_name(session.game(), *seat);
        let parts = if let Some(explanation) = explanation {
            of_move(explanation, chosen.as_str())
        } else {
            let player = text::participant(session, *seat);
            vec![ExplanationPart::Sentence(format!("{player} gives no reasons."))]
        };
        Some(Self { title: format!("Why {name} played {chosen}"), parts })
    }

    /// The title and a line for each part.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let line = |part: &ExplanationPart| match part {
            ExplanationPart::Sentence(sentence) => sentence.clone(),
            ExplanationPart::BThread { name, deed, .. } => format!("{name} {deed}"),
        };
        let sign = if self.parts.is_empty() { '.' } else { ':' };
        std::iter::once(format!("{}{sign}", self.title)).chain(self.parts.iter().map(line))
    }
}

fn of_reason(reason: &Reason) -> Vec<ExplanationPart> {
    let threads = reason.because.iter().map(|because| ExplanationPart::BThread {
        name: because.thread.clone(),
        deed: format!("blocks {}", because.blocks),
        role: ThreadRole::Blocks,
    });
    std::iter::once(ExplanationPart::Sentence(format!("{}.", reason.message)))
        .chain(threads)
        .collect()
}

fn of_move(explanation: &MoveExplanation, chosen: &str) -> Vec<ExplanationPart> {
    let Some((first, others)) = explanation.wanted_by.split_first() else {
        return vec![ExplanationPart::Sentence(sentence(&explanation.sentence))];
    };
    let part = |name: &str, deed: String, role| ExplanationPart::BThread {
        name: name.to_owned(),
        deed,
        role,
    };
    let winner = part(first, format!("wanted {chosen} and had its way"), ThreadRole::Chosen);
    let agreed =
        others.iter().map(|name| part(name, "wanted the same".to_owned(), ThreadRole::Agreed));
    let outvoted = explanation.alternatives.iter().map(|other| {
        let deed = format!("wanted {}, but lost to {}", other.wanted, other.lost_to.join(", "));
        part(&other.thread, deed, ThreadRole::Outvoted)
    });
    std::iter::once(winner).chain(agreed).chain(outvoted).collect()
}

/// The words as a sentence: with a capital and a full stop.
fn sentence(words: &str) -> String {
    format!("{}.", text::capitalised(words))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use game::Seat;

    use super::*;
    use crate::names;
    use crate::play::participant::Opponent;
    use crate::play::session::Rotation;

    fn session(game: &str, seat: Seat, against: &str, moves: &str) -> PlaySession {
        let opponent = Opponent::named(against).unwrap();
        let mut session =
            PlaySession::new(names::game(game).unwrap(), seat, opponent, Rotation::Never, 3)
                .unwrap();
        session.settle();
        for words in moves.split_whitespace() {
            session.play(words).unwrap();
            session.settle();
        }
        session
    }

    fn check(explanation: Option<Explanation>, expected: &Expect) {
        let lines = explanation.unwrap().lines().collect::<Vec<_>>();
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn a_move_by_strategies_names_every_b_thread_that_requested_it() {
        let session = session("tic-tac-toe", Seat::FIRST, "bthreads", "a1 c3 b3");
        check(
            Explanation::of_last_computer_move(&session),
            &expect![[r#"
                Why O played a3:
                PreventThirdX(a3,b3,c3) wanted a3 and had its way
                PreventXFork(a1,b3) wanted the same
                DefaultMoves wanted the same"#]],
        );
    }

    #[test]
    fn strategies_that_lost_are_named() {
        let session = session("tic-tac-toe", Seat::FIRST, "bthreads", "a1 a3 c3");
        check(
            Explanation::of_last_computer_move(&session),
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
            Explanation::of_last_computer_move(&perfect),
            &expect![[r#"
            Why X played a2:
            A draw for X, whatever the move; best line a2 a1 b1 b2 c3 c1 a3 b3."#]],
        );
        let random = session("tic-tac-toe", Seat::SECOND, "random", "");
        check(
            Explanation::of_last_computer_move(&random),
            &expect![[r#"
            Why X played a2:
            random gives no reasons."#]],
        );
    }

    #[test]
    fn before_its_first_move_the_computer_has_nothing_to_explain() {
        let session = session("tic-tac-toe", Seat::FIRST, "bthreads", "");
        assert_eq!(Explanation::of_last_computer_move(&session), None);
    }

    #[test]
    fn a_refusal_lists_each_reason_once_and_after_the_end_only_the_end() {
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
    fn a_legal_move_has_no_refusal() {
        let session = session("wild", Seat::FIRST, "human", "Xb2");
        let moves = ["Xa1".to_owned(), "Oa1".to_owned()];
        assert_eq!(Explanation::of_refusal(&session, "a1", &moves), None);
    }
}
