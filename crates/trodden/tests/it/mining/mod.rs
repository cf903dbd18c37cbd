//! What is learnt from logs, and what is said of it: `mine`, `patterns`, `urls`, `score`, `explain`, `quality`.
//!
//! | file | question |
//! |---|---|
//! | `same` | does anything but the visits change a model? |
//! | `known` | what do lists and sitemaps add? |
//! | `ranked` | are the patterns told as documented, in their order, in the columns there are? |
//! | `listed`, `scored`, `explained` | what to fetch first, how good is a URL, and why? |
//! | `secrets` | does a model tell anything about single people? |
//! | `sites` | what of many sites in one log and one file? |
//! | `report` | what does mining end with? |
//! | `excluded` | what of URLs that are left out by name? |
//! | `bad_logs`, `bad_models` | what do inputs cost that no model can be made of, or read from? |
//!
//! `shop` is the tool: a site that people walk on.

mod bad_logs;
mod bad_models;
mod excluded;
mod explained;
mod known;
mod listed;
mod ranked;
mod report;
mod same;
mod scored;
mod secrets;
mod shop;
mod sites;
