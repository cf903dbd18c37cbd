//! Which lines are people reading pages? Everything else is dropped under a reason of its own.
//!
//! Some reasons are seen on the line itself (method, status, declared bots, assets). Others need
//! the whole log, and are decided in two readings of the sorted records: the first *observes* (how often does an
//! address ask, does a URL follow its referrer like an image does, does a user ever load an asset), the second
//! *judges*. Both see the same records in the same order, whatever the memory or the number of threads.
//!
//! Read next: `reason` for the list, `groups`, `embedded`, `scanners` for the three rules that need a whole log.

mod bots;
mod embedded;
mod groups;
mod kind;
mod reason;
mod scanners;
mod settings;

pub use bots::BotRule;
pub(crate) use bots::Bots;
pub(crate) use embedded::{Embedded, FollowWindow, UrlTallies, UrlTally};
pub(crate) use groups::{AddressMinute, Groups, MinuteCounts};
pub(crate) use kind::{Kind, kind_of_content_type, kind_of_path};
pub use reason::{BadReason, DropReason};
pub(crate) use scanners::{SiteUsers, UserOnSite};
pub use settings::{Cleaning, ClientField};
