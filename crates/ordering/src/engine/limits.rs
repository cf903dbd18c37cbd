//! How much may a crawl fetch and keep?

use trodden_frontier::Span;

/// How long a URL may be out. In the lab nothing ever is; whoever fetches for real says otherwise.
const DEFAULT_LEASE: Span = Span::seconds(600);

/// What a crawl may spend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Budget {
    /// As much as there is.
    #[default]
    Unlimited,
    /// So many pages.
    Pages(u64),
}

/// How much a crawl may fetch and keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// What it may fetch.
    pub budget: Budget,
    /// How many pages it may keep; what is least important, by the policy's own estimate, is given up (UO's limited
    /// buffer). None: all.
    pub buffer: Option<usize>,
    /// How long a URL may be out.
    pub lease: Span,
}

impl Default for Limits {
    fn default() -> Self {
        Self { budget: Budget::Unlimited, buffer: None, lease: DEFAULT_LEASE }
    }
}
