//! A black hole: an address that neither answers nor refuses.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// A listener that accepts nobody, with a full queue: further connections hang.
pub struct Hole {
    pub address: SocketAddr,
    _listener: TcpListener,
    _queue: Vec<TcpStream>,
}

/// Digs a hole.
pub async fn dig(address: &str) -> Hole {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(address.parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut queue = Vec::new();
    while let Ok(connected) = tokio::time::timeout(Duration::from_millis(300), TcpStream::connect(address)).await {
        queue.push(connected.unwrap());
    }
    Hole { address, _listener: listener, _queue: queue }
}
