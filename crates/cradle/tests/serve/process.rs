//! `cradle serve` as a process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A server that ends with the test.
pub(crate) struct Process {
    child: Child,
    /// Its standard output, if it is a pipe to the test.
    out: Option<BufReader<ChildStdout>>,
    /// Its address, as in `127.0.0.1:4000`.
    pub(crate) address: String,
}

impl Process {
    /// Starts a server with its journal in a folder.
    pub(crate) fn start(data: &Path) -> Self {
        Self::start_logging(data, "warn", Stdio::inherit())
    }

    /// Starts a server with this log level and this output for its log.
    pub(crate) fn start_logging(data: &Path, level: &str, log: impl Into<Stdio>) -> Self {
        let mut command = serve(data, "127.0.0.1:0", level);
        command.stderr(log);
        Self::spawn(command)
    }

    /// Starts a server with these flags.
    pub(crate) fn start_with(given: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "warn"]).args(given);
        Self::spawn(command)
    }

    /// Runs the command and reads the address that it prints.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the command can be run");
        let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        out.read_line(&mut line).expect("it prints its address");
        let address =
            line.trim().rsplit("//").next().expect("the line ends with an address").to_owned();
        Self { child, out: Some(out), address }
    }

    /// Starts a server with this standard output, and waits until it listens.
    pub(crate) fn start_with_output(data: &Path, out: impl Into<Stdio>) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let address = free.expect("a port is free").to_string();
        let mut command = serve(data, &address, "warn");
        let child = command.stdout(out).spawn().expect("the command can be run");
        let mut process = Self { child, out: None, address };
        while TcpStream::connect(&process.address).is_err() {
            assert_eq!(process.child.try_wait().expect("it is ours"), None, "it has ended");
            std::thread::sleep(Duration::from_millis(5));
        }
        process
    }

    /// The status of its response to a GET request; `None` if there is no response.
    pub(crate) fn status_of(&self, path: &str) -> Option<u16> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n").ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        answer.split(' ').nth(1)?.parse().ok()
    }

    /// Stops the server with SIGTERM and returns its exit code.
    pub(crate) fn stop(mut self) -> Option<i32> {
        self.end()
    }

    /// Stops the server and returns the last line that it printed.
    pub(crate) fn goodbye(mut self) -> String {
        assert_eq!(self.end(), Some(0));
        let mut printed = String::new();
        let out = self.out.as_mut().expect("it is piped");
        out.read_to_string(&mut printed).expect("it prints text");
        printed.lines().last().expect("it prints something").to_owned()
    }

    fn end(&mut self) -> Option<i32> {
        self.signal("TERM");
        self.child.wait().expect("it ends").code()
    }

    /// Sends a signal, as in `HUP`.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &id]).status();
        assert!(sent.expect("there is a kill").success());
    }

    /// Waits until the server has ended; returns its exit code and the rest of what it printed.
    pub(crate) fn ended(mut self) -> (Option<i32>, String) {
        let mut printed = String::new();
        let out = self.out.as_mut().expect("it is piped");
        out.read_to_string(&mut printed).expect("it prints text");
        (self.child.wait().expect("it ends").code(), printed)
    }

    /// The response to a request with this method, path and body; empty if there is none.
    pub(crate) fn request(&self, method: &str, path: &str, body: &str) -> String {
        self.request_with(method, path, "", body)
    }

    /// The same with more headers, each with the end of its line.
    pub(crate) fn request_with(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> String {
        let Ok(mut stream) = TcpStream::connect(&self.address) else { return String::new() };
        drop(stream.set_read_timeout(Some(Duration::from_secs(10))));
        let host = &self.address;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             {headers}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut answer = String::new();
        // A server that ends may close the connection at any time.
        drop(
            stream.write_all(request.as_bytes()).and_then(|()| stream.read_to_string(&mut answer)),
        );
        answer
    }

    /// Waits until a condition holds.
    pub(crate) fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let end = std::time::Instant::now() + Duration::from_secs(30);
        while !is_so(self) {
            assert!(std::time::Instant::now() < end, "this never happens: {what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn serve(data: &Path, listen: &str, level: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
    command.args(["serve", "--listen", listen, "--log", level, "--data"]).arg(data);
    command
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// What the command prints.
pub(crate) fn cradle(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_cradle")).args(arguments).output();
    let output = output.expect("the command can be run");
    let text = |bytes| String::from_utf8(bytes).expect("it is text");
    assert!(output.status.success(), "{}", text(output.stdout) + &text(output.stderr));
    text(output.stdout)
}
