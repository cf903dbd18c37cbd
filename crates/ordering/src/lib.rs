//! Which URL next?
//!
//! An [`OrderingPolicy`] says where each URL belongs ([`policy`], one file each); the [`Engine`] turns that into a crawl:
//! next → fetch → settle, over any [`Frontier`](trodden_frontier::Frontier). The engine has no network, no clock and no
//! async: a simulated crawl, a real one and a frontier service run the same engine and write the same [`Event`]s.
//!
//! The life of a URL:
//!
//! 1. It is a seed, or a [`Found`] link of a page that was settled. If it is new, the policy [places](OrderingPolicy::place)
//!    it.
//! 2. What is learnt from other pages may [move](Moves) it.
//! 3. [`Engine::next`] hands it out as a [`Task`]; whoever fetches says what came of it, by [`Engine::settle`].
//!
//! Supporting parts: [`links`] (PageRank), [`levels`] (values as lanes), [`standing`] (models → patterns → lanes),
//! [`location`] (what a URL looks like), [`revisit`] (how often a page changes and when it is fetched again), [`predicate`] (what is looked
//! for), [`classes`] and [`labels`] (what kind of page it is), [`similarity_text`] (how much it is about some words), [`scope`] (what
//! belongs to a crawl), [`chance`] (numbers that look random and
//! are not).

pub mod chance;
pub mod classes;
pub mod engine;
pub mod labels;
pub mod levels;
pub mod links;
pub mod location;
mod outcome;
mod outcome_kind;
pub mod policy;
pub mod predicate;
pub mod revisit;
pub mod scope;
pub mod similarity_text;
pub mod standing;

pub use engine::{Budget, Engine, Event, EventLog, Limits, ListTurn, Next, SwapWork, Task, Updated};
pub use labels::PageLabels;
pub use outcome::{Change, Found, Known, Outcome, PageText};
pub use outcome_kind::OutcomeKind;
pub use policy::{Again, Ingredient, Moves, OrderingPolicy, PolicyName, SaveFault};
pub use predicate::{PageFacts, Predicate, PredicateFault};
pub use scope::{Beyond, Scope, ScopeSettings};
