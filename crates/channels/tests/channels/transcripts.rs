//! Recorded conversations of the unmodified `phoenix` client with a real Phoenix server. Our server
//! answers the frames of the real client, and our client those of the real server.

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

/// The lines that begin with a word, without that word.
fn lines<'a>(transcript: &'a str, word: &str) -> Vec<&'a str> {
    transcript.lines().filter_map(|line| line.strip_prefix(word)).collect()
}

/// The application behind the real server: it grants seats, and accepts moves only on `game:g3`.
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
                    let effects =
                        self.server.answer(channel, answer).expect("the join waits for an answer");
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
fn a_different_answer_fails_the_comparison() {
    check_server(&WEBSOCKET.replace("unmatched topic", "unknown topic"));
}

#[test]
fn every_recorded_frame_survives_a_round_trip() {
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

/// Our client, which repeats the actions of the real one.
///
/// The real client skips numbers (each channel takes two for callbacks on the socket, and a push
/// that waits takes one more), so refs are translated.
struct ReplayedClient {
    client: Client,
    now: u64,
    channels: BTreeMap<ShortText, ClientChannel>,
    ours: BTreeMap<ShortText, ShortText>,
    sent: VecDeque<Frame>,
    effects: Vec<String>,
}

impl ReplayedClient {
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
            effects: Vec::new(),
        }
    }

    fn follow(&mut self, effects: Vec<ClientEffect>) {
        for effect in effects {
            match effect {
                ClientEffect::Send(frame) => self.sent.push_back(frame),
                other => self.effects.push(client_lines(&[other])),
            }
        }
    }

    /// Makes our client send this frame. `next` is the frame that the real client sent after it.
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
            self.now = self.client.deadline().expect("a heartbeat is due");
            let effects = self.client.tick(self.now);
            self.follow(effects);
        }
    }

    fn join(&mut self, topic: ShortText, payload: Json) -> Vec<ClientEffect> {
        let joined = self.client.join(topic.clone(), payload, self.now);
        let (channel, effects) = joined.expect("the client is below its limit");
        self.channels.insert(topic, channel);
        effects
    }

    /// Compares our first unchecked frame with the frame of the real client, apart from numbers.
    fn check_sent(&mut self, theirs: &Frame) {
        let sent = self.sent.pop_front().expect("our client also sends a frame");
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

    fn check_effect(&self, words: &[&str]) {
        assert!(
            words.iter().any(|word| self.effects.iter().any(|effect| effect == word)),
            "{words:?}"
        );
    }
}

fn event_of(frame: &Frame) -> &str {
    match &frame.body {
        FrameBody::Event { event, .. } => event.as_str(),
        FrameBody::Reply { .. } => "phx_reply",
    }
}

fn check_client(transcript: &str) -> Vec<String> {
    let mut replayed = ReplayedClient::new(Some(30_000));
    let opened = replayed.client.opened(0);
    replayed.follow(opened);
    let sent: Vec<Frame> = lines(transcript, "-> ").into_iter().map(frame).collect();
    let mut next = sent.iter().peekable();
    for line in transcript.lines() {
        if line.starts_with("-> ") {
            let theirs = next.next().expect("every line has a frame");
            if replayed.sent.is_empty() {
                replayed.act(theirs, next.peek().copied());
            }
            replayed.check_sent(theirs);
        } else if let Some(message) = line.strip_prefix("<- ") {
            replayed.receive(frame(message));
        } else if let Some(response) = line.strip_prefix("JOIN OK ") {
            replayed.check_effect(&[&format!("joined {response}")]);
        } else if let Some(response) = line.strip_prefix("ERR ") {
            let (replied, refused) =
                (format!("replied error {response}"), format!("refused {response}"));
            replayed.check_effect(&[&replied, &refused]);
        } else if line == "LEFT" {
            replayed.check_effect(&["closed"]);
        }
    }
    assert!(replayed.sent.is_empty(), "our client sends no more than the real one");
    replayed.effects
}

#[test]
fn our_client_sends_the_same_frames_to_phoenix_as_the_real_one() {
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
    let effects = check_client(parts().0);
    assert_eq!(effects, [r#"joined {"seat":0}"#, "closed", r#"joined {"seat":1}"#, "closed"]);
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
