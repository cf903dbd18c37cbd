//! Why does a URL stand where it stands?
//!
//! [`Explanation::of`] walks down the tree with the URL (`trail`) and gathers what the model knows: what all URLs there
//! share and what varies, the pattern and its flows (`flows`), or why it is in no pattern (`uncovered`), what it can expect,
//! and a sentence to conclude with (`conclusion`).

mod conclusion;
mod explanation;
mod flows;
mod trail;
mod uncovered;

pub use explanation::{
    ExplainedPattern, Explanation, OwnVisits, PatternRank, SharedValue, UrlExpectation, VaryingKey, WalkStep,
};
pub use flows::FlowShare;
pub use uncovered::{UncoveredUrl, first_of};
