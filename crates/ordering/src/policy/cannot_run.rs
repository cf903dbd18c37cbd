//! Why can a policy not run here?

/// What a policy lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CannotRun {
    /// Nobody said what is looked for.
    #[error("there is no topic")]
    NoTopic,
    /// What people read is not known.
    #[error("there is no log to learn from")]
    NoLog,
    /// What people will read is not known.
    #[error("there is no traffic to know beforehand")]
    NoTraffic,
    /// The log has too little of the site.
    #[error("the site has no model: {}", .0.as_deref().unwrap_or("nobody visited it"))]
    NoModel(Option<String>),
    /// Pages are numbers only.
    #[error("the mirror has no URLs")]
    NoUrls,
    /// What pages say is not known.
    #[error("the mirror has no page text")]
    NoPageTexts,
    /// Neither link texts nor URLs.
    #[error("the mirror has neither URLs nor link texts")]
    NothingToRead,
    /// An oracle.
    #[error("it knows what no crawler can know")]
    Oracle,
    /// Not an oracle.
    #[error("it is no oracle")]
    NoOracle,
    /// Not one of the orders by pattern.
    #[error("it does not rank patterns")]
    NoRanking,
}
