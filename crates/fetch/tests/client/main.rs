//! What does the client make of good servers and bad ones? One file a subject; the servers are in `zoo/`.

#![allow(clippy::unwrap_used, missing_docs)]

mod addresses;
mod bodies;
mod heads;
mod proxies;
mod reuse;
mod secure;
#[path = "../zoo/mod.rs"]
mod zoo;

use trodden_fetch::address::Guard;
use trodden_fetch::client::{Ask, Client, ClientSettings, FetchFault, HttpAnswer};

/// Settings under which loopback may be asked.
fn settings() -> ClientSettings {
    ClientSettings { guard: Guard::with_private(), ..ClientSettings::new("trodden-test/0 (+https://example.org/)") }
}

fn client() -> Client {
    Client::new(settings()).unwrap()
}

async fn get(client: &Client, url: &str) -> Result<HttpAnswer, FetchFault> {
    client.get(&Ask::new(url)).await.answer
}
