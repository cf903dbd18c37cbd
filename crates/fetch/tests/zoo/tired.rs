//! A server that promises to keep the connection, and does not.

use tokio::io::AsyncWriteExt;

use super::{Cage, plain::PAGE, request};

/// Answers the first request of each connection well; at the second it hangs up without a word.
pub async fn answers_once() -> Cage {
    Cage::new(|mut stream, log| async move {
        if let Some(head) = request(&mut stream).await {
            log.note(head);
            let _ = stream.write_all(PAGE).await;
            if let Some(head) = request(&mut stream).await {
                log.note(head);
            }
        }
    })
    .await
}

/// Answers well once; after that it hangs up on every request of every connection.
pub async fn never_again() -> Cage {
    let is_first = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    Cage::new(move |mut stream, log| {
        let is_first = is_first.clone();
        async move {
            while let Some(head) = request(&mut stream).await {
                log.note(head);
                if !is_first.swap(false, std::sync::atomic::Ordering::SeqCst) {
                    return;
                }
                let _ = stream.write_all(PAGE).await;
            }
        }
    })
    .await
}
