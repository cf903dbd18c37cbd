//! Why are there no page views in a table?

use std::fmt;

use super::row::RowFault;

/// Why nothing was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WithoutViews {
    /// A header and nothing else.
    NoRow,
    /// Rows, but none that counts; most of them because of this.
    Fault(RowFault),
    /// Rows without a time, where the time matters.
    NoTime,
    /// Tables whose times cannot be compared.
    MixedTimes,
    /// Visits, of which there is none.
    NoVisit,
}

impl fmt::Display for WithoutViews {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRow => f.write_str("there is no row after the header"),
            Self::Fault(RowFault::NoSite) => f.write_str("its pages are paths, and nobody said of which site"),
            Self::Fault(RowFault::OtherSite) => f.write_str("no row is of the named site"),
            Self::Fault(fault) => write!(f, "no row counts, most because of: {}", fault.as_str()),
            Self::NoTime => f.write_str("no row tells when it was viewed"),
            Self::MixedTimes => f.write_str("some have dates and some only numbers; read them one by one"),
            Self::NoVisit => f.write_str("there is not one"),
        }
    }
}
