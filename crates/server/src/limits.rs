//! The limits of a server.

/// Declares the struct with its defaults, and lets limits be set and listed by name.
macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal;)+) => {
        /// The limits of a server. Times are in milliseconds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        #[non_exhaustive]
        pub struct Limits {
            $($(#[doc = $doc])+ pub $name: u32,)+
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        impl Limits {
            /// Each limit: its name, what it bounds, and its default.
            pub const ALL: &[(&str, &str, u32)] =
                &[$((stringify!($name), concat!($($doc),+), $default),)+];

            /// Sets a limit by its name.
            ///
            /// # Errors
            /// If there is no limit of this name.
            pub fn set(&mut self, name: &str, value: u32) -> Result<(), UnknownLimit> {
                match name {
                    $(stringify!($name) => self.$name = value,)+
                    _ => return Err(UnknownLimit(name.to_owned())),
                }
                Ok(())
            }

            /// Checks that no limit is 0, except those that then forbid something dispensable.
            ///
            /// # Errors
            /// If a limit is 0 that would make the server useless.
            pub fn check(&self) -> Result<(), UselessLimit> {
                for (name, value) in [$((stringify!($name), self.$name),)+] {
                    if value == 0 && !MAY_BE_ZERO.contains(&name) {
                        return Err(UselessLimit(name));
                    }
                }
                Ok(())
            }
        }
    };
}

/// The limits that may be 0.
const MAY_BE_ZERO: &[&str] = &[
    "own_rules_per_minute",
    "pairing_move_time",
    "all_code_misses_per_hour",
    "spectators_per_table",
    "table_failures",
    "set_aside",
    "shutdown",
];

limits! {
    /// Open WebSockets, long polls and streams; other connections may be twice as many.
    connections = 20_000;
    /// Open WebSockets, long polls and streams of one address; other connections may be twice as many.
    /// An address that opens more than twice as many connections in ten seconds waits a second or more for
    /// each further one.
    connections_per_address = 1_000;
    /// Bytes of one frame, or of the body of one request.
    frame_bytes = 16_384;
    /// Nesting depth of arrays and objects in JSON from a client.
    json_depth = 32;
    /// Channels that one connection has joined.
    topics_per_connection = 32;
    /// Channels and streams of tables that one address has open: each keeps its table in memory.
    channels_per_address = 2_000;
    /// Messages that wait for a slow reader before its channels must join again.
    outbox = 256;
    /// Actions of one connection per second.
    actions_per_second = 20;
    /// Actions of one connection in a burst.
    actions_at_once = 60;
    /// Messages per second that one address sends and is sent on all its channels and streams.
    messages_per_second = 5_000;
    /// Messages of one address in a burst.
    messages_at_once = 20_000;
    /// Channels that one connection joins per second.
    joins_per_second = 5;
    /// Channels that one connection joins in a burst.
    joins_at_once = 40;
    /// Requests of one address per second; frames on channels do not count.
    requests_per_second = 50;
    /// Requests of one address in a burst.
    requests_at_once = 200;
    /// Tables that one address creates per minute.
    tables_per_minute = 30;
    /// Tables that one address creates in a burst.
    tables_at_once = 60;
    /// Tables with rules of their own that one address creates per minute; 0 means that the server takes
    /// no rules from players.
    own_rules_per_minute = 6;
    /// Tables with rules of their own that one address creates in a burst.
    own_rules_at_once = 12;
    /// Tables with rules of their own that all addresses create per minute.
    all_own_rules_per_minute = 60;
    /// Explanations of moves that one address requests per minute.
    analyses_per_minute = 60;
    /// Explanations of moves that one address requests in a burst.
    analyses_at_once = 30;
    /// Time that a code is valid; the player who shows it can renew it.
    code_lifetime = 900_000;
    /// Wrong codes that one address tries per hour.
    code_misses_per_hour = 6;
    /// Wrong codes that one address tries in a burst.
    code_misses_at_once = 10;
    /// Wrong codes that all addresses try per hour; then only addresses without a recent one may try.
    all_code_misses_per_hour = 6_000;
    /// Time that a player must be without a connection before another one can claim the round.
    claim_after = 30_000;
    /// Time for each move at tables of quick pairing; 0 means that they have no clock.
    pairing_move_time = 60_000;
    /// Milliseconds of computing that one address causes per second: building and solving games,
    /// reading long logs, playing by rules that a player wrote.
    work_per_second = 100;
    /// Milliseconds of computing that one address causes in a burst.
    work_at_once = 5_000;
    /// Computations of one address that wait for a worker.
    work_queue_per_address = 32;
    /// Computations that wait for a worker.
    work_queue = 1_024;
    /// Kilobytes of all games in memory, with their solutions.
    game_cache_kilobytes = 262_144;
    /// Kilobytes of the table of states of one game, which grows while the game is played.
    game_table_kilobytes = 4_096;
    /// Time that a game which no table uses stays in memory.
    game_idle = 10_000;
    /// Addresses to remember for these limits.
    addresses = 100_000;
    /// Time for a client to send the header of a request.
    header_timeout = 10_000;
    /// Time that a connection may be silent; the phoenix client sends a heartbeat every 30 seconds.
    idle_timeout = 75_000;
    /// Time for a client to read what it is sent.
    write_timeout = 20_000;
    /// Time for one request.
    request_timeout = 30_000;
    /// Time that a long poll waits for a message.
    poll_window = 10_000;
    /// Open long polls.
    poll_sessions = 5_000;
    /// Requests that wait at one table.
    table_mailbox = 256;
    /// Spectators of one table, half of them from one address; seat holders do not count.
    spectators_per_table = 1_000;
    /// Connections of one seat holder to its table; when one more comes, the oldest is dropped.
    connections_per_seat = 16;
    /// Tables in memory.
    live_tables = 100_000;
    /// Time that a table without connections stays in memory; if no player has ever connected to it, a
    /// quarter of that.
    table_idle = 60_000;
    /// Failures of one table within a minute before it is set aside.
    table_failures = 3;
    /// Time that a failing table is set aside.
    set_aside = 600_000;
    /// Time between "not ready" and the end of accepting, so that load balancers notice it.
    drain = 250;
    /// Time for connections and tables to finish when the server shuts down.
    shutdown = 10_000;
}

/// There is no limit of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no limit called {0:?}")]
pub struct UnknownLimit(String);

/// A limit is 0 that would make the server useless.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the limit {0} is 0, so the server could do nothing that it bounds: choose at least 1")]
pub struct UselessLimit(&'static str);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_can_be_set_by_its_name() {
        let usual = Limits::default();
        for (name, meaning, default) in Limits::ALL {
            let mut limits = usual;
            limits.set(name, default + 1).unwrap();
            assert_ne!(limits, usual, "{name}");
            limits.set(name, *default).unwrap();
            assert_eq!(limits, usual, "{name}");
            assert!(meaning.trim().ends_with('.'), "{name} is described by a sentence");
        }
        let mut limits = usual;
        assert_eq!(limits.set("patience", 1), Err(UnknownLimit("patience".to_owned())));
    }

    #[test]
    fn a_limit_of_zero_is_refused_unless_the_server_works_without() {
        assert_eq!(Limits::default().check(), Ok(()));
        for (name, ..) in Limits::ALL {
            let mut limits = Limits::default();
            limits.set(name, 0).unwrap();
            assert_eq!(limits.check().is_ok(), MAY_BE_ZERO.contains(name), "{name}");
        }
        for name in MAY_BE_ZERO {
            assert!(Limits::ALL.iter().any(|(known, ..)| known == name), "{name}");
        }
    }
}
