//! The game as it is played, and its weave.

use notation::{RunStatus, RunStep, TextForm, ThreadPart, WeaveForm, WeaveWords, escaped, weave};

use super::board;
use super::game::{LabGame, SeatControl};
use super::html::{Html, filled};
use super::spoken::spoken_parts;
use super::state::Lab;

/// The most possible events that are listed.
const MOST_LISTED: usize = 60;

/// The most b-threads that are looked at for the list of those that are awake.
const MOST_THREADS: usize = 1_000;

/// The most events that are woven.
const MOST_WOVEN: usize = 200;

impl Lab {
    /// The board, the status, and what can be done.
    pub(super) fn play_panel(&self) -> String {
        let words = self.words();
        let mut html = Html::default();
        let Some(game) = self.game() else {
            html.add(format_args!("<p class=\"hint\">{}</p>", escaped(words.fix_first)));
            return html.finish();
        };
        self.origin(&mut html);
        self.seats(&mut html, game);
        let picture = game.picture(game.place());
        let has_squares = picture.as_ref().is_some_and(|picture| picture.board.is_some());
        if let Some(picture) = &picture {
            let is_open = |cell: &game::GridCell| !game.clicks(&cell.moves).0.is_empty();
            html.add(format_args!(
                "{}",
                board::large(picture, words, &is_open).unwrap_or_default()
            ));
            if !picture.notes.is_empty() {
                let notes = escaped(&picture.notes.join(" · "));
                html.add(format_args!("<p class=\"notes\">{notes}</p>"));
            }
        }
        let status = escaped(&self.status(game));
        html.add(format_args!("<p class=\"lab-status\" role=\"status\">{status}</p>"));
        if let Some(notice) = self.play_notice() {
            html.add(format_args!(
                "<p class=\"lab-notice\" role=\"status\">{}</p>",
                escaped(notice)
            ));
        }
        self.choices(&mut html, words.which);
        self.last_event(&mut html, game);
        self.steering(&mut html, game);
        self.awake_threads(&mut html, game);
        self.possible_events(&mut html, game, has_squares);
        html.finish()
    }

    /// Where the game comes from, if it is one of a table.
    fn origin(&self, html: &mut Html) {
        let words = self.words();
        let Some(id) = &self.link.table else { return };
        html.add(format_args!(
            "<p class=\"hint\">{} <a href=\"/t/{}\">{}</a></p>",
            escaped(words.from_table),
            escaped(id),
            escaped(words.back_to_table)
        ));
    }

    /// The player of each seat.
    fn seats(&self, html: &mut Html, game: &LabGame) {
        let words = self.words();
        if game.text().form() == TextForm::Program {
            return;
        }
        html.add(format_args!("<div class=\"seats\">"));
        let seats = game.text().seats();
        for (number, seat) in seats.iter().enumerate() {
            let label = escaped(&filled(words.who_plays, &[("seat", seat)]));
            html.add(format_args!(
                "<label>{label} <select id=\"seat-{number}\" data-change=\"seat-{number}\">"
            ));
            let chosen = game.controls().get(number).copied().unwrap_or(SeatControl::Person);
            let has_strategies = self.has_strategies(number);
            let options = [
                ("person", words.person, SeatControl::Person, true),
                ("strategies", words.strategies, SeatControl::Strategies, has_strategies),
                ("random", words.any_move, SeatControl::Random, true),
                ("search", words.tries_out, SeatControl::Search, true),
            ];
            for (value, label, control, _) in options.into_iter().filter(|option| option.3) {
                let selected = if control == chosen { " selected" } else { "" };
                let label = escaped(label);
                html.add(format_args!("<option value=\"{value}\"{selected}>{label}</option>"));
            }
            html.add(format_args!("</select></label>"));
        }
        html.add(format_args!("</div>"));
    }

