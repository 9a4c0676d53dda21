//! The help of the command.

use std::io::pipe;
use std::process::{Command, Output};

use expect_test::{Expect, expect};

fn cradle(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
    let output = command.args(arguments).output().expect("the command can be run");
    let Output { status, stdout, stderr } = output;
    let text = |bytes| String::from_utf8(bytes).expect("the command speaks text");
    (status.code(), text(stdout), text(stderr))
}

fn check(arguments: &[&str], expected: &Expect) {
    let (code, out, err) = cradle(arguments);
    expected.assert_eq(&out);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
}

#[test]
fn the_help_lists_the_subcommands() {
    check(
        &["--help"],
        &expect![[r#"
            Turn-based games whose rules are b-threads: small behaviours that request,
            wait for and block events

            Usage: cradle <COMMAND>

            Commands:
              games       List the games
              play        Play a game against the computer, or against somebody beside you
              match       Let players play one game
              replay      Show a match again
              tournament  Let players play many games, and measure how well they play
              analyze     Tell what a position is worth, and each of its moves
              perft       Count all sequences of moves
              serve       Host tables for people on other machines
              journal     Look after the tables that a server keeps
              verify      Prove what must hold in a game, or show the game that breaks it
              run         Run a b-program, event by event
              draw        Draw the states of a text, or one of its runs, as SVG
              check       Tell what is wrong with a game or a program in a file
              fmt         Write games and programs in files in one form
              lsp         Answer an editor about games and programs as text
              help        Print this message or the help of the given subcommand(s)

            Options:
              -h, --help     Print help
              -V, --version  Print version

            Exit codes: 0 fine, 1 the answer is no, 2 wrong usage, 3 cut short (by a limit,
            Ctrl-C, or a disk or terminal that failed).
        "#]],
    );
}

#[test]
fn journal_has_a_help() {
    check(
        &["journal", "--help"],
        &expect![[r#"
            Look after the tables that a server keeps

            Works on the folder of a server that does not run, or with --server through
            the admin listener of one that runs (cradle serve --admin 127.0.0.1:4001).

            Usage: cradle journal [OPTIONS] <COMMAND>

            Commands:
              list     List the tables, in the order of their ids
              show     Show one table: its players, its board and its log
              export   Write tables as lines of JSON, which cradle journal copy reads
              delete   Delete tables for good: log, code and all
              verify   Check every log, and the directory against the logs
              copy     Copy a whole journal into NATS or a new folder that only you can read
              compact  Return the space of deleted tables to the disk
              help     Print this message or the help of the given subcommand(s)

            Options:
                  --data <FOLDER>
                      The folder of the journal [env: CRADLE_DATA]
                      
                      [default: cats-cradle in your data folder]

                  --server <URL>
                      The admin listener of a running server
                      
                      As in `http://127.0.0.1:4001`.

                  --token-file <FILE>
                      The file of its token
                      
                      [default: admin-token in the folder of the journal]

              -h, --help
                      Print help (see a summary with '-h')
        "#]],
    );
}

#[test]
fn deleting_has_a_help() {
    check(
        &["journal", "delete", "-h"],
        &expect![[r#"
            Delete tables for good: log, code and all

            Usage: cradle journal delete [OPTIONS] [IDS]...

            Arguments:
              [IDS]...  The ids of the tables

            Options:
                  --data <FOLDER>      The folder of the journal [env: CRADLE_DATA]
                  --game <GAME>        Only tables of this game, as mnk or mnk:6,5,4
                  --server <URL>       The admin listener of a running server
                  --status <STATUS>    Only tables that are waiting, playing or idle
                  --older-than <TIME>  Only tables untouched for as long as 90d, 36h or 90m
                  --token-file <FILE>  The file of its token
                  --yes                Do not ask whether to delete
                  --json               Print one JSON object
              -h, --help               Print help (see more with '--help')
        "#]],
    );
}

#[test]
fn verify_has_a_short_help() {
    check(
        &["verify", "-h"],
        &expect![[r#"
            Prove what must hold in a game, or show the game that breaks it

            Usage: cradle verify [OPTIONS] <GAME> [NAME=NUMBER]...

            Arguments:
              <GAME>            The game to verify, or a file that ends in .cradle
              [NAME=NUMBER]...  Values for parameters of a text, as in n=9

            Options:
                  --without <THREAD>  Remove a b-thread or a family of them (repeatable)
                  --seat <SEAT=HOW>   How a seat plays: by bthreads or any move (repeatable)
                  --property <NAME>   Check this, not the usual requirements (repeatable)
                  --fair              Assume that no hot request is passed over for ever
                  --all               Search on after a violation, and count all of them
                  --each              Tell what goes wrong without each b-thread, as a table
                  --json              Answer with one JSON object
                  --dot <FILE>        Draw the states for Graphviz; - is standard output
                  --mermaid <FILE>    Draw the states for Mermaid; - is standard output
                  --graph-states <N>  Draw N states, and those of traces [default: 500]
                  --max-states <N>    Find at most N states, and stop if there are more
                  --threads <N>       Search with N threads [default: one for each core]
              -h, --help              Print help (see more with '--help')

            Exit codes: 0 it holds, 1 something is violated, 2 wrong usage, 3 cut short.
        "#]],
    );
}

#[test]
fn verify_has_a_long_help() {
    let (code, out, _) = cradle(&["verify", "--help"]);
    assert_eq!(code, Some(0));
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    for words in ["see `cradle games`", "no-hot-end", "3  cut short", "Examples:"] {
        assert!(out.contains(words), "{words} is missing in\n{out}");
    }
}

#[test]
fn every_subcommand_has_help_that_fits_on_a_terminal() {
    for command in ["games", "play", "match", "replay", "perft", "verify"] {
        for help in ["-h", "--help"] {
            let (code, out, err) = cradle(&[command, help]);
            assert_eq!((code, err.as_str()), (Some(0), ""), "{command}");
            assert!(out.contains(&format!("Usage: cradle {command}")), "{out}");
            assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
        }
    }
}

#[test]
fn without_arguments_the_help_is_shown_as_wrong_usage() {
    let (code, out, err) = cradle(&[]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(err, cradle(&["--help"]).1);
}

#[test]
fn an_unknown_command_is_wrong_usage() {
    let (code, out, err) = cradle(&["verfy", "tic-tac-toe"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("'verify'"), "{err}");
}

#[test]
fn the_version_is_printed() {
    let (code, out, _) = cradle(&["--version"]);
    assert_eq!((code, out), (Some(0), format!("cradle {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn a_reader_of_the_help_that_leaves_is_no_failure() {
    let (reader, writer) = pipe().expect("there are pipes");
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
    assert_eq!(command.arg("--help").stdout(writer).status().unwrap().code(), Some(0));
}
