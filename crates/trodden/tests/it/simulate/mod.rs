//! Which order is better: `simulate` and `demo`, from outside.
//!
//! | file | question |
//! |---|---|
//! | `by_hand` | are the numbers those that a person works out with a pencil? |
//! | `continuous` | which schedule of revisits keeps most visits fresh? |
//! | `contract` | do names, types and ranges hold that scripts rely on? |
//! | `same` | does anything but the inputs and the seed change a byte? |
//! | `past` | where does training end, and what must it not know? |
//! | `traffic`, `measured`, `topical` | what else can crawls be judged and steered by? |
//! | `own_mirror` | can a log be the site, too? |
//! | `bad_input` | what do inputs cost that nothing can be compared on? |
//! | `reports` | does the page need anything but itself? |
//! | `shown` | does the demo show what it says, offline? |
//!
//! `site` is the tool: a site of twelve pages whose numbers are known, and one of two hundred.

mod bad_input;
mod by_hand;
mod continuous;
mod contract;
mod measured;
mod own_mirror;
mod past;
mod reports;
mod same;
mod shown;
mod site;
mod topical;
mod traffic;
