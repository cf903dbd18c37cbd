//! A server with all the time in the world: after its first words, a byte now and then.

use std::time::Duration;

use tokio::io::AsyncWriteExt;

use super::{Cage, linger, request};

/// Says `at_once`, then one byte after each pause, without end.
pub async fn drips(at_once: &'static [u8], pause: Duration) -> Cage {
    Cage::new(move |mut stream, _| async move {
        if request(&mut stream).await.is_none() || stream.write_all(at_once).await.is_err() {
            return;
        }
        while stream.write_all(b"x").await.is_ok() {
            tokio::time::sleep(pause).await;
        }
    })
    .await
}

/// Takes the request, says `at_once`, and then nothing at all.
pub async fn falls_silent(at_once: &'static [u8]) -> Cage {
    Cage::new(move |mut stream, _| async move {
        if request(&mut stream).await.is_some() && stream.write_all(at_once).await.is_ok() {
            linger(&mut stream).await;
        }
    })
    .await
}

/// Accepts, and never even reads a request: what a TLS client meets at a server that hangs.
pub async fn ignores() -> Cage {
    Cage::new(|mut stream, _| async move { linger(&mut stream).await }).await
}
