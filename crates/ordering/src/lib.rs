//! Which URL next?

pub mod links;
