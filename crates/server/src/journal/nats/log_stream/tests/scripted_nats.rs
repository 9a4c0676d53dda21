//! A server of NATS that answers requests as a test tells it.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use game::Seat;
use serde_json::{Value, json};
use table::{Author, Entry, EntryBody};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::task::JoinHandle;

/// What a test expects of a server, and how NATS answers.
#[derive(Clone, Debug)]
pub(super) enum Exchange {
    /// A message is published, and the answer is lost.
    AppendLost,
    /// A message is published: it has this sequence.
    Append(u64),
    /// A message is published, and another one came first.
    AppendConflicts,
    /// A message is published, and another one came first that is not committed yet.
    AppendRaces,
    /// The last message of a log is asked for: it has this sequence and the entries up to this version.
    Last(u64, u64),
    /// The same, however often it is asked for.
    LastAlways(u64, u64),
    /// The last message of a log is asked for: it is the one that was published last, with this sequence.
    LastIsOurs(u64),
    /// The last message of a log is asked for, and no server leads.
    LastFails,
}

/// A message that was published.
#[derive(Debug, Default)]
struct PublishedMessage {
    headers: Vec<u8>,
    payload: Vec<u8>,
}

/// A server of NATS for one client.
#[derive(Debug)]
pub(super) struct ScriptedNats {
    pub(super) address: SocketAddr,
    serving: JoinHandle<VecDeque<Exchange>>,
}

impl ScriptedNats {
    pub(super) async fn start(script: &[Exchange]) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let (address, script) = (listener.local_addr().unwrap(), script.iter().cloned().collect());
        let serving = tokio::spawn(async move {
            let (socket, _) = listener.accept().await.unwrap();
            let (read, write) = socket.into_split();
            serve(BufReader::new(read), write, script).await
        });
        Self { address, serving }
    }

    /// Ends it, so that its client has no connection.
    pub(super) fn stop(self) {
        self.serving.abort();
    }

    /// What was expected and did not happen, after the client has gone.
    pub(super) async fn rest(self) -> VecDeque<Exchange> {
        self.serving.await.unwrap()
    }
}

async fn serve(
    mut read: BufReader<OwnedReadHalf>,
    mut write: OwnedWriteHalf,
    mut script: VecDeque<Exchange>,
) -> VecDeque<Exchange> {
    let info = json!({
        "server_id": "scripted", "server_name": "scripted", "version": "2.15.1", "headers": true,
        "host": "127.0.0.1", "port": 1, "max_payload": 1_048_576, "proto": 1, "go": "",
        "client_id": 1, "client_ip": "127.0.0.1",
    });
    write.write_all(format!("INFO {info}\r\n").as_bytes()).await.unwrap();
    let (mut line, mut subscription, mut last) =
        (String::new(), String::new(), PublishedMessage::default());
    while read.read_line(&mut line).await.unwrap_or_default() > 0 {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["PING"] => write.write_all(b"PONG\r\n").await.unwrap(),
            ["SUB", _, number] => number.clone_into(&mut subscription),
            ["PUB", subject, reply, length] => {
                let payload = body(&mut read, length).await;
                assert!(subject.starts_with("$JS.API.STREAM.MSG.GET."), "{subject} {payload:?}");
                let answer = answer(&mut script, &last);
                send(&mut write, (reply, &subscription), answer).await;
            }
            ["HPUB", _, reply, headers, length] => {
                let mut headers_and_payload = body(&mut read, length).await;
                let payload = headers_and_payload.split_off(headers.parse().unwrap());
                last = PublishedMessage { headers: headers_and_payload, payload };
                let answer = answer(&mut script, &last);
                send(&mut write, (reply, &subscription), answer).await;
            }
            _ => {}
        }
        line.clear();
    }
    script
}

async fn body(read: &mut BufReader<OwnedReadHalf>, length: &str) -> Vec<u8> {
    let mut body = vec![0; length.parse::<usize>().unwrap() + 2];
    read.read_exact(&mut body).await.unwrap();
    body.truncate(body.len() - 2);
    body
}

async fn send(
    write: &mut OwnedWriteHalf,
    (reply, subscription): (&str, &str),
    answer: Option<Value>,
) {
    let Some(answer) = answer else { return };
    let answer = answer.to_string();
    let frame = format!("MSG {reply} {subscription} {}\r\n{answer}\r\n", answer.len());
    write.write_all(frame.as_bytes()).await.unwrap();
}

fn answer(script: &mut VecDeque<Exchange>, last: &PublishedMessage) -> Option<Value> {
    let message = |sequence: u64, headers: &[u8], payload: &[u8]| {
        let (headers, payload) = (STANDARD.encode(headers), STANDARD.encode(payload));
        let message =
            json!({ "subject": "c.log.00.x", "seq": sequence, "hdrs": headers, "data": payload });
        Some(json!({ "message": message }))
    };
    let exchange = script.pop_front().expect("the test expects this request");
    if let Exchange::LastAlways(..) = exchange {
        script.push_front(exchange.clone());
    }
    match exchange {
        Exchange::AppendLost => None,
        Exchange::Append(sequence) => Some(json!({ "stream": "c_logs", "seq": sequence })),
        Exchange::AppendConflicts => Some(refused(400, 10_071, "wrong last sequence")),
        Exchange::AppendRaces => Some(refused(400, 10_164, "wrong last sequence")),
        Exchange::Last(sequence, version) | Exchange::LastAlways(sequence, version) => {
            let headers = format!(
                "NATS/1.0\r\nNats-Msg-Id: another\r\nCradle-Versions: {version}-{version}\r\n\
                 Cradle-Bytes: 10\r\nCradle-Begin: 0\r\n\r\n"
            );
            message(sequence, headers.as_bytes(), entry(version).write().as_bytes())
        }
        Exchange::LastIsOurs(sequence) => message(sequence, &last.headers, &last.payload),
        Exchange::LastFails => Some(refused(503, 10_008, "no leader")),
    }
}

fn refused(status: u16, code: u64, why: &str) -> Value {
    json!({ "error": { "code": status, "err_code": code, "description": why } })
}

/// An entry with a version.
pub(super) fn entry(version: u64) -> Entry {
    Entry::new(version, version, Author::Table, EntryBody::Left { seat: Seat::FIRST })
}
