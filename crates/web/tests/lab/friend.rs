//! Tables on a server with the rules of the lab.

use web::lab::{Lab, LabEffect, LabStorage};

use crate::driver::LabDriver;

#[test]
fn a_table_is_created_with_the_text_and_its_link_is_shown() {
    let mut driver = LabDriver::example("nim");
    assert_eq!(driver.panel("friend"), "");
    driver.act("friend", "");
    let text = driver.lab.text().source().to_owned();
    assert_eq!(driver.effects.last(), Some(&LabEffect::CreateTable(text)));
    assert!(driver.panel("friend").contains("Opening a table"), "{}", driver.panel("friend"));
    let link = "http://here/t/abc".to_owned();
    driver.lab.hear_table(Ok((link, "bodaki-murosi".to_owned())));
    let panel = driver.panel("friend");
    assert!(panel.contains("value=\"http://here/t/abc\""), "{panel}");
    assert!(panel.contains("href=\"http://here/t/abc\"") && panel.contains("bodaki-murosi"));
    driver.write("game other\n");
    assert_eq!(driver.panel("friend"), "", "the table has other rules than the text now");
}

#[test]
fn what_the_server_says_is_shown_and_is_no_markup() {
    let mut driver = LabDriver::example("nim");
    driver.lab.hear_table(Err("there are more than 2000 <b>events".to_owned()));
    let panel = driver.panel("friend");
    assert!(panel.contains("There is no table.") && panel.contains("2000 &lt;b&gt;events"));
    driver.act("friend-close", "");
    assert_eq!(driver.panel("friend"), "");
}

#[test]
fn rules_that_two_people_cannot_play_are_not_sent() {
    let mut switched = LabDriver::example("tic-tac-toe");
    switched.act("switch", "EnforceTurns");
    for (mut driver, sentence) in [
        (LabDriver::text("game g\nseats X, Y\nevent a(z)\n"), "Mend the mistakes"),
        (LabDriver::example("dining"), "This is a program, not a game"),
        (switched, "Something is switched off"),
    ] {
        driver.act("friend", "");
        assert!(driver.panel("friend").contains(sentence), "{}", driver.panel("friend"));
        let is_sent = |effect: &LabEffect| matches!(effect, LabEffect::CreateTable(_));
        assert!(!driver.effects.iter().any(is_sent), "{sentence}");
    }
}

#[test]
fn a_link_opens_the_rules_of_a_table() {
    let reads = |fragment: &str| {
        let (_, effects) = Lab::open(fragment, 7, LabStorage::default());
        effects.into_iter().find_map(|effect| match effect {
            LabEffect::ReadTable(id, round) => Some((id, round)),
            _ => None,
        })
    };
    assert_eq!(reads("#table=aB3_-"), Some(("aB3_-".to_owned(), None)));
    assert_eq!(reads("#table=aB3_-&round=2"), Some(("aB3_-".to_owned(), Some(2))));
    for wrong in ["#table=", "#table=../x", "#table=a?b", "#text=abc", ""] {
        assert_eq!(reads(wrong), None, "{wrong}");
    }
    let mut driver = LabDriver::example("nim");
    driver.lab.hear_rules(Ok(("game brought\n".to_owned(), Vec::new())));
    assert_eq!(driver.lab.text().source(), "game brought\n");
    let said = driver.lab.hear_rules(Err("It may be gone.".to_owned()));
    assert_eq!(said, [LabEffect::Announce("It may be gone.".to_owned())]);
}
