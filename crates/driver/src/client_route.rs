//! Where a client connects from, and to.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::{TcpSocket, TcpStream};

/// The server of a client, and the address of this machine from which the client connects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientRoute {
    pub(crate) server: SocketAddr,
    /// The system chooses the address if there is none.
    source: Option<Ipv4Addr>,
}

impl From<SocketAddr> for ClientRoute {
    fn from(server: SocketAddr) -> Self {
        Self { server, source: None }
    }
}

impl ClientRoute {
    /// The same server, from this address. All of 127.0.0.0/8 is this machine.
    pub(crate) const fn from_address(server: SocketAddr, source: Ipv4Addr) -> Self {
        Self { server, source: Some(source) }
    }

    /// Opens a connection.
    pub(crate) async fn connect(self) -> io::Result<TcpStream> {
        let Some(source) = self.source else { return TcpStream::connect(self.server).await };
        let socket = TcpSocket::new_v4()?;
        socket.bind((source, 0).into())?;
        socket.connect(self.server).await
    }
}
