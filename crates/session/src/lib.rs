//! What has this crawl done, and what survives a crash?
//!
//! A [`Session`] is a crawl without its network: the frontier, the engine that decides, and the record of every URL, as one durable
//! thing. Whoever fetches drives it: a crawler from the web, a service from its clients, a test from memory. It reads no
//! clock; time is an argument of every call, and an earlier `now` counts as the last one.
//!
//! The life of a URL in a session:
//!
//! 1. It is *offered*: as a seed ([`Session::seed`]), as a list of URLs ([`Session::offer_list`]), or as a link of a page that is
//!    settled. New ones get a number, and the policy places them.
//! 2. It is *handed out* by [`Session::next`], under a lease.
//! 3. Its lease ends: [`settle`](Session::settle) (the policy learns from it, its links are offered, and it is done or
//!    waits to be fetched again), [`defer`](Session::defer) (not now), or [`refuse`](Session::refuse) (never, and nothing is learnt).
//!    What came of it is its [`UrlRecord`].
//!
//! Whoever serves other crawlers works by the name of a URL: [`lease`](Session::lease) hands out several at once,
//! [`update`](Session::update) says when a URL is fetched next, whether it is out or not, [`remove`](Session::remove) forgets it.
//!
//! Each of these calls is one step of the `journal`. It is written by the call itself, in the same batch as everything else that
//! the call changed, so that no caller can forget it. [`commit`](Session::commit) makes all calls so far survive the end of
//! the process, [`sync`](Session::sync) a loss of power: one of them is enough for thousands of calls. Now and then the state of the
//! engine is written as a whole (`checkpoint`), and the journal begins anew.
//!
//! **Checkpoint + replay = the same state, byte for byte.** An engine is a function of its steps. To resume, it takes up the
//! checkpoint and is told the steps since, one after the other (`replay`); nothing loads all of them at once.
//!
//! Read next: `session` and `calls`, `journal` for the steps, docs/formats/session.md for the bytes.

mod answer;
mod calls;
mod checkpoint;
mod error;
#[cfg(test)]
mod fixtures;
mod journal;
mod meters;
mod notes;
mod record;
mod replay;
mod session;
mod swap;
mod updates;

pub use answer::{Answer, FoundLink, Settled};
pub use checkpoint::{CheckpointFolder, CheckpointStore};
pub use error::Error;
pub use notes::{DriverNotes, FIRST_DRIVER_NOTE};
pub use record::{ArchivePlace, InOrder, MAX_MEDIA_TYPE, Records, UrlRecord, UrlSource};
pub use session::{Leases, Loss, Session, SessionParts};
pub use updates::{LeaseRequest, ListedUrl, Recall};
