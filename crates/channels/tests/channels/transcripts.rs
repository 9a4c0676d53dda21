//! What the unmodified `phoenix` client and a real Phoenix server said to each other, said again
//! by our ends: our server to the real client's words, our client to the real server's.

use std::collections::{BTreeMap, VecDeque};

use channels::{
    Backoff, Client, ClientChannel, ClientEffect, ClientMessage, ClientSettings, Frame, FrameBody,
    FrameLimits, JoinAnswer, Json, PollAnswer, PollSession, PollSettings, PollToken, ReplyStatus,
    Server, ServerEffect, ServerSettings, ShortText, decode_post,
};

use crate::wire::{client_lines, frame, json, label, text};

const WEBSOCKET: &str = include_str!("../data/phoenix-channels-websocket.txt");
const LONGPOLL: &str = include_str!("../data/phoenix-channels-longpoll.txt");

/// The two parts of the second transcript: a WebSocket on which a topic is joined twice, and a
/// long poll.
fn parts() -> (&'static str, &'static str) {
    LONGPOLL.split_once("--- longpoll\n").expect("the transcript has two parts")
}

/// The lines that begin with a word, without it.
fn lines<'a>(transcript: &'a str, word: &str) -> Vec<&'a str> {
    transcript.lines().filter_map(|line| line.strip_prefix(word)).collect()
}

/// The application behind the real server: seats are granted, moves are made on `game:g3` only.
struct Application {
    server: Server,
    sent: Vec<String>,
}

impl Application {
    fn new() -> Self {
        Self { server: Server::new(ServerSettings::default(), 0), sent: Vec::new() }
    }

    fn receive(&mut self, frame: Frame) {
        let topic = frame.topic.clone();
        let effects = self.server.receive(frame, 0);
        self.perform(effects, &topic);
    }

    fn perform(&mut self, effects: Vec<ServerEffect>, on: &ShortText) {
        for effect in effects {
            match effect {
                ServerEffect::Send(frame) => self.sent.push(text(&frame)),
                ServerEffect::Join { channel, topic, payload } => {
                    let is_known = topic.as_str().starts_with("game:");
                    let welcome = JoinAnswer::Welcome(payload);
                    let answer = if is_known { welcome } else { JoinAnswer::UnknownTopic };
                    let effects = self.server.answer(channel, answer).expect("it was asked");
                    self.perform(effects, on);
                }
                ServerEffect::Push { channel, event, .. } if event == "crash" => {
                    let effects = self.server.fail(channel).expect("the channel is joined");
                    self.perform(effects, on);
                }
                ServerEffect::Push { reply_to, .. } => {
                    let (status, response) = self.play(on);
                    let reply_to = reply_to.expect("the real client numbers its frames");
                    let reply = self.server.reply(reply_to, status, response);
                    self.perform(reply.expect("the channel is joined"), on);
                }
                ServerEffect::Left { .. } | ServerEffect::Disconnect => {}
            }
        }
    }

