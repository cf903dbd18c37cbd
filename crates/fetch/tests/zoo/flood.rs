//! A server that has very much to say before it comes to the point.

use tokio::io::AsyncWriteExt;

use super::{Cage, request};

/// Headers without end.
pub async fn headers(line: &'static [u8]) -> Cage {
    super::endless::repeats(b"HTTP/1.1 200 OK\r\n", line.repeat(100)).await
}

/// So many headers, and then a page.
pub async fn so_many_headers(count: usize) -> Cage {
    Cage::new(move |mut stream, _| async move {
        if request(&mut stream).await.is_some() {
            let lines = "X-Flood: a\r\n".repeat(count);
            let answer = format!("HTTP/1.1 200 OK\r\n{lines}Content-Length: 2\r\n\r\nok");
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    })
    .await
}
