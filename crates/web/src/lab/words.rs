//! All words of the lab, in one place, so that they can be translated.
//!
//! Gaps are written `{name}`. Names of b-threads and events, and what the checker and the reader of
//! texts say, are not here. [`LabWords::spoken`] has them in the language of the page.

use crate::language::{Language, language, say};

/// Declares the words of the lab: what each is called, and how it reads in English.
macro_rules! lab_words {
    ($($field:ident: $english:literal,)*) => {
        /// The words of the lab in one language.
        #[derive(Clone, Copy, Debug)]
        #[expect(missing_docs, reason = "the English words say what each is")]
        pub struct LabWords {
            $(pub $field: &'static str,)*
        }

        /// The words of the lab in English.
        pub const ENGLISH: LabWords = LabWords { $($field: $english,)* };

        impl LabWords {
            /// The words of the lab in the language of the page.
            #[must_use]
            pub fn spoken() -> &'static Self {
                if language() == Language::English {
                    return &ENGLISH;
                }
                let words = Box::leak(Box::new(ENGLISH));
                // A loop is a tenth of the code of one call for each word.
                let Self { $($field,)* } = &mut *words;
                for word in [$($field,)*] {
                    *word = kept(say(word));
                }
                words
            }
        }
    };
}

/// A word that stays as long as the page, which has one language.
fn kept(word: String) -> &'static str {
    Box::leak(word.into_boxed_str())
}

