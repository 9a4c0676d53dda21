//! The curl commands in `docs/server.md`.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::PAGE;
use crate::process::Process;

/// The commands under a heading, one for each line.
fn commands(heading: &str) -> Vec<&'static str> {
    let section = PAGE.split("\n## ").find(|section| section.starts_with(heading));
    let section = section.expect("there is such a heading");
    let blocks = section.split("```").skip(1).step_by(2);
    blocks.flat_map(|block| block.strip_prefix("sh\n").expect("all are commands").lines()).collect()
}

/// A shell that understands the commands of the page.
struct Shell {
    address: String,
    variables: BTreeMap<String, String>,
}

impl Shell {
    /// Runs the commands under a heading and returns the responses.
    fn run_all(&mut self, heading: &str) -> Vec<(u16, Value)> {
        commands(heading).into_iter().filter_map(|line| self.run(line)).collect()
    }

    /// Runs a line and returns the response, if it was a request.
    fn run(&mut self, line: &str) -> Option<(u16, Value)> {
        if let Some((name, command)) = line.split_once("=$(") {
            let (status, body) = self.request(command.split(" | sed").next().expect("it begins"));
            let id = body["id"].as_str().expect("sed finds the id").to_owned();
            self.variables.insert(name.to_owned(), id);
            return Some((status, body));
        }
        if line.starts_with("curl ") {
            return Some(self.request_in_time(line));
        }
        let (name, value) = line.split_once('=').expect("it sets a variable");
        self.variables.insert(name.to_owned(), value.to_owned());
        None
    }

    /// Sends a request, and sends it again while the computer has not answered the move before.
    fn request_in_time(&self, line: &str) -> (u16, Value) {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let (status, body) = self.request(line);
            if body["code"] != "early" || Instant::now() > deadline {
                return (status, body);
            }
            sleep(Duration::from_millis(5));
        }
    }

    /// Sends the request that curl would send.
    fn request(&self, line: &str) -> (u16, Value) {
        let line = self.variables.iter().rev().fold(line.to_owned(), |line, (name, value)| {
            line.replace(&format!("'${name}'"), value).replace(&format!("${name}"), value)
        });
        let path = line.strip_prefix("curl -s http://127.0.0.1:4000").expect("it asks the server");
        let path = path.split(' ').next().expect("there is a path");
        let body = line.split("--json '").nth(1).map(|body| body.trim_end_matches('\''));
        let method = if body.is_some() { "POST" } else { "GET" };
        let bearer = line.split("-H \"").nth(1).and_then(|header| header.split('"').next());
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.address);
        head += &bearer.map(|bearer| format!("{bearer}\r\n")).unwrap_or_default();
        head += "Connection: close\r\nContent-Type: application/json\r\n";
        let body = body.unwrap_or_default();
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("there is a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("there is a status"), serde_json::from_str(body).expect("it is JSON"))
    }
}

#[test]
fn the_game_by_curl_can_be_played_as_written() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let server = Process::start(folder.path());
    let mut shell = Shell { address: server.address.clone(), variables: BTreeMap::new() };
    let answers = shell.run_all("A game by curl");
    let statuses: Vec<u16> = answers.iter().map(|(status, _)| *status).collect();
    assert_eq!(statuses, [201, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200], "{answers:?}");
    let [.., (_, acknowledged), (_, table), (_, log)] = &answers[..] else {
        unreachable!("there are many")
    };
    assert_eq!(acknowledged["version"], 9);
    assert_eq!((&table["view"]["wins"], &table["view"]["round"]), (&[1, 0].into(), &2.into()));
    assert_eq!(log["entries"].as_array().map(Vec::len), Some(6));
    // Acknowledged moves survive a restart.
    assert_eq!(server.stop(), Some(0));
    let again = Process::start(folder.path());
    shell.address.clone_from(&again.address);
    let (_, later) = shell.request("curl -s $BASE/api/tables/$TABLE/log?from=3");
    assert_eq!(&later, log);
}

#[test]
fn the_computer_and_strangers_can_be_met_as_written() {
    let server = Process::start_with(&["--journal", "memory"]);
    let mut shell = Shell { address: server.address.clone(), variables: BTreeMap::new() };
    shell.run_all("A game by curl");
    let answers = shell.run_all("Against the computer");
    let statuses: Vec<u16> = answers.iter().map(|(status, _)| *status).collect();
    assert_eq!(statuses, [201, 200, 200, 200, 200, 200, 200, 200, 200], "{answers:?}");
    let [.., (_, table), (_, next_round)] = &answers[..] else { unreachable!("there are many") };
    assert_eq!(table["view"]["scores"], Value::from([0, 0].as_slice()), "nobody has won");
    assert!(table["entries"].to_string().contains("\"explanation\""), "{table}");
    assert_eq!(next_round["version"], 12);

    let answers = shell.run_all("With strangers");
    let statuses: Vec<u16> = answers.iter().map(|(status, _)| *status).collect();
    assert_eq!(statuses, [200, 200, 201, 200, 200], "{answers:?}");
    let [(_, first), (_, second), (_, created), (_, waiting), _] = &answers[..] else {
        unreachable!("there are five")
    };
    assert_eq!(first["id"], second["id"]);
    assert_eq!(waiting["tables"][0]["id"], created["id"]);
}
