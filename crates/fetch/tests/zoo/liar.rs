//! A server that counts its bytes wrong.

use super::{Cage, plain};

/// Tells a length, sends `sent`, and closes or keeps the connection.
pub async fn tells(length: usize, sent: &str, closes: bool) -> Cage {
    let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{sent}");
    if closes { plain::says_and_closes(answer).await } else { plain::says(answer).await }
}
