//! A server with an admin listener, and tables on it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// A server that ends with the test.
pub(crate) struct JournalServer {
    child: Child,
    address: String,
    /// The address of the admin listener, with its scheme.
    pub(crate) admin: String,
    pub(crate) token_file: PathBuf,
}

/// A table with two players.
#[derive(Clone)]
pub(crate) struct PlayedTable {
    pub(crate) id: String,
    pub(crate) code: String,
    tokens: [String; 2],
    /// The number of moves that were made.
    pub(crate) ply: usize,
}

/// A drawn game.
const MOVES: [&str; 9] = ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"];

impl JournalServer {
    pub(crate) fn start(data: &Path) -> Self {
        Self::with(data, &[])
    }

    /// A server with other flags as well.
    pub(crate) fn with(data: &Path, flags: &[&str]) -> Self {
        let token_file = data.join("admin-token");
        let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"]);
        command.args(["--log", "warn", "--limit", "tables_at_once=100000"]);
        command.args(["--limit", "requests_at_once=1000000", "--data"]).arg(data);
        command.arg("--admin-token-file").arg(&token_file).args(flags);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the command can be run");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let mut line = || lines.next().expect("it prints lines").expect("it prints text");
        let address = line().rsplit("//").next().expect("a line has an end").to_owned();
        let operators = line();
        let (admin, _) = operators
            .strip_prefix("Operators use ")
            .and_then(|rest| rest.split_once(' '))
            .expect("it says where operators connect");
        Self { child, address, admin: admin.to_owned(), token_file }
    }

    /// Stops the server as an operator does.
    pub(crate) fn stop(mut self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.expect("there is a kill").success());
        assert!(self.child.wait().expect("it ends").success());
    }

    /// Sends a request; returns the status and the body.
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        token: &str,
        body: Option<&Value>,
    ) -> (u16, Value) {
        let body = body.map(Value::to_string).unwrap_or_default();
        let token = if token.is_empty() {
            String::new()
        } else {
            format!("Authorization: Bearer {token}\r\n")
        };
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a socket has timeouts");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{token}\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .expect("the server reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the server answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer has a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("a status is a number"), serde_json::from_str(body).unwrap_or_default())
    }

    /// A table of a game with two players.
    pub(crate) fn table(&self, game: &str) -> PlayedTable {
        let text = |value: &Value| value.as_str().expect("the value is a string").to_owned();
        let wanted = json!({"game": game, "name": "Ada"});
        let (status, created) = self.ask("POST", "/api/tables", "", Some(&wanted));
        assert_eq!(status, 201, "{created}");
        let id = text(&created["id"]);
        let joined = json!({"name": "Bob"});
        let (_, second) = self.ask("POST", &format!("/api/tables/{id}/seats"), "", Some(&joined));
        let tokens = [text(&created["token"]), text(&second["token"])];
        PlayedTable { id, code: text(&created["code"]), tokens, ply: 0 }
    }

    /// A table of tic-tac-toe at which some moves were made.
    pub(crate) fn played(&self, moves: usize) -> PlayedTable {
        let mut table = self.table("tic-tac-toe");
        for _ in 0..moves {
            assert_eq!(self.play(&mut table), 200);
        }
        table
    }

    /// Makes the next move; returns the status.
    pub(crate) fn play(&self, table: &mut PlayedTable) -> u16 {
        let ply = table.ply;
        let action = json!({"id": format!("test:{ply}"), "action": "play", "round": 1, "ply": ply,
            "move": MOVES[ply]});
        let path = format!("/api/tables/{}/actions", table.id);
        let (status, _) = self.ask("POST", &path, &table.tokens[ply % 2], Some(&action));
        table.ply += usize::from(status == 200);
        status
    }

    /// The number of entries of a table that clients see; none if there is no such table.
    pub(crate) fn version(&self, table: &PlayedTable) -> Option<u64> {
        let (status, page) = self.ask("GET", &format!("/api/tables/{}/log", table.id), "", None);
        assert!(status == 200 || page["code"] == "no_table", "{page}");
        page["version"].as_u64()
    }
}

impl PlayedTable {
    /// The number of entries: the table was created, two players came, and the moves.
    pub(crate) const fn entries(&self) -> u64 {
        3 + self.ply as u64
    }
}

impl Drop for JournalServer {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
