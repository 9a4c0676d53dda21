//! The lessons, from start to end.

use web::lab::{LESSONS, LabEffect, LessonGoal};

use crate::driver::LabDriver;

#[test]
fn every_step_is_open_at_first_and_done_with_its_solution() {
    for lesson in LESSONS {
        let mut driver = LabDriver::example("nim");
        driver.act("lesson", lesson.id);
        for (number, step) in lesson.steps.iter().enumerate() {
            assert_eq!(driver.lab.text().mistakes(), 0, "{}: {}", lesson.id, step.title);
            let panel = driver.panel("lesson");
            let place = format!("Step {} of {}", number + 1, lesson.steps.len());
            assert!(panel.contains(&place) && !panel.contains("✓"), "{panel}");
            if let LessonGoal::Holds { .. } = step.goal {
                let verdicts = driver.verdicts();
                assert!(verdicts.contains("violated"), "{}: {verdicts}", step.title);
            }
            driver.act("lesson-solve", "");
            let panel = driver.panel("lesson");
            assert!(panel.contains("✓"), "{}: {}\n{panel}", step.title, driver.verdicts());
            driver.act("lesson-next", "");
        }
        assert!(driver.panel("lesson").contains("That was the last step."));
        let kept = driver.effects.iter().rev().find_map(|effect| match effect {
            LabEffect::StoreLessons(done) => Some(done.steps(lesson.id)),
            _ => None,
        });
        assert_eq!(kept, Some(lesson.steps.len()));
    }
}

#[test]
fn a_step_is_not_done_by_taking_the_claim_away() {
    let mut driver = LabDriver::example("nim");
    driver.act("lesson", "tutorial");
    let text = driver.lab.text().source().to_owned();
    driver.write(&text.replace("fail \"a square is marked twice\"", "forever: wait for mark"));
    assert!(driver.verdicts().contains("OneMarkPerSquare holds"), "{}", driver.verdicts());
    assert!(!driver.panel("lesson").contains("✓"), "{}", driver.panel("lesson"));
    driver.write(&text);
    driver.act("switch", "OneMarkPerSquare");
    assert!(!driver.panel("lesson").contains("✓"), "{}", driver.panel("lesson"));
}

#[test]
fn a_lesson_goes_on_where_it_was_left() {
    let mut driver = LabDriver::example("nim");
    driver.act("lesson", "tutorial");
    driver.act("lesson-solve", "");
    driver.act("lesson-leave", "");
    assert_eq!(driver.panel("lesson"), "");
    driver.act("lesson", "tutorial");
    assert!(driver.panel("lesson").contains("Step 2 of 10"), "{}", driver.panel("lesson"));
}

#[test]
fn the_key_goes_on_when_the_step_is_done_and_proves_otherwise() {
    let mut driver = LabDriver::example("nim");
    driver.act("lesson", "tutorial");
    driver.act("go-on", "");
    assert!(driver.panel("lesson").contains("Step 1 of 10"), "nothing is done yet");
    driver.act("lesson-solve", "");
    assert!(driver.panel("lesson").contains("Ctrl+Enter"), "{}", driver.panel("lesson"));
    driver.act("go-on", "");
    assert!(driver.panel("lesson").contains("Step 2 of 10"), "{}", driver.panel("lesson"));
    let focused = LabEffect::Focus("lesson-heading".to_owned());
    assert_eq!(driver.effects.last(), Some(&focused), "the story is read next");
}