    fn play(&mut self, on: &ShortText) -> (ReplyStatus, Json) {
        if *on != "game:g3" {
            return (ReplyStatus::Error, json(r#"{"reason":"not_your_turn"}"#));
        }
        let board = r#"{"board":[-1,0,-1,-1,-1,-1,-1,-1,-1],"status":"playing","turn":1}"#;
        assert!(self.server.has_joined(on.as_str()));
        self.sent.push(text(&Frame::broadcast(on.clone(), label("state"), json(board))));
        (ReplyStatus::Ok, Json::empty())
    }
}

fn check_server(transcript: &str) {
    let mut application = Application::new();
    for line in lines(transcript, "-> ") {
        application.receive(frame(line));
    }
    assert_eq!(application.sent, lines(transcript, "<- "));
}

#[test]
fn our_server_answers_the_real_client_as_phoenix_does() {
    check_server(WEBSOCKET);
}

#[test]
fn our_server_closes_a_topic_that_the_real_client_joins_twice_as_phoenix_does() {
    check_server(parts().0);
}

#[test]
#[should_panic(expected = "left == right")]
fn an_answer_that_differs_is_noticed() {
    check_server(&WEBSOCKET.replace("unmatched topic", "unknown topic"));
}

#[test]
fn every_frame_of_the_real_ends_is_written_as_it_was() {
    let mut count = 0;
    for line in [WEBSOCKET, LONGPOLL].into_iter().flat_map(str::lines) {
        let message = line.strip_prefix("-> ").or_else(|| line.strip_prefix("<- "));
        if let Some(message) = message {
            assert_eq!(text(&frame(message)), message);
            count += 1;
        }
    }
    assert_eq!(count, 32);
}

/// Our client, told to do what the real one did.
///
/// The real one skips numbers (each of its channels takes two for callbacks on the socket, and a
/// push that waits takes one more), so refs are translated.
struct Page {
    client: Client,
    now: u64,
    channels: BTreeMap<ShortText, ClientChannel>,
    ours: BTreeMap<ShortText, ShortText>,
    sent: VecDeque<Frame>,
    told: Vec<String>,
}

impl Page {
    fn new(heartbeat: Option<u64>) -> Self {
        // The transcript ends before the real client would join a broken channel again.
        let rejoin = Backoff::new([], 1_000_000);
        let mut client =
            Client::new(ClientSettings { heartbeat, rejoin, ..ClientSettings::default() });
        client.connect();
        Self {
            client,
            now: 0,
            channels: BTreeMap::new(),
            ours: BTreeMap::new(),
            sent: VecDeque::new(),
            told: Vec::new(),
        }
    }

    fn follow(&mut self, effects: Vec<ClientEffect>) {
        for effect in effects {
            match effect {
                ClientEffect::Send(frame) => self.sent.push_back(frame),
                told => self.told.push(client_lines(&[told])),
            }
        }
    }

    /// Does what makes a client send this frame; `next` is the frame that the real one sent then.
    fn act(&mut self, theirs: &Frame, next: Option<&Frame>) {
        let FrameBody::Event { event, payload } = &theirs.body else { return };
        let topic = theirs.topic.clone();
        let joins_again = next.filter(|next| next.topic == topic && event_of(next) == "phx_join");
        let effects = match (event.as_str(), joins_again) {
            ("heartbeat", _) => return self.wait_for_frame(),
            ("phx_join", _) => self.join(topic, payload.clone()),
            ("phx_leave", Some(next)) => {
                let FrameBody::Event { payload, .. } = &next.body else { return };
                self.join(topic, payload.clone())
            }
            ("phx_leave", None) => {
                let left = self.client.leave(self.channels[&topic], self.now);
                left.expect("the channel is there")
            }
            _ => {
                let channel = self.channels[&topic];
                let pushed = self.client.push(channel, event.clone(), payload.clone(), self.now);
                pushed.expect("the channel is there").1
            }
        };
        self.follow(effects);
    }

    fn wait_for_frame(&mut self) {
        while self.sent.is_empty() {
            self.now = self.client.deadline().expect("the heart beats");
            let effects = self.client.tick(self.now);
            self.follow(effects);
        }
    }

    fn join(&mut self, topic: ShortText, payload: Json) -> Vec<ClientEffect> {
        let joined = self.client.join(topic.clone(), payload, self.now);
        let (channel, effects) = joined.expect("there is room");
        self.channels.insert(topic, channel);
        effects
    }

    /// Compares what was sent first with what the real client sent, but for the numbers.
    fn check_sent(&mut self, theirs: &Frame) {
        let sent = self.sent.pop_front().expect("our client sends a frame, too");
        if let (Some(theirs), Some(ours)) = (&theirs.reference, &sent.reference) {
            self.ours.insert(theirs.clone(), ours.clone());
        }
        assert_eq!(text(&sent), text(&self.in_our_numbers(theirs.clone())));
    }

    fn in_our_numbers(&self, mut frame: Frame) -> Frame {
        for number in [&mut frame.join_ref, &mut frame.reference].into_iter().flatten() {
            *number = self.ours[number].clone();
        }
        frame
    }

    fn receive(&mut self, theirs: Frame) {
        let effects = self.client.receive(self.in_our_numbers(theirs), self.now);
        self.follow(effects);
    }

    fn check_told(&self, words: &[&str]) {
        assert!(words.iter().any(|word| self.told.iter().any(|told| told == word)), "{words:?}");
    }
}

fn event_of(frame: &Frame) -> &str {
    match &frame.body {
        FrameBody::Event { event, .. } => event.as_str(),
        FrameBody::Reply { .. } => "phx_reply",
    }
}

fn check_client(transcript: &str) -> Vec<String> {
    let mut page = Page::new(Some(30_000));
    let opened = page.client.opened(0);
    page.follow(opened);
    let sent: Vec<Frame> = lines(transcript, "-> ").into_iter().map(frame).collect();
    let mut next = sent.iter().peekable();
    for line in transcript.lines() {
        if line.starts_with("-> ") {
            let theirs = next.next().expect("there are as many frames as lines");
            if page.sent.is_empty() {
                page.act(theirs, next.peek().copied());
            }
            page.check_sent(theirs);
        } else if let Some(message) = line.strip_prefix("<- ") {
            page.receive(frame(message));
        } else if let Some(response) = line.strip_prefix("JOIN OK ") {
            page.check_told(&[&format!("joined {response}")]);
        } else if let Some(response) = line.strip_prefix("ERR ") {
            let (replied, refused) =
                (format!("replied error {response}"), format!("refused {response}"));
            page.check_told(&[&replied, &refused]);
        } else if line == "LEFT" {
            page.check_told(&["closed"]);
        }
    }
    assert!(page.sent.is_empty(), "our client sends no more than the real one");
    page.told
}

#[test]
fn our_client_talks_to_phoenix_as_the_real_one_does() {
    assert_eq!(
        check_client(WEBSOCKET),
        [
            r#"joined {"seat":0}"#,
            r#"replied error {"reason":"not_your_turn"}"#,
            r#"replied error {"reason":"not_your_turn"}"#,
            "failed",
            "timed out",
            r#"refused {"reason":"unmatched topic"}"#,
            "closed",
            "closed",
        ]
    );
}

#[test]
fn our_client_joins_a_topic_twice_as_the_real_one_does() {
    let told = check_client(parts().0);
    assert_eq!(told, [r#"joined {"seat":0}"#, "closed", r#"joined {"seat":1}"#, "closed"]);
}

/// A line `REQ POST http://HOST/socket/longpoll?vsn=2.0.0&token=<T> {...} body`.
struct Request<'a> {
    is_post: bool,
    has_token: bool,
    body: &'a str,
}

fn request(line: &str) -> Option<Request<'_>> {
    let line = line.strip_prefix("REQ ")?;
    let (head, body) = line.split_once("\"} ").expect("the headers come before the body");
    let has_token = head.contains("token=<T>");
    Some(Request { is_post: head.starts_with("POST"), has_token, body })
}

#[test]
fn our_server_answers_the_real_long_poll_as_phoenix_does() {
    let mut application = Application::new();
    let mut session: Option<PollSession> = None;
    let mut answers = Vec::new();
    for request in parts().1.lines().filter_map(request) {
        if request.is_post {
            for message in decode_post(request.body, &FrameLimits::default()).unwrap() {
                let ClientMessage::Frame(frame) = message else { panic!("{message:?}") };
                application.receive(frame);
            }
            answers.push(PollAnswer::accepted().encode());
        } else if !request.has_token {
            let (opened, answer) =
                PollSession::open(PollSettings::default(), PollToken::new("<T>"), 0);
            session = Some(opened);
            answers.push(answer.encode());
            continue;
        }
        let session = session.as_mut().expect("the first request opens a session");
        if !request.is_post {
            session.poll(0);
        }
        for text in application.sent.drain(..) {
            session.send(text).unwrap();
        }
        answers.extend(session.flush().map(|answer| answer.encode()));
    }
    assert_eq!(answers, lines(parts().1, "RES 200 "));
}
