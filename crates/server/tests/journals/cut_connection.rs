//! A way to a NATS server that can be cut.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::nats_server::NatsServer;

/// An address that leads to another one, unless it is cut.
pub(crate) struct CutConnection {
    pub(crate) address: SocketAddr,
    cuts: watch::Sender<Cuts>,
}

/// Whether an address is cut, and how often it was.
#[derive(Clone, Copy, Default)]
struct Cuts {
    is_cut: bool,
    count: u32,
}

impl CutConnection {
    pub(crate) async fn to(server: &NatsServer) -> Self {
        let server = server.settings("any").address.to_string();
        let server = server.trim_start_matches("nats://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("the listener has an address");
        let (cuts, cut) = watch::channel(Cuts::default());
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let (mut cut, server) = (cut.clone(), server.clone());
                tokio::spawn(async move {
                    // A connection that is cut ends for both sides.
                    let Cuts { is_cut, count } = *cut.borrow();
                    if is_cut {
                        return;
                    }
                    let mut server = TcpStream::connect(&server).await.expect("the server listens");
                    tokio::select! {
                        _ = copy_bidirectional(&mut client, &mut server) => {}
                        _ = cut.wait_for(|cuts| cuts.count > count) => {}
                    }
                });
            }
        });
        Self { address, cuts }
    }

    /// Ends all connections, and refuses others.
    pub(crate) fn cut(&self) {
        self.cuts.send_modify(|cuts| *cuts = Cuts { is_cut: true, count: cuts.count + 1 });
    }

    /// Lets connections through again.
    pub(crate) fn mend(&self) {
        self.cuts.send_modify(|cuts| cuts.is_cut = false);
    }
}