lab_words! {
    rules_heading: "The rules",
    play_heading: "Play it",
    proof_heading: "Is it true?",
    weave_heading: "The weave",
    weave_legend: "Every b-thread is a thread, every event a knot: ● requested it, ○ waited for it, ✕ alone blocked what another requested, | was ended by it.",
    text_keys: "Tab indents; Escape, then Tab, leaves the text. Ctrl+Space completes a word, Ctrl+Shift+F formats the text, Ctrl+Enter proves again.",
    examples: "Examples",
    choose_example: "Choose …",
    share: "Share link",
    friend: "Play with a friend",
    friend_program: "This is a program, not a game: it has no seats for two people. A text that begins with the word game has them.",
    friend_switched: "Something is switched off. Your friend gets the whole text: delete from it what should not take part, or switch everything on.",
    friend_asked: "Opening a table with these rules …",
    friend_refused: "There is no table.",
    friend_open: "A table with your rules is open.",
    friend_sentence: "Send this link to a friend. Everybody who opens it can read these rules. One seat is yours.",
    friend_link: "Link to the table",
    friend_code: "Or tell them the code:",
    friend_go: "Go to the table",
    no_server: "The server does not answer. Try again when you are connected.",
    no_rules: "The rules of that table cannot be read: it may be gone. An example is shown instead.",
    close: "Close",
    format: "Format",
    download: "Download",
    open_file: "Open a file",
    save_svg: "Save as SVG",
    save_png: "Save as PNG",
    title_changed: "changed by you",
    mistakes_none: "No mistakes.",
    mistakes_one: "1 mistake. Nothing runs until it is mended.",
    mistakes_many: "{count} mistakes. Nothing runs until they are mended.",
    warning: "Warning",
    mistake: "Mistake",
    line: "line {line}",
    switch: "{name} takes part",
    members: "{count} b-threads",
    note: "{count} b-threads",
    note_awake: "{count} b-threads, {awake} awake",
    fix_first: "Mend the mistakes in the text first.",
    to_move: "{seats} to move.",
    your_choice: "Choose what happens next.",
    game_over: "The game is over: {outcome}.",
    stuck: "Stuck: b-threads request something, but all of it is blocked.",
    ended: "The end: nothing is requested any more.",
    restart: "Start again",
    back: "Back",
    forward: "Forward",
    place: "{place} of {count} events",
    step: "Step",
    run: "Run",
    random: "At random",
    who_plays: "Who plays {seat}?",
    person: "You",
    strategies: "Strategies",
    any_move: "Any move",
    tries_out: "Tries moves out",
    tried_out: "{seat} played {games} games in its head and chose {event}.",
    thinking: "{seat} is trying moves out …",
    seed: "Seed",
    board: "Board",
    empty_square: "empty",
    awake: "Why? {count} b-threads have a say now",
    from_table: "This is a round of a table.",
    back_to_table: "Back to the table",
    game_without_text: "The rules of that game are not written as text. An example is shown instead.",
    not_all_plies: "The text allows {count} of the {all} moves of that game.",
    no_such_thread: "No b-thread of this text is called {name}.",
    weave_keys: "Ctrl and the wheel, two fingers, or + and − zoom; 0 shows all of it. Enter on a knot explains it.",
    zoom_in: "Larger",
    zoom_out: "Smaller",
    zoom_whole: "The whole weave",
    states_counterexample: "Red is the game that breaks {property}.",
    possible: "What can happen now",
    last_event: "Last: {event}.",
    requested_by: "requested by {names}",
    nobody_requested: "chosen by you",
    chosen_at_random: "chosen at random",
    chosen_by_trying: "chosen by trying moves out",
    chosen_at_table: "chosen by its player",
    refused: "{event} cannot happen now.",
    blocks: "{name} blocks {events}.",
    which: "Which of these?",
    proving: "Looking at every state …",
    proving_so_far: "{states} states so far …",
    stop: "Stop",
    stopped: "Stopped. Nothing is claimed.",
    prove: "Prove again",
    no_properties: "The text claims nothing. Add a line such as: require EveryGameEnds: ends with win or draw",
    usual_properties: "No line with require is checked here, so the lab checks what must be true of every game.",
    holds: "holds",
    unknown: "not settled",
    counts: "{states} states · {edges} edges · all seen · {time} ms, here in your browser",
    cut_short: "Too large: stopped after {states} states. What was not seen is not claimed.",
    caution: "But: {why}.",
    put_on_board: "Put it on the board",
    goes_on: "It goes on like this for ever, from event {event}.",
    start_of_game: "start",
    after: "after {event}",
    purposes: "What each b-thread is for",
    purposes_button: "What is each b-thread for?",
    purpose_nothing: "nothing breaks",
    only_because: "{property} holds only because {why}",
    without: "without {name}",
    weave_empty: "Play, and every event becomes a knot here.",
    weave_title: "The weave of a run of {name}",
    any_move_of: "any move of",
    knot_requested: "requested it",
    knot_waited: "waited for it",
    knot_blocked: "alone blocked what another requested",
    knot_interrupted: "was ended by it",
    weave_selected: "{event}:",
    requested: "{names} requested it",
    waited: "{names} waited for it",
    blocked: "{names} alone blocked what another requested",
    interrupted: "it ended {names}",
    link_unreadable: "The link is damaged: its text cannot be read. An example is shown instead.",
    link_too_long: "The text in the link is longer than 64 KiB. An example is shown instead.",
    link_copied: "The link is copied. The whole text is in it; nothing was sent to a server.",
    link_ready: "The address of this page is the link now. The whole text is in it.",
    formatted: "The text is in its usual form.",
    not_formatted: "Mend the mistakes first, then it can be formatted.",
    saved: "Saved in this browser as {name}.",
    saved_none: "Nothing is saved in this browser yet.",
    saved_heading: "Saved texts",
    name: "Name",
    name_missing: "Write the new name into the field first.",
    save: "Save",
    rename: "Rename {name} to the name in the field",
    rename_short: "Rename",
    renamed: "{old} is called {new} now.",
    delete_short: "Delete",
    delete: "Delete {name}",
    deleted: "{name} is deleted.",
    undo: "Undo",
    too_large: "That file is longer than 64 KiB and was not opened.",
    no_worker: "This browser has no workers for this page, so nothing can be proved here.",
    states_heading: "The states",
    states_show: "Draw the states",
    states_hide: "Hide the states",
    states_whole: "All {count} states, from the start at the top. Click one to go there. What the game has passed is golden.",
    states_around: "There are more states than can be drawn: these {count} are near the current one. Click one to go there.",
    states_go: "state {number}, after {event}",
    completions: "Words that can stand here",
    no_completion: "No known word begins like this.",
    lessons: "Lessons",
    lesson_place: "Step {step} of {steps}: {title}",
    lesson_next: "Next step",
    lesson_back: "Step before",
    lesson_solve: "Show me",
    lesson_leave: "Leave the lesson",
    lesson_end: "That was the last step.",
    lesson_keys: "Ctrl+Enter in the text goes to the next step.",
}
