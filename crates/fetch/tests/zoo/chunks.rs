//! A server whose chunks are broken, each in its own way.

use super::{Cage, plain};

/// A good chunk, then `rest`; then it closes.
pub async fn breaks(rest: &str) -> Cage {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n";
    plain::says_and_closes(format!("{head}{rest}")).await
}
