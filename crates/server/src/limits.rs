//! How much of everything there may be.

/// Writes the struct, its defaults, and what is needed to set and to list each limit by its name.
macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal;)+) => {
        /// How much of everything there may be. Times are in milliseconds.
        #[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
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
            /// Each limit: its name, what it means, and what it is unless somebody sets it.
            pub const ALL: &[(&str, &str, u32)] =
                &[$((stringify!($name), concat!($($doc),+), $default),)+];

            /// Sets a limit by its name.
            ///
            /// # Errors
            /// If there is none of this name.
            pub fn set(&mut self, name: &str, value: u32) -> Result<(), NoSuchLimit> {
                match name {
                    $(stringify!($name) => self.$name = value,)+
                    _ => return Err(NoSuchLimit(name.to_owned())),
                }
                Ok(())
            }
        }
    };
}

limits! {
    /// Sockets and long polls at a time; of other connections there may be twice as many.
    connections = 20_000;
    /// Sockets and long polls of one address at a time; of other connections it may have twice as many.
    connections_per_address = 1_000;
    /// Bytes of one frame or of the body of one request.
    frame_bytes = 16_384;
    /// Arrays and objects that lie within one another in what a client sends.
    json_depth = 32;
    /// Channels that one connection has joined at a time.
    topics_per_connection = 32;
    /// Messages that wait for a slow reader before it must ask again.
    outbox = 256;
    /// Actions of one connection per second.
    actions_per_second = 20;
    /// Actions of one connection at once, after a rest.
    actions_at_once = 60;
    /// Channels that one connection joins per second.
    joins_per_second = 5;
    /// Channels that one connection joins at once, after a rest.
    joins_at_once = 40;
    /// Requests of one address per second, frames of channels not included.
    requests_per_second = 50;
    /// Requests of one address at once, after a rest.
    requests_at_once = 200;
    /// Tables that one address creates per minute.
    tables_per_minute = 30;
    /// Tables that one address creates at once, after a rest.
    tables_at_once = 60;
    /// Addresses that are remembered for these limits.
    addresses = 100_000;
    /// How long a client may take to send the head of a request.
    header_timeout = 10_000;
    /// How long a connection may be silent: the phoenix client sends a heartbeat every 30 seconds.
    idle_timeout = 75_000;
    /// How long a client may take to read what it is sent.
    write_timeout = 20_000;
    /// How long a request may take.
    request_timeout = 30_000;
    /// How long a long poll waits for something to say.
    poll_window = 10_000;
    /// Long polls at a time.
    poll_sessions = 5_000;
    /// Requests that wait at one table.
    table_mailbox = 256;
    /// Connections that look on at one table, half of them from one address; who holds a seat takes no
    /// place of theirs.
    guests_per_table = 1_000;
    /// Connections of who holds one seat to its table; when one more comes, the oldest makes room.
    guests_per_seat = 16;
    /// Tables in memory.
    live_tables = 100_000;
    /// How long a table at which nobody is stays in memory.
    table_idle = 60_000;
    /// How often a table may fail within a minute before it is set aside.
    table_failures = 3;
    /// How long a table is set aside.
    set_aside = 600_000;
    /// How long the server waits for connections to end when it stops.
    shutdown = 10_000;
}

/// There is no limit of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no limit called {0:?}")]
pub struct NoSuchLimit(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_can_be_set_by_its_name_and_no_other() {
        let usual = Limits::default();
        for (name, meaning, default) in Limits::ALL {
            let mut limits = usual.clone();
            limits.set(name, default + 1).unwrap();
            assert_ne!(limits, usual, "{name}");
            limits.set(name, *default).unwrap();
            assert_eq!(limits, usual, "{name}");
            assert!(meaning.trim().ends_with('.'), "{name} is explained by a sentence");
        }
        let mut limits = usual;
        assert_eq!(limits.set("patience", 1), Err(NoSuchLimit("patience".to_owned())));
    }
}
