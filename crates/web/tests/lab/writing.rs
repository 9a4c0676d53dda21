//! Writing in the lab.

use web::lab::{LabEffect, to_link};

use crate::driver::LabDriver;

const WRONG: &str = "game moon \"A <b>game\"\n\nseats X, O\ngrid square = 2 x 2\n\
                     event mark(seat, square)  move of seat, puts seat on square\n\
                     rule Taken(square)\n  wait for marks(square)\n  block mark(square)\n";

#[test]
fn a_mistake_is_underlined_listed_and_found() {
    let mut driver = LabDriver::text(WRONG);
    let mistakes = driver.panel("mistakes");
    assert!(mistakes.contains("Mistake, line 7: no event is called `marks`"), "{mistakes}");
    let colours = driver.panel("colours");
    assert!(colours.contains("wrong\">marks</i>"), "{colours}");
    assert!(driver.panel("play").contains("Mend the mistakes"), "{}", driver.panel("play"));
    driver.act("mistake", "0");
    let start = u32::try_from(WRONG.find("marks").unwrap()).unwrap();
    assert_eq!(driver.effects.last(), Some(&LabEffect::Select(start, start + 5)));
    driver.write(&WRONG.replace("marks", "mark"));
    assert!(driver.panel("mistakes").contains("No mistakes."), "{}", driver.panel("mistakes"));
    assert!(driver.lab.game().is_some());
}

#[test]
fn what_a_text_says_is_no_markup() {
    let driver = LabDriver::text(&WRONG.replace("marks", "mark<i>"));
    for (name, html) in driver.lab.panels() {
        assert!(!html.contains("A <b>game") && !html.contains("mark<i>"), "{name}: {html}");
    }
}

#[test]
fn the_layer_of_colours_has_the_same_lines_as_the_text() {
    for example in web::lab::EXAMPLES {
        let driver = LabDriver::text(&example.text.replace("require", "# require"));
        let colours = driver.panel("colours");
        let mut plain = String::new();
        let mut is_tag = false;
        for character in colours.chars() {
            match character {
                '<' => is_tag = true,
                '>' => is_tag = false,
                _ if !is_tag => plain.push(character),
                _ => {}
            }
        }
        let plain = plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        let plain = plain.replace("&amp;", "&");
        assert_eq!(plain.trim_end(), driver.lab.text().source().trim_end(), "{}", example.name);
    }
}

#[test]
fn the_line_of_each_awake_b_thread_is_lit() {
    let mut driver = LabDriver::example("tic-tac-toe");
    let lit = |driver: &LabDriver| {
        let colours = driver.panel("colours");
        let lit = colours.split("src here\"").skip(1).map(|line| line.contains("AddThirdO"));
        lit.count()
    };
    let before = lit(&driver);
    driver.act("square", "a1");
    driver.act("square", "c1");
    let colours = driver.panel("colours");
    assert!(colours.contains("8 b-threads, 1 awake"), "{colours}");
    assert!(lit(&driver) > before, "{colours}");
}

#[test]
fn a_text_is_formatted_unless_it_has_mistakes() {
    let mut driver = LabDriver::text("program p\nevent   a\nthread T\n    request    a\n");
    driver.act("format", "");
    assert_eq!(driver.lab.text().source(), "program p\nevent a\nthread T\n  request a\n");
    let mut driver = LabDriver::text("program p\nevent ((\n");
    driver.act("format", "");
    assert_eq!(driver.lab.text().source(), "program p\nevent ((\n");
    assert!(format!("{:?}", driver.effects).contains("Mend the mistakes first"));
}

#[test]
fn a_link_holds_the_whole_text_and_a_damaged_one_is_told() {
    let mut driver = LabDriver::example("nim");
    driver.act("share", "");
    let text = driver.lab.text().source().to_owned();
    assert_eq!(driver.effects.last(), Some(&LabEffect::Share(to_link(&text))));
    let (lab, effects) = web::lab::Lab::open("#text=!!", 1, web::lab::LabStorage::default());
    assert_eq!(lab.text().name(), "tic-tac-toe");
    assert!(format!("{effects:?}").contains("The link is damaged"));
}

#[test]
fn a_hostile_text_is_refused_with_a_sentence() {
    let deep = format!("program p\nevent a\nthread T\n  request {}a\n", "(".repeat(5_000));
    let huge = "program p\nset s = 1..1000\nevent a(s, t: s, u: s)\n".to_owned();
    let long = "x".repeat(100_000);
    let endless = "program p\nevent a\nthread T\n  keep n = 0\n  forever\n    n = n + 1\n";
    for text in [deep.as_str(), huge.as_str(), long.as_str(), endless] {
        let driver = LabDriver::text("program p\nevent a\nthread T: request a\n");
        let mut driver = driver;
        driver.write(text);
        assert!(driver.lab.text().mistakes() > 0);
        assert!(driver.lab.game().is_none());
        drop(driver.lab.panels());
    }
}

#[test]
fn texts_are_saved_opened_renamed_deleted_and_brought_back() {
    let mut driver = LabDriver::example("nim");
    driver.act("save", "  my nim ");
    driver.act("example", "pig");
    driver.act("rename", "my nim\nheaps");
    driver.act("load", "heaps");
    assert_eq!(driver.lab.text().name(), "nim");
    driver.act("delete", "heaps");
    assert!(driver.panel("saved").contains("heaps is deleted."), "{}", driver.panel("saved"));
    assert_eq!(stored(&driver), Vec::<String>::new());
    driver.act("undelete", "");
    assert_eq!(stored(&driver), ["heaps"]);
    driver.act("rename", "heaps\n ");
    assert_eq!(stored(&driver), ["heaps"], "a name is needed");
    driver.act("save", "");
    assert_eq!(stored(&driver), ["heaps", "nim"]);
}

/// The names of the texts that the browser was told to keep.
fn stored(driver: &LabDriver) -> Vec<String> {
    let stored = driver.effects.iter().rev().find_map(|effect| match effect {
        LabEffect::Store(saved) => Some(saved.iter().map(|saved| saved.name.clone()).collect()),
        _ => None,
    });
    stored.unwrap_or_default()
}

#[test]
fn a_word_is_completed_or_those_that_fit_are_offered() {
    let text = "program p\nevent coffee\nevent cocoa\nevent tea\nthread T\n  request co";
    let mut driver = LabDriver::text(text);
    let end = u32::try_from(text.len()).unwrap();
    let effects = driver.lab.complete(end);
    assert_eq!(effects, [LabEffect::Focus("do-complete-cocoa".to_owned())]);
    assert!(driver.panel("completions").contains(">coffee</button>"));
    driver.act("complete", "coffee");
    assert_eq!(driver.effects.last(), Some(&LabEffect::Type("ffee".to_owned())));
    assert_eq!(driver.panel("completions"), "");
    driver.write(&text.replace("request co", "request te"));
    assert_eq!(driver.lab.complete(end), [LabEffect::Type("a".to_owned())]);
    driver.write(&text.replace("request co", "request zz"));
    let effects = driver.lab.complete(end);
    assert!(format!("{effects:?}").contains("No known word"), "{effects:?}");
}
