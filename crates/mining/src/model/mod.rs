//! What mining hands on.
//!
//! [`SiteModel`] is one site; a file of models is one line of JSON a site ([`ModelSet`] reads it lazily). The format is
//! drawn in docs/formats/model.md.

mod check;
mod node;
mod of_host;
mod order;
mod ranking;
mod set;
mod site_model;
mod url_scores;

pub use node::{Like, Node, Scores, Way};
pub use of_host::find_by_host;
pub use order::Order;
pub use ranking::Ranked;
pub use set::{ModelFault, ModelSet};
pub use site_model::{Convergence, LearntFrom, MODEL_VERSION, NamedUrl, SiteModel, TreeSize, TreeSizes};
pub use url_scores::{Count, MIN_DAYS, UrlScores};
