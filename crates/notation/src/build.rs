//! Building a text: from its syntax tree to its events, b-threads and properties.

mod properties;
mod threads;
mod warnings;

use std::sync::Arc;

use crate::built::{BuiltText, SharedText};
use crate::compile::{FamilyCode, compile};
use crate::declare::Declarer;
use crate::diagnostic::{Diagnostic, DiagnosticCode, Diagnostics};
use crate::limits::{Budget, Exceeded};
use crate::meaning::{MeaningReader, Meanings};
use crate::parameters::GivenParameter;
use crate::span::Span;
use crate::symbols::Symbols;
use crate::syntax::{Declaration, SyntaxTree, TextForm, ThreadDeclaration, ThreadRoleWord};
use crate::text_event::EventNames;

/// What is known of a text after its mistakes were looked for, without exploring b-threads.
struct StaticText<'a> {
    form: TextForm,
    symbols: Symbols,
    meanings: Meanings,
    families: Vec<(&'a ThreadDeclaration, FamilyCode)>,
}

/// Builds a text, and adds its mistakes and warnings to the diagnostics.
///
/// Returns nothing if there are mistakes.
pub(crate) fn build(
    text: &str,
    tree: &SyntaxTree,
    given: &[GivenParameter],
    budget: &mut Budget,
    diagnostics: &mut Diagnostics,
) -> Option<BuiltText> {
    match build_bounded(text, tree, given, budget, diagnostics) {
        Ok(built) => built,
        Err((exceeded, span)) => {
            diagnostics.push(Diagnostic::new(exceeded.code(), span, exceeded.sentence()));
            None
        }
    }
}

fn build_bounded(
    text: &str,
    tree: &SyntaxTree,
    given: &[GivenParameter],
    budget: &mut Budget,
    diagnostics: &mut Diagnostics,
) -> Result<Option<BuiltText>, (Exceeded, Span)> {
    let at = |span: Span| move |exceeded: Exceeded| (exceeded, span);
    let header = tree.header.as_ref().map_or_else(Span::default, |header| header.name.span);
    let found = static_text(tree, given, budget, diagnostics).map_err(at(header))?;
    let properties = properties::read(text, tree, &found.symbols, budget, diagnostics);
    let mut properties = properties.map_err(at(header))?;
    if diagnostics.has_mistakes() {
        return Ok(None);
    }
    let names = EventNames::new(&found.symbols, &found.meanings.movers, budget);
    let names = Arc::new(names.map_err(at(header))?);
    let threads = threads::build(text, &found, &names, budget, diagnostics)?;
    let tracked = threads::tracked(&found, &names, &threads, budget).map_err(at(header))?;
    if diagnostics.has_mistakes() {
        return Ok(None);
    }
    warnings::find(&found, tree, &threads, diagnostics);
    let Some(header) = &tree.header else { return Ok(None) };
    let is_given = |name: &str| given.iter().any(|given| given.name == name);
    let StaticText { form, symbols, mut meanings, .. } = found;
    if meanings.placed.is_empty() {
        meanings.placed = threads::placed(&meanings, &threads);
    }
    let changed = symbols.parameters.iter().filter(|(name, _)| is_given(name)).cloned().collect();
    let drawn = threads::drawn(symbols.events(), &threads);
    let threads: Vec<_> = threads.into_iter().map(|(_, thread)| thread).collect();
    properties::add_ranges(&mut properties, &threads);
    Ok(Some(BuiltText(Arc::new(SharedText {
        form,
        name: header.name.text.clone(),
        summary: header.summary.as_ref().map(|sentence| sentence.text.clone()),
        symbols,
        changed,
        names,
        meanings,
        threads,
        tracked,
        drawn,
        properties,
        warnings: diagnostics.clone().into_list(),
        memory: budget.kept(),
    }))))
}

fn static_text<'a>(
    tree: &'a SyntaxTree,
    given: &[GivenParameter],
    budget: &mut Budget,
    diagnostics: &mut Diagnostics,
) -> Result<StaticText<'a>, Exceeded> {
    let form = tree.form;
    let symbols = Declarer::new(form, budget, diagnostics).declare_all(tree, given)?;
    let reader = MeaningReader {
        symbols: &symbols,
        budget,
        diagnostics,
        form,
        meanings: Meanings::default(),
    };
    let meanings = reader.read(tree)?;
    let mut families: Vec<(&ThreadDeclaration, FamilyCode)> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for item in &tree.items {
        let name = match item {
            Declaration::Thread(thread) => {
                check_form(thread, form, &symbols, diagnostics);
                let code = compile(thread, &symbols, diagnostics);
                families.extend(code.map(|code| (thread, code)));
                &thread.name
            }
            Declaration::Property { name, .. } => name,
            _ => continue,
        };
        if names.contains(&name.text.as_str()) {
            let message = format!("a b-thread or a property is called `{}` already", name.text);
            diagnostics.report(DiagnosticCode::DeclaredTwice, name.span, message);
        }
        names.push(&name.text);
    }
    let found = StaticText { form, symbols, meanings, families };
    if form == TextForm::Game && !diagnostics.has_mistakes() {
        check_game(tree, &found, diagnostics);
    }
    Ok(found)
}

/// Reports b-threads that do not fit a game or a program.
fn check_form(
    thread: &ThreadDeclaration,
    form: TextForm,
    symbols: &Symbols,
    diagnostics: &mut Diagnostics,
) {
    let message = match (thread.role, form) {
        (ThreadRoleWord::Rule, TextForm::Program) => "a program has no rules: write `thread`",
        (ThreadRoleWord::Strategy, TextForm::Program) => {
            "a program has no strategies: write `thread`"
        }
        (ThreadRoleWord::Thread, TextForm::Game) => "a game has no threads: write `rule`",
        (ThreadRoleWord::World, TextForm::Game) => {
            "in a game the seats are the world: declare moves"
        }
        _ => "",
    };
    if !message.is_empty() {
        diagnostics.report(DiagnosticCode::OnlyInGames, thread.name.span, message);
    }
    match (&thread.seat, thread.role) {
        (Some(seat), ThreadRoleWord::Strategy) => {
            let value = symbols.values.get(&seat.text);
            if value.and_then(|value| symbols.seat(value)).is_none() {
                let seats = symbols.seats.map(|list| &symbols.lists[list as usize].names);
                let known = seats.into_iter().flatten().map(String::as_str);
                let hint = diagnostics.hint(&seat.text, known);
                let message = format!("no seat is called `{}`{hint}", seat.text);
                diagnostics.report(DiagnosticCode::UnknownSeat, seat.span, message);
            }
        }
        (Some(seat), _) => {
            let message = "only a strategy is `for` a seat";
            diagnostics.report(DiagnosticCode::UnknownSeat, seat.span, message);
        }
        (None, ThreadRoleWord::Strategy) => {
            let message = "a strategy says whose it is: write `for` and a seat";
            diagnostics.report(DiagnosticCode::UnknownSeat, thread.name.span, message);
        }
        (None, _) => {}
    }
}

/// Reports what every game needs.
fn check_game(tree: &SyntaxTree, found: &StaticText<'_>, diagnostics: &mut Diagnostics) {
    let span = tree.header.as_ref().map_or_else(Span::default, |header| header.name.span);
    let message = if found.symbols.seats.is_none() {
        "a game has seats: write `seats X, O`"
    } else if found.meanings.events.iter().all(|meaning| meaning.mover.is_none()) {
        "no event is a move: write `move of seat` after one"
    } else {
        return;
    };
    diagnostics.report(DiagnosticCode::IncompleteGame, span, message);
}
