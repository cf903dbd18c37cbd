//! A server that is about to answer, about to answer, about to answer.

use super::{Cage, plain};

/// Interim answers, then the page.
pub async fn says(count: usize) -> Cage {
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n".repeat(count);
    plain::says([hints.as_bytes(), plain::PAGE].concat()).await
}
