//! Everything that the lab knows, and what a person does to it.

use notation::BuiltText;

use super::EXAMPLES;
use super::completion::Completions;
use super::friend::FriendTable;
use super::game::{LabGame, SeatControl, StepPace, controls_of};
use super::html::filled;
use super::lesson_state::{LessonProgress, LessonState};
use super::opened_link::first_text;
use super::proof::{ProofAim, ProofReport, ProofRequest};
use super::refusals::refusal_words;
use super::saved::{SavedText, SavedTexts};
use super::search::MoveRequest;
use super::share::to_link;
use super::text::LabText;
use super::words::LabWords;
use crate::rules_link::RulesLink;
use crate::worker::WorkerAnswer;

/// The lab.
#[derive(Debug)]
pub struct Lab {
    words: &'static LabWords,
    text: LabText,
    /// The text as it was opened, to tell whether somebody has changed it.
    opened: String,
    /// What is switched off: families, b-threads and properties.
    off: Vec<String>,
    game: Option<LabGame>,
    controls: Vec<SeatControl>,
    seed: u64,
    notice: Option<String>,
    clicked: Vec<String>,
    knot: Option<usize>,
    proof: ProofState,
    saved: SavedTexts,
    lessons: LessonState,
    shows_states: bool,
    completions: Completions,
    /// The table with these rules, for the person and a friend.
    pub(super) friend: FriendTable,
    /// The link that was opened; nothing of it is left when another text is open.
    pub(super) link: RulesLink,
    /// The move that the worker is asked for.
    pub(super) thinking: Option<MoveRequest>,
    /// The property whose counterexample is on the board.
    pub(super) shown_property: Option<String>,
}

/// What the browser keeps between visits.
#[derive(Clone, Debug, Default)]
pub struct LabStorage {
    /// The saved texts.
    pub saved: Vec<SavedText>,
    /// How far the lessons are.
    pub lessons: LessonProgress,
}

/// How far the proof of the text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofState {
    /// Nothing was asked yet.
    Idle,
    /// The worker is searching.
    Running {
        /// The states so far.
        states: u64,
    },
    /// A person stopped it.
    Stopped,
    /// There is no result, for this reason.
    Failed(String),
    /// The result.
    Done {
        /// What was found out.
        report: ProofReport,
        /// How long it took, in milliseconds.
        time: u64,
    },
}

/// What the browser must do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabEffect {
    /// Ask the worker; whatever it does now is stopped.
    Prove(ProofRequest),
    /// Stop the worker.
    StopProof,
    /// Replace the text in the text area.
    ReplaceText(String),
    /// Select a part of the text, in bytes.
    Select(u32, u32),
    /// Type at the caret of the text, as a person would.
    Type(String),
    /// Move the focus to the element of this id.
    Focus(String),
    /// Put this fragment into the address, and copy the link.
    Share(String),
    /// Offer a file for download: its name, its type and its contents.
    Download(String, &'static str, String),
    /// Offer the picture as PNG.
    DownloadPng(String, String),
    /// Create a table with these rules on the server.
    CreateTable(String),
    /// Read the rules of the table of this id from the server, and the plies of a round if one is named.
    ReadTable(String, Option<u32>),
    /// Let the worker choose a move.
    Choose(MoveRequest),
    /// Say a sentence at the bottom of the page.
    Announce(String),
    /// Keep these texts in the browser.
    Store(Vec<SavedText>),
    /// Keep in the browser how far the lessons are.
    StoreLessons(LessonProgress),
}

/// The number of seeds: few enough to be read aloud.
const SEEDS: u64 = 1_000_000;

/// The most states of a proof in the browser.
const MOST_STATES: u64 = 300_000;

impl Lab {
    /// The lab with the text of a link, or the first example, and with what is saved in the browser.
    #[must_use]
    pub fn open(fragment: &str, seed: u64, kept: LabStorage) -> (Self, Vec<LabEffect>) {
        let words = LabWords::spoken();
        let link = RulesLink::read(fragment);
        let (text, notice) = first_text(fragment, &link, words);
        let mut lab = Self {
            words,
            text: LabText::read(""),
            opened: String::new(),
            off: Vec::new(),
            game: None,
            controls: Vec::new(),
            seed: seed % SEEDS,
            notice: None,
            clicked: Vec::new(),
            knot: None,
            proof: ProofState::Idle,
            saved: SavedTexts::new(kept.saved),
            lessons: LessonState::new(kept.lessons),
            shows_states: false,
            completions: Completions::default(),
            friend: FriendTable::default(),
            link: RulesLink::default(),
            thinking: None,
            shown_property: None,
        };
        let mut effects = lab.open_text(&text);
        effects.extend(notice.map(|notice| LabEffect::Announce(notice.to_owned())));
        match link.table.clone() {
            Some(id) => effects.push(LabEffect::ReadTable(id, link.round)),
            None => effects.extend(lab.follow(&link)),
        }
        lab.link = link;
        (lab, effects)
    }