    /// What the game waits for.
    pub(super) fn status(&self, game: &LabGame) -> String {
        let words = self.words();
        if let Some(seat) = self.thinking_seat() {
            return filled(words.thinking, &[("seat", &seat)]);
        }
        match game.run().status() {
            RunStatus::Over => {
                let outcome = game.run().outcome().unwrap_or_default();
                let outcome = spoken_parts(&outcome, ", ");
                filled(words.game_over, &[("outcome", &outcome)])
            }
            RunStatus::Stuck => words.stuck.to_owned(),
            RunStatus::Ended => words.ended.to_owned(),
            RunStatus::Open => {
                let seats = game.seats_to_move();
                if seats.is_empty() {
                    words.your_choice.to_owned()
                } else {
                    filled(words.to_move, &[("seats", &seats.join(", "))])
                }
            }
        }
    }

    /// The last event, and who requested it.
    fn last_event(&self, html: &mut Html, game: &LabGame) {
        let words = self.words();
        let Some(step) = game.place().checked_sub(1).and_then(|last| game.steps().get(last)) else {
            return;
        };
        let event = filled(words.last_event, &[("event", &step.event)]);
        let names = names(step, ThreadPart::Requested);
        let by = match player_of(game, step) {
            _ if !names.is_empty() => filled(words.requested_by, &[("names", &names)]),
            Some(SeatControl::Random) => words.chosen_at_random.to_owned(),
            Some(SeatControl::Search) => words.chosen_by_trying.to_owned(),
            // Where the game of a table is shown, somebody else has chosen it.
            _ if self.link.table.is_some() => words.chosen_at_table.to_owned(),
            _ => words.nobody_requested.to_owned(),
        };
        html.add(format_args!("<p class=\"hint\">{} {}</p>", escaped(&event), escaped(&by)));
    }

    /// Back, forth, from the beginning; for programs also step, run and random.
    fn steering(&self, html: &mut Html, game: &LabGame) {
        let words = self.words();
        html.add(format_args!("<div class=\"steering\">"));
        html.button("restart", "", words.restart);
        html.button("back", "", words.back);
        html.button("forward", "", words.forward);
        if game.text().form() == TextForm::Program {
            html.button("step", "", words.step);
            html.button("run", "", words.run);
            html.button("random", "", words.random);
        }
        if game.has_luck() {
            html.add(format_args!(
                "<label class=\"seed\">{} <input id=\"seed\" data-change=\"seed\" inputmode=\"numeric\" \
                 maxlength=\"6\" size=\"6\" autocomplete=\"off\" value=\"{}\"></label>",
                escaped(words.seed),
                self.seed()
            ));
        }
        let (place, count) = (game.place(), game.steps().len());
        let place = filled(words.place, &[("place", &place), ("count", &count)]);
        html.add(format_args!("<span class=\"hint\">{}</span></div>", escaped(&place)));
    }

    /// The b-threads that have a say now, what each does, and the way to its text.
    fn awake_threads(&self, html: &mut Html, game: &LabGame) {
        let words = self.words();
        let awake: Vec<String> = game
            .run()
            .places()
            .filter(|place| place.is_awake)
            .map(|place| place.thread.name().to_string())
            .collect();
        if awake.is_empty() {
            return;
        }
        html.add(format_args!(
            "<details id=\"awake\"><summary>{}</summary><ul class=\"awake\">",
            escaped(&filled(words.awake, &[("count", &awake.len())]))
        ));
        for (thread, does) in game.run().threads().take(MOST_THREADS) {
            let name = thread.name().to_string();
            if awake.contains(&name) {
                html.add(format_args!("<li>"));
                html.styled_button("link", "thread", &name, &name);
                let does = spoken_parts(&does, "; ");
                html.add(format_args!(" <span>{}</span></li>", escaped(&does)));
            }
        }
        html.add(format_args!("</ul></details>"));
    }

    fn possible_events(&self, html: &mut Html, game: &LabGame, has_squares: bool) {
        let possible = game.possible();
        if possible.is_empty() {
            return;
        }
        let open = if has_squares { "" } else { " open" };
        html.add(format_args!(
            "<details id=\"possible\"{open}><summary>{}</summary><div class=\"events\">",
            escaped(self.words().possible)
        ));
        for each in possible.iter().take(MOST_LISTED) {
            html.button("play", each.event.as_str(), each.event.as_str());
        }
        html.add(format_args!("</div></details>"));
    }

