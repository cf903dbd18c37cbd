//! Who reads what on a site, and what shape has it?
//!
//! A visit becomes a [`Triple`] (who went from where to what, once in a [`DedupWindow`]); the triples of a site fill its
//! [`SiteTable`]; [`mine_site`] makes a [`SiteModel`] of it:
//!
//! 1. every URL is taken apart into key–value pairs (`columns`), and what too few users visited is set aside;
//! 2. the pairs grow a tree of URL patterns by syntax alone, T_SYN ([`tree`]);
//! 3. the tree is cut where visits tell no difference, T_VISIT, and then where people come from and go to the same
//!    places, T_TRAN ([`cut`]);
//! 4. the leaves are the patterns ([`pattern`]), ranked by what people did ([`rank`]);
//! 5. what a URL can expect is fitted: how far its own visits are to be believed, and how many go to new URLs ([`expected`]);
//! 6. the model locates any URL of the site ([`locate`]), scores it ([`score`]), says why ([`explain`]), and is judged by
//!    later visits ([`quality`]).
//!
//! Beside that, over many sites: who reads what one after the other ([`trace`]), and when interest comes and goes ([`interest`]).
//!
//! The method is that of CIKM 2011, "User Browsing Behavior-driven Web Crawling". The crate is pure: no input or
//! output, no clock, no randomness, no order of hash maps in any result.

pub mod calendar;
mod columns;
pub mod cut;
pub mod expected;
pub mod explain;
pub mod interest;
mod key;
pub mod listing;
pub mod locate;
mod mine;
pub mod model;
pub mod pattern;
pub mod quality;
pub mod random;
pub mod rank;
pub mod score;
mod settings;
mod site_table;
pub mod trace;
mod transits;
pub mod tree;
mod triple;
mod weight;

pub use calendar::MS_PER_DAY;
pub use cut::{Cut, Flows, TransitCut, Weighting, description_length, transit_cut, visit_cut};
pub use expected::{Expect, Forecast};
pub use key::{Key, KeyFault};
pub use locate::{Locator, Place, Scratch, Why};
pub use mine::{NoModel, TableOrigin, mine_site};
pub use model::{ModelFault, ModelSet, Order, SiteModel, UrlScores};
pub use rank::{BehaviorGraph, Damping, Goal, PatternFlows, Ranks, Strategy};
pub use settings::{MiningSettings, SettingFault, TreeKind};
pub use site_table::{SLICES, SiteTable, SiteTableBuilder, Slices, UrlCounts};
pub use trace::{Trace, TraceBuilder};
pub use tree::Outline;
pub use triple::{DedupWindow, Entrance, From, Triple};
pub use weight::{Distinct, SiteWeight};
