//! What editors ask about a text.

use expect_test::expect;
use notation::{DefinitionKind, Document};

const NIM: &str = include_str!("../../../games/nim.cradle");

/// The byte of the first character of a part of a text.
fn byte(text: &str, part: &str) -> u32 {
    u32::try_from(text.find(part).expect("the text has the part")).expect("a text is short")
}

#[test]
fn all_names_are_found_in_order() {
    let found = Document::read(NIM).definitions();
    let found: Vec<String> =
        found.iter().map(|each| format!("{:?} {}", each.kind, each.name)).collect();
    expect![[r#"
        Text nim
        Parameter most
        Value first
        Value second
        Set heap
        Value a
        Value b
        Value c
        Set count
        Set left
        Event take
        Variable seat
        Variable heap
        Variable count
        Event win
        Variable seat
        Thread EndOfGame
        Thread EnforceTurns
        Thread Heap
        Variable heap
        Variable left
        Variable n
        Thread LastOneWins
        Variable total
        Variable who
        Variable n
        Property SomebodyWins"#]]
    .assert_eq(&found.join("\n"));
}

#[test]
fn a_b_thread_knows_its_own_names_first() {
    let text = "program p\nset n = a, b\nevent e(n)\nthread One\n  keep x = a\n  request e(x)\n\
                thread Two\n  wait for e(?x)\n  request e(x)\n";
    let document = Document::read(text);
    let line_of = |part: &str| {
        let found = document.definition_at(byte(text, part) + 2)?;
        Some((found.kind, found.declaration))
    };
    let variable = |line: &str| Some((DefinitionKind::Variable, line.to_owned()));
    assert_eq!(line_of("e(x)"), variable("keep x = a"));
    let second = text.rfind("e(x)").expect("it is there");
    let found = document.definition_at(u32::try_from(second).unwrap() + 2).unwrap();
    assert_eq!(found.declaration, "wait for e(?x)");
    assert_eq!(document.definition_at(byte(text, "wait")), None, "a word of the notation");
}

#[test]
fn every_family_of_the_examples_is_declared_where_it_is_found() {
    for text in [NIM, include_str!("../../../games/ultimate.cradle")] {
        let document = Document::read(text);
        let built = document.build(&[]).unwrap();
        for thread in built.threads() {
            let family = thread.name().family();
            let found = document.definitions();
            let found = found.iter().find(|each| each.name == family).unwrap();
            assert_eq!(found.kind, DefinitionKind::Thread);
            let place = text.get(..found.span.start as usize).unwrap().matches('\n').count();
            assert_eq!(place + 1, thread.line() as usize, "{family}");
        }
    }
}

#[test]
fn names_stand_for_events_b_threads_and_values() {
    let built = Document::read(NIM).build(&[]).unwrap();
    let about = |name, kind| built.about(name, kind).unwrap_or_default();
    assert_eq!(about("Heap", DefinitionKind::Thread), "3 b-threads: Heap(a), Heap(b), Heap(c)");
    assert_eq!(about("count", DefinitionKind::Set), "3 values: 1, 2, 3");
    assert_eq!(about("win", DefinitionKind::Event), "2 events: win(first), win(second)");
    assert_eq!(about("most", DefinitionKind::Parameter), "now 3");
    assert_eq!(about("a", DefinitionKind::Value), "a value of heap");
    assert!(about("take", DefinitionKind::Event).ends_with(", …"));
}
