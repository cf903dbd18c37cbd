//! What `trodden crawl` promises, tested from outside: the program is run against small servers on loopback, and what
//! they were asked is compared with what they wanted to be asked.
//!
//! | file | question |
//! |---|---|
//! | `whole` | is a small site fetched whole, each page once, and is the archive sound? |
//! | `agents` | what does a crawl call itself, and is it remembered? |
//! | `aliased` | does a model of a site order the crawl of its copy elsewhere? |
//! | `asked_not_to` | is what sites ask for done: robots.txt, `nofollow`, tags in headers and pages? |
//! | `left_alone` | how long are servers left alone, failures and robots.txt included? |
//! | `cookies` | are cookies left alone until they are asked for? |
//! | `leads` | where do redirects, sitemaps, feeds, headers and canonical links lead? |
//! | `known` | what is done with what models and visits name? |
//! | `nothing` | what is said and left if nothing was fetched? |
//! | `judged` | is the order of a real crawl judged by what people read? |
//! | `listed` | is there a row for every URL, and is every broken link told? |
//! | `limits` | do budgets and scope hold, and does a larger budget go on? |
//! | `seen` | what is seen of a crawl while it runs, and when it is done? |
//! | `observed` | what is heard of a run by whoever asks: events and metrics? |
//! | `stopped` | what does Ctrl-C leave, and who may crawl in a folder? |
//! | `bad_input` | what is said about what cannot be done? |
//! | `beasts` | what do bad servers come to, each of them, and does the crawl go on? |
//! | `killed` | is anything lost or kept twice by a crawl that is killed again and again? |
//! | `swapped` | does a crawl go by another model, and lose nothing if it is killed on the way? |
//! | `same_order` | is the order that of the lab, for every policy? |
//! | `same_order_as_readers` | and with a log: the same past, the same order? |
//! | `full` | what if there is no room? |
//! | `replayed` | does pywb show what was crawled? |
//! | `mirror` | is a crawl a mirror, and a list of URLs? |
//!
//! `server`, `run` and `terminal` are the tools; `zoo` has the servers that need more than a thread each.

#![allow(clippy::unwrap_used)]

mod agents;
mod aliased;
mod asked_not_to;
mod bad_input;
mod beasts;
mod cookies;
mod damaged;
mod full;
mod judged;
mod killed;
mod known;
mod leads;
mod left_alone;
mod limits;
mod listed;
mod mirror;
mod nothing;
mod observed;
mod replayed;
mod run;
mod same_order;
mod same_order_as_readers;
mod seen;
mod server;
mod stopped;
mod swapped;
mod terminal;
mod whole;
#[path = "../../../fetch/tests/zoo/mod.rs"]
mod zoo;
