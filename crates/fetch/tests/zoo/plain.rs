//! A good server: the same answer to every request, as many as are asked on one connection.

use tokio::io::AsyncWriteExt;

use super::{Cage, request};

pub const PAGE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// Answers with these bytes and keeps the connection.
pub async fn says(answer: impl Into<Vec<u8>>) -> Cage {
    says_at("127.0.0.1:0", answer).await
}

/// The same at an address.
pub async fn says_at(address: &str, answer: impl Into<Vec<u8>>) -> Cage {
    let answer = answer.into();
    Cage::at(address.parse().unwrap(), move |mut stream, log| {
        let answer = answer.clone();
        async move {
            while let Some(head) = request(&mut stream).await {
                log.note(head);
                if stream.write_all(&answer).await.is_err() {
                    return;
                }
            }
        }
    })
    .await
}

/// Answers with these bytes and closes.
pub async fn says_and_closes(answer: impl Into<Vec<u8>>) -> Cage {
    let answer = answer.into();
    Cage::new(move |mut stream, log| {
        let answer = answer.clone();
        async move {
            if let Some(head) = request(&mut stream).await {
                log.note(head);
                let _ = stream.write_all(&answer).await;
            }
        }
    })
    .await
}
