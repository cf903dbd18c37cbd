//! A server that never stops: a body without end, with chunks or without.

use tokio::io::AsyncWriteExt;

use super::{Cage, request};

/// Says `head`, then `piece` for ever.
pub async fn repeats(head: &'static [u8], piece: Vec<u8>) -> Cage {
    Cage::new(move |mut stream, _| {
        let piece = piece.clone();
        async move {
            if request(&mut stream).await.is_some() && stream.write_all(head).await.is_ok() {
                while stream.write_all(&piece).await.is_ok() {}
            }
        }
    })
    .await
}
