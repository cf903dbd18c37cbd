//! A row of a table of views, and what can be wrong with one.

/// When views were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// From this time on, in milliseconds since 1970, UTC.
    Time(i64),
    /// In a bin that has a number and no date.
    Bin(u32),
    /// The table does not tell.
    Unknown,
}

/// So many views of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewsRow<'a> {
    /// The host, if it has a column of its own.
    pub host: Option<&'a str>,
    /// The page: an absolute URL, a URL without scheme, or a path.
    pub page: &'a str,
    /// When.
    pub when: When,
    /// How many: finite, not negative, at most [`ViewsRow::MOST_VIEWS`]. A share where the column is one of weights.
    pub views: f64,
    /// By how many users, if the table tells.
    pub users: Option<u64>,
}

impl ViewsRow<'_> {
    /// More views than any page has: a larger count is a fault of whoever wrote the table.
    pub const MOST_VIEWS: f64 = 1e12;
}

/// Why a row does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowFault {
    /// A sum over all pages: they are counted one by one.
    Total,
    /// A sum over pages that the tool does not name.
    Others,
    /// It has more or fewer cells than the header, or a quote that nothing closes.
    Malformed,
    /// The count is missing or no number.
    NotANumber,
    /// The count is below zero.
    Negative,
    /// The count is beyond [`ViewsRow::MOST_VIEWS`].
    TooMany,
    /// The date is none.
    BadDate,
    /// The page is no URL.
    NotAUrl,
    /// A path, and nobody said of which site.
    NoSite,
    /// Of another site than the one that was asked for.
    OtherSite,
    /// What a page loads, and no page.
    Asset,
}

impl RowFault {
    /// All of them, in the order of the ledger.
    pub const ALL: [Self; 11] = [
        Self::Total,
        Self::Others,
        Self::Malformed,
        Self::NotANumber,
        Self::Negative,
        Self::TooMany,
        Self::BadDate,
        Self::NotAUrl,
        Self::NoSite,
        Self::OtherSite,
        Self::Asset,
    ];

    /// Its name in a ledger.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Others => "others",
            Self::Malformed => "malformed",
            Self::NotANumber => "not-a-number",
            Self::Negative => "negative",
            Self::TooMany => "too-many",
            Self::BadDate => "bad-date",
            Self::NotAUrl => "not-a-url",
            Self::NoSite => "no-site",
            Self::OtherSite => "other-site",
            Self::Asset => "asset",
        }
    }
}
