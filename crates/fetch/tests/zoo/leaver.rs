//! A server that leaves in the middle: it closes, it half closes, it resets.

use tokio::io::AsyncWriteExt;

use super::{Cage, linger, request};

/// How it goes.
#[derive(Clone, Copy, Debug)]
pub enum Leaving {
    /// Closes both ways.
    Close,
    /// Says that it will say no more, and stays.
    HalfClose,
    /// Throws the connection away (RST).
    Reset,
}

/// Takes the request, says this much, and leaves.
pub async fn leaves(said: &'static [u8], how: Leaving) -> Cage {
    Cage::new(move |mut stream, _| async move {
        if request(&mut stream).await.is_none() || stream.write_all(said).await.is_err() {
            return;
        }
        match how {
            Leaving::Close => {}
            Leaving::HalfClose => {
                let _ = stream.shutdown().await;
                linger(&mut stream).await;
            }
            Leaving::Reset => stream.set_zero_linger().unwrap(),
        }
    })
    .await
}
