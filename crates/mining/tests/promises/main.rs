//! Does mining keep its promises, from the table of a site to its model and back to its URLs?
//!
//! One module a promise. Sites are planted, so that what should be found is known beforehand.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, missing_docs)]

mod cuts;
mod entropy;
mod fixtures;
mod hostile;
mod junk;
mod located;
mod models;
mod own_leaves;
mod privacy;
mod ranked;
mod salient;
mod same_model;
mod scored;
mod site;
