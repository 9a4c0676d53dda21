//! The bug of seed 000: a move on an undefined square.

#[path = "../../../bthread/examples/tic_tac_toe/rules.rs"]
mod rules;

use bthread::{
    AnyBThread, BThread, Behaviour, EventSet, Program, SyncPoint, request, request_any, wait_for,
};
use checker::{BProgram, Checker, Property, Report, Verdict};
use rules::{Kind, LINES, Line, Mark, Move, o, x};

/// A square that does not exist.
const UNDEFINED: u8 = 9;

/// Answers two Xs in a line as the template of the seed does: on the first free square of
/// the line or, if there is none, on an undefined square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct StopXWin {
    line: Line,
    free: Vec<u8>,
    xs: u8,
    has_answered: bool,
}

impl Behaviour<Move> for StopXWin {
    fn sync_point(&self) -> Option<SyncPoint<Move>> {
        let marks = || EventSet::kinds([Kind::Marks(Mark::X), Kind::Marks(Mark::O)]);
        match self {
            Self { has_answered: true, .. } => None,
            Self { xs: 2.., free, .. } => {
                let square = free.first().copied().unwrap_or(UNDEFINED);
                Some(request(o(square)).wait_for(marks()))
            }
            Self { .. } => Some(wait_for(marks())),
        }
    }

    fn go_on(&mut self, event: &Move) {
        let Move::Mark(mark, square) = event else { return };
        self.free.retain(|free| free != square);
        match mark {
            Mark::X => self.xs += u8::from(self.line.contains(square)),
            Mark::O => self.has_answered = self.xs >= 2,
        }
    }
}

/// X may move anywhere, with the lowest priority.
fn any_x() -> BThread<Move> {
    BThread::new("AnyX").then(request_any((0..9).map(x))).forever()
}

fn with_bug() -> Program<Move> {
    let buggy = LINES.into_iter().map(|line| {
        let stop = StopXWin { line, free: line.to_vec(), xs: 0, has_answered: false };
        BThread::behaving(bthread::Name::of("StopXWin", format!("{line:?}")), stop)
    });
    let game = rules::game();
    let (before, after): (Vec<_>, Vec<_>) = {
        let is_before = |thread: &&AnyBThread<Move>| thread.name().family() != "StopXWin";
        let others: Vec<_> = game.threads().iter().filter(is_before).cloned().collect();
        let split = others.iter().position(|thread| thread.name().is("StartAtCenter"));
        let (before, after) = others.split_at(split.expect("the program contains the b-thread"));
        (before.to_vec(), after.to_vec())
    };
    Program::new(before.into_iter().chain(buggy).chain(after).chain([any_x().into()]))
        .expect("the names differ")
}

fn without_bug() -> Program<Move> {
    Program::new(rules::game().threads().iter().cloned().chain([any_x().into()]))
        .expect("the names differ")
}

fn check(program: &Program<Move>) -> Report<Move> {
    let space =
        program.closed_space(rules::alphabet().chain([o(UNDEFINED)])).expect("all moves are known");
    let model = BProgram::against(space, ["AnyX"]);
    let phantom = Property::never("no move on an undefined square", |event| *event == o(UNDEFINED));
    Checker::new(&model).property(phantom).collect_all().run().expect("all moves are known")
}

#[test]
fn the_literal_template_plays_on_an_undefined_square() {
    let report = check(&with_bug());
    let finding = &report.findings[0];
    assert_eq!(finding.verdict, Verdict::Violated);
    assert_eq!(finding.trace.as_ref().unwrap().to_string(), "X0, O4, X8, O9");
}

#[test]
fn the_corrected_program_never_does() {
    assert_eq!(check(&without_bug()).verdict(), Verdict::Holds);
}