    pub(super) fn words(&self) -> &'static LabWords {
        self.words
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &LabText {
        &self.text
    }

    /// The game, unless the text has mistakes.
    #[must_use]
    pub fn game(&self) -> Option<&LabGame> {
        self.game.as_ref()
    }

    /// How far the proof is.
    #[must_use]
    pub fn proof(&self) -> &ProofState {
        &self.proof
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    pub(super) fn play_notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    pub(super) fn clicked(&self) -> &[String] {
        &self.clicked
    }

    pub(super) fn knot(&self) -> Option<usize> {
        self.knot
    }

    pub(super) fn saved(&self) -> &SavedTexts {
        &self.saved
    }

    pub(super) fn completions(&self) -> &Completions {
        &self.completions
    }

    pub(super) fn completions_mut(&mut self) -> &mut Completions {
        &mut self.completions
    }

    pub(super) fn shows_states(&self) -> bool {
        self.shows_states
    }

    /// Shows another game.
    pub(super) fn show_game(&mut self, game: LabGame) {
        (self.game, self.notice, self.knot) = (Some(game), None, None);
        self.shown_property = None;
        self.clicked.clear();
    }

    pub(super) fn lessons(&self) -> &LessonState {
        &self.lessons
    }

    pub(super) fn lessons_mut(&mut self) -> &mut LessonState {
        &mut self.lessons
    }

    /// The names of the text that are switched off.
    pub(super) fn switched_off(&self) -> Vec<String> {
        self.text.known(&self.off)
    }

    pub(super) fn saved_mut(&mut self) -> &mut SavedTexts {
        &mut self.saved
    }

    /// Whether a family, a b-thread or a property is switched off.
    #[must_use]
    pub fn is_off(&self, name: &str) -> bool {
        let family = name.split('(').next().unwrap_or(name);
        self.off.iter().any(|off| off == name || off == family)
    }

    pub(super) fn has_strategies(&self, seat: usize) -> bool {
        let controls = self.text.built().map(controls_of).unwrap_or_default();
        controls.get(seat) == Some(&SeatControl::Strategies)
    }

    /// The text with what is switched on.
    pub(super) fn switched(&self) -> Option<BuiltText> {
        let built = self.text.built()?;
        let off = self.text.known(&self.off);
        Some(if off.is_empty() { built.clone() } else { built.without(&off) })
    }

    /// The panels: the id of an element, and the HTML in it.
    #[must_use]
    pub fn panels(&self) -> Vec<(&'static str, String)> {
        let is_changed = self.text.source() != self.opened || !self.off.is_empty();
        let name = notation::escaped(&self.text.name());
        let changed = if is_changed {
            format!(" · <i>{}</i>", self.words.title_changed)
        } else {
            String::new()
        };
        let mut panels = self.headings();
        panels.extend([
            ("text-name", format!("{name}{changed}")),
            ("lesson", self.lesson_panel()),
            ("friend", self.friend_panel()),
            ("colours", self.colours()),
            ("gutter", self.gutter()),
            ("completions", self.completion_panel()),
            ("mistakes", self.mistake_list()),
            ("members", self.thread_list()),
            ("saved", self.saved_panel()),
            ("play", self.play_panel()),
            ("proof", self.proof_panel()),
            ("proof-progress", self.proof_progress()),
            ("weave", self.weave_panel()),
            ("states", self.states_panel()),
        ]);
        panels
    }

    pub(super) fn open_text(&mut self, text: &str) -> Vec<LabEffect> {
        text.clone_into(&mut self.opened);
        self.off.clear();
        self.controls.clear();
        self.lessons.leave();
        self.link = RulesLink::default();
        let mut effects = vec![LabEffect::ReplaceText(text.to_owned())];
        effects.extend(self.change_text(text));
        effects
    }

    /// The text has changed: reads it, starts the game again, and asks what is true.
    pub fn change_text(&mut self, text: &str) -> Vec<LabEffect> {
        self.text = LabText::read(text);
        // A table that is open has other rules now.
        self.friend = FriendTable::None;
        self.completions = Completions::default();
        self.start_over()
    }

    /// Starts the game again, and asks what is true.
    fn start_over(&mut self) -> Vec<LabEffect> {
        self.restart();
        let mut effects = self.prove(ProofAim::Properties);
        effects.extend(self.think());
        effects
    }

    fn restart(&mut self) {
        (self.notice, self.knot, self.shown_property) = (None, None, None);
        self.clicked.clear();
        let Some(text) = self.switched() else {
            self.game = None;
            return;
        };
        let usual = controls_of(&text);
        if self.controls.len() != usual.len() {
            self.controls.clone_from(&usual);
        }
        // A seat whose strategies are all switched off is played by the person.
        let pairs = self.controls.iter().zip(&usual);
        let controls: Vec<SeatControl> = pairs
            .map(|(own, usual)| match (own, usual) {
                (SeatControl::Strategies, SeatControl::Person) => SeatControl::Person,
                (own, _) => *own,
            })
            .collect();
        match LabGame::start(&text, &controls, self.seed) {
            Ok(game) => self.game = Some(game),
            Err(refusal) => {
                (self.game, self.notice) = (None, Some(refusal_words(&refusal, self.words)));
            }
        }
    }

    fn prove(&mut self, aim: ProofAim) -> Vec<LabEffect> {
        if self.text.built().is_none() {
            self.proof = ProofState::Idle;
            return vec![LabEffect::StopProof];
        }
        self.proof = ProofState::Running { states: 0 };
        vec![LabEffect::Prove(ProofRequest {
            text: self.text.source().to_owned(),
            without: self.text.known(&self.off),
            max_states: MOST_STATES,
            aim,
        })]
    }

    /// What the worker says of the last question, `time` milliseconds after it was asked.
    pub fn hear(&mut self, answer: WorkerAnswer, time: u64) -> Vec<LabEffect> {
        self.proof = match answer {
            WorkerAnswer::Progress(states) => ProofState::Running { states },
            WorkerAnswer::Proof(report) => ProofState::Done { report, time },
            WorkerAnswer::Failed(sentence) => ProofState::Failed(sentence),
            WorkerAnswer::Chosen(_) => return Vec::new(),
        };
        self.note_lesson()
    }

    /// There is no worker.
    pub fn hear_nothing(&mut self) {
        self.proof = ProofState::Failed(self.words.no_worker.to_owned());
    }

    /// Does what a person asks for with a button or a menu.
    pub fn act(&mut self, action: &str, value: &str) -> Vec<LabEffect> {
        match action {
            "switch" => {
                match self.off.iter().position(|off| off == value) {
                    Some(place) => drop(self.off.remove(place)),
                    None => self.off.push(value.to_owned()),
                }
                self.start_over()
            }
            "example" => match EXAMPLES.iter().find(|example| example.name == value) {
                Some(example) => self.open_text(example.text),
                None => Vec::new(),
            },
            "open" => self.open_text(value),
            "load" => match self.saved.find(value).map(|saved| saved.text.clone()) {
                Some(text) => self.open_text(&text),
                None => Vec::new(),
            },
            "save" | "rename" | "delete" | "undelete" => self.change_saved(action, value),
            "mistake" => self.select_mistake(value),
            "complete" => self.complete_with(value),
            "format" => self.format(),
            "go-on" => self.go_on(),
            "prove" => self.prove(ProofAim::Properties),
            "purposes" => self.prove(ProofAim::Purposes),
            "stop" => {
                self.proof = ProofState::Stopped;
                vec![LabEffect::StopProof]
            }
            "friend" => self.invite_friend(),
            "friend-close" => {
                self.friend = FriendTable::None;
                vec![LabEffect::Focus("do-friend-".to_owned())]
            }
            "share" => vec![LabEffect::Share(to_link(self.text.source()))],
            "download" => {
                let (name, text) = (self.text.name(), self.text.source().to_owned());
                vec![LabEffect::Download(format!("{name}.cradle"), "text/plain", text)]
            }
            "svg" | "png" => self.export(action),
            lesson if lesson.starts_with("lesson") => self.learn(action, value),
            "thread" => self.show_thread(value),
            _ => {
                self.play(action, value);
                self.think()
            }
        }
    }

    /// Moves in the game.
    fn play(&mut self, action: &str, value: &str) {
        if let "restart" | "seed" = action {
            // Another game has other luck, unless somebody names the seed.
            let next = if action == "seed" { value.trim().parse().ok() } else { None };
            self.seed = next.unwrap_or(self.seed + 1) % SEEDS;
            return self.restart();
        }
        if let Some(seat) = action.strip_prefix("seat-") {
            return self.change_seat(seat, value);
        }
        match action {
            "board" => return self.put_on_board(value),
            "state" => return self.go_to_state(value),
            "states" => {
                self.shows_states = !self.shows_states;
                return;
            }
            _ => {}
        }
        let Some(game) = &mut self.game else { return };
        let (place, words) = (game.place(), self.words);
        self.notice = None;
        self.clicked.clear();
        match action {
            "back" => game.go_to(place.saturating_sub(1)),
            "forward" => game.go_to(place + 1),
            "knot" => {
                self.knot = value.parse().ok();
                game.go_to(self.knot.map_or(place, |knot| knot + 1));
            }
            "step" | "run" | "random" => {
                let pace = if action == "random" { StepPace::Random } else { StepPace::First };
                if action == "run" {
                    game.run_on(pace);
                } else if let Err(refusal) = game.step(pace) {
                    self.notice = Some(refusal_words(&refusal, words));
                }
            }
            "play" => self.notice = self.play_event(value),
            "square" => {
                let (events, notice) = clicked(game, value, words);
                self.notice = notice;
                self.clicked = events;
            }
            _ => {}
        }
    }

    /// Lets an event happen; returns why it does not.
    pub(super) fn play_event(&mut self, name: &str) -> Option<String> {
        let game = self.game.as_mut()?;
        let event = game.text().event_called(name);
        let refusal = event.and_then(|event| game.play(&event)).err()?;
        Some(refusal_words(&refusal, self.words))
    }

    /// Says something below the board.
    pub(super) fn set_notice(&mut self, told: Option<String>) {
        self.notice = told;
    }

    fn change_seat(&mut self, seat: &str, value: &str) {
        let control = match value {
            "strategies" => SeatControl::Strategies,
            "random" => SeatControl::Random,
            "search" => SeatControl::Search,
            _ => SeatControl::Person,
        };
        if let Some(own) = seat.parse().ok().and_then(|seat: usize| self.controls.get_mut(seat)) {
            *own = control;
        }
        self.restart();
    }

    /// Shows the counterexample of a property, from its beginning.
    fn put_on_board(&mut self, property: &str) {
        let ProofState::Done { report, .. } = &self.proof else { return };
        let finding = report.findings.iter().find(|finding| finding.property == property);
        let events = finding.and_then(|finding| finding.events.clone());
        let (Some(events), Some(text)) = (events, self.switched()) else { return };
        if let Ok(game) = LabGame::replay(&text, &events) {
            self.show_game(game);
            self.shown_property = Some(property.to_owned());
        }
    }

    fn select_mistake(&self, number: &str) -> Vec<LabEffect> {
        let number: Option<usize> = number.parse().ok();
        let diagnostic = number.and_then(|number| self.text.diagnostics().get(number));
        let span = diagnostic.map(|diagnostic| diagnostic.span);
        span.map(|span| LabEffect::Select(span.start, span.end)).into_iter().collect()
    }

    fn format(&mut self) -> Vec<LabEffect> {
        match self.text.document().format() {
            Ok(text) => {
                let mut effects = vec![LabEffect::ReplaceText(text.clone())];
                effects.extend(self.change_text(&text));
                effects.push(LabEffect::Announce(self.words.formatted.to_owned()));
                effects
            }
            Err(_) => vec![LabEffect::Announce(self.words.not_formatted.to_owned())],
        }
    }

    fn export(&self, form: &str) -> Vec<LabEffect> {
        let Some(picture) = self.weave_file() else { return Vec::new() };
        let name = format!("{}-weave.{form}", self.text.name());
        vec![match form {
            "svg" => LabEffect::Download(name, "image/svg+xml", picture),
            _ => LabEffect::DownloadPng(name, picture),
        }]
    }
}

/// Plays a click on a square; returns the events that it may mean, if there are several, and why
/// nothing happened.
fn clicked(game: &mut LabGame, square: &str, words: &LabWords) -> (Vec<String>, Option<String>) {
    let picture = game.picture(game.place());
    let cells = picture.and_then(|picture| picture.board).map(|board| board.cells);
    let cell = cells.into_iter().flatten().find(|cell| cell.name == square);
    let Some(cell) = cell else { return (Vec::new(), None) };
    let (possible, all) = game.clicks(&cell.moves);
    match &*possible {
        [event] => {
            let refusal = game.play(event).err();
            (Vec::new(), refusal.map(|refusal| refusal_words(&refusal, words)))
        }
        [] => {
            let movers = game.seats_to_move();
            let seats = game.text().seats();
            // The refusal is that of the seat in turn; after the game, of the first one.
            let turn = seats.iter().position(|seat| movers.iter().any(|mover| mover == seat));
            let per_seat = all.len() / seats.len().max(1);
            let event = all.get(turn.unwrap_or(0) * per_seat).or_else(|| all.first());
            let refusal = event.and_then(|event| game.run().clone().trigger(event).err());
            let told = filled(words.refused, &[("event", &square)]);
            (Vec::new(), Some(refusal.map_or(told, |refusal| refusal_words(&refusal, words))))
        }
        several => (several.iter().map(ToString::to_string).collect(), None),
    }
}
