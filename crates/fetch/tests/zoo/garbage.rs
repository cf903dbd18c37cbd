//! A server that is none: another protocol, noise, a page without a head.

use tokio::io::AsyncWriteExt;

use super::{Cage, linger, request};

/// Other things that answer on a port.
pub const NOISES: [&[u8]; 6] = [
    b"SSH-2.0-OpenSSH_9.9\r\n",
    b"<html><title>HTTP/0.9</title>",
    b"\x16\x03\x01\x00\x05hello",
    b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    b"220 mail.example ESMTP\r\n",
    b"ICY 200 OK\r\n\r\n",
];

/// Says this when asked, and waits.
pub async fn says(noise: &'static [u8]) -> Cage {
    Cage::new(move |mut stream, _| async move {
        if request(&mut stream).await.is_some() && stream.write_all(noise).await.is_ok() {
            linger(&mut stream).await;
        }
    })
    .await
}

/// Speaks before it is asked.
pub async fn speaks_first(noise: &'static [u8]) -> Cage {
    Cage::new(move |mut stream, _| async move {
        if stream.write_all(noise).await.is_ok() {
            linger(&mut stream).await;
        }
    })
    .await
}