    /// The events that a click may have meant, if there are several.
    fn choices(&self, html: &mut Html, question: &str) {
        if self.clicked().is_empty() {
            return;
        }
        html.add(format_args!("<p>{}</p><div class=\"events\">", escaped(question)));
        for event in self.clicked() {
            html.button("play", event, event);
        }
        html.add(format_args!("</div>"));
    }

    /// The weave of the events so far.
    pub(super) fn weave_panel(&self) -> String {
        let words = self.words();
        let mut html = Html::default();
        let Some(game) = self.game().filter(|game| !game.steps().is_empty()) else {
            html.add(format_args!("<p class=\"hint\">{}</p>", escaped(words.weave_empty)));
            return html.finish();
        };
        let steps = game.steps();
        let steps = steps.get(..steps.len().min(MOST_WOVEN)).unwrap_or_default();
        let selected = self.knot().filter(|knot| *knot < steps.len());
        let form = WeaveForm::Page { selected };
        let picture = weave(game.text(), steps, form, &self.weave_words());
        html.add(format_args!(
            "<div id=\"weave-picture\" class=\"weave-picture\" tabindex=\"0\" role=\"region\" \
             aria-label=\"{}\" aria-describedby=\"weave-keys\">{picture}</div>\
             <p id=\"weave-keys\" class=\"hint\">{}</p><div class=\"steering\">",
            escaped(words.weave_heading),
            escaped(words.weave_keys)
        ));
        for (way, sign, label) in [
            ("in", "+", words.zoom_in),
            ("out", "−", words.zoom_out),
            ("whole", "⤢", words.zoom_whole),
        ] {
            html.add(format_args!(
                "<button type=\"button\" id=\"zoom-{way}\" data-zoom=\"{way}\" aria-label=\"{0}\" \
                 title=\"{0}\">{sign}</button>",
                escaped(label)
            ));
        }
        html.button("svg", "", words.save_svg);
        html.button("png", "", words.save_png);
        html.add(format_args!("</div>"));
        if let Some(step) = selected.and_then(|knot| steps.get(knot)) {
            html.add(format_args!(
                "<p class=\"hint\" role=\"status\">{}</p>",
                self.knot_words(step)
            ));
        }
        html.finish()
    }

    /// The weave as a file of its own; `None` if nothing has happened.
    pub(super) fn weave_file(&self) -> Option<String> {
        let game = self.game().filter(|game| !game.steps().is_empty())?;
        let steps = game.steps();
        let steps = steps.get(..steps.len().min(MOST_WOVEN)).unwrap_or_default();
        Some(weave(game.text(), steps, WeaveForm::File, &self.weave_words()))
    }

    fn weave_words(&self) -> WeaveWords {
        let words = self.words();
        let legend = [
            (ThreadPart::Requested, words.knot_requested),
            (ThreadPart::Waited, words.knot_waited),
            (ThreadPart::Blocked, words.knot_blocked),
            (ThreadPart::Interrupted, words.knot_interrupted),
        ];
        WeaveWords {
            title: filled(words.weave_title, &[("name", &self.text().name())]),
            any_move: words.any_move_of.to_owned(),
            legend: legend.map(|(part, words)| (part, words.to_owned())),
        }
    }

    /// The b-threads that took part in an event, and how.
    fn knot_words(&self, step: &RunStep) -> String {
        let words = self.words();
        let mut parts = Vec::new();
        for (part, sentence) in [
            (ThreadPart::Requested, words.requested),
            (ThreadPart::Waited, words.waited),
            (ThreadPart::Blocked, words.blocked),
            (ThreadPart::Interrupted, words.interrupted),
        ] {
            let names = names(step, part);
            if !names.is_empty() {
                parts.push(filled(sentence, &[("names", &names)]));
            }
        }
        let event = filled(words.weave_selected, &[("event", &step.event)]);
        escaped(&format!("{event} {}.", parts.join("; ")))
    }
}

fn names(step: &RunStep, part: ThreadPart) -> String {
    step.who(part).map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The player of the seat that made a move.
fn player_of(game: &LabGame, step: &RunStep) -> Option<SeatControl> {
    let name = step.seat.as_deref()?;
    let seat = game.text().seats().iter().position(|seat| *seat == name)?;
    game.controls().get(seat).copied()
}
