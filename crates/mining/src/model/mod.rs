//! What mining hands on.
//!
//! [`SiteModel`] is one site; a file of models is one line of JSON a site ([`ModelSet`] reads it lazily). The format is
//! drawn in docs/formats/model.md.

mod node;
mod ranking;
mod set;
mod site_model;

pub use node::{Like, Node, Scores, Way};
pub use ranking::Ranked;
pub use set::{ModelFault, ModelSet};
pub use site_model::{Convergence, Learnt, MODEL_VERSION, NamedUrl, SiteModel, TreeSize, TreeSizes};
