//! A proxy: it opens tunnels, and passes plain requests on to one server.

use std::net::SocketAddr;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::{Cage, plain, request};

/// Connects every tunnel to `to`, whatever was asked for; answers plain requests itself.
pub async fn tunnels_to(to: SocketAddr) -> Cage {
    Cage::new(move |mut stream, log| async move {
        while let Some(head) = request(&mut stream).await {
            let is_tunnel = head.starts_with(b"CONNECT ");
            log.note(head);
            if !is_tunnel {
                stream.write_all(plain::PAGE).await.unwrap();
                continue;
            }
            let mut far = TcpStream::connect(to).await.unwrap();
            stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await.unwrap();
            let _ = tokio::io::copy_bidirectional(&mut stream, &mut far).await;
            return;
        }
    })
    .await
}

/// Refuses, with this answer.
pub async fn refuses(answer: &'static [u8]) -> Cage {
    plain::says(answer).await
}
