//! Every way in which a line can fail to be a visit.

use crate::input::FileFault;

/// Why a line that could be read is not a visit. The first that applies counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum DropReason {
    /// A directive or a line of column names.
    Header,
    /// A method other than GET.
    Method,
    /// The server sent the reader elsewhere (3xx other than 304).
    Redirect,
    /// Any other answer than 200, 203 or 304.
    Status,
    /// A bot that says so.
    Bot,
    /// A stylesheet, script, image, font, film, archive.
    Asset,
    /// Meant for programs: robots.txt, feeds, sitemaps, APIs, raw logs.
    Machine,
    /// Login forms and back rooms.
    LoginAdmin,
    /// An address that asks more than a person can.
    Group,
    /// Loaded by a page, not by a person.
    Embedded,
    /// A user who behaves like no browser.
    Scanner,
    /// Another site's, where the operator named the one that counts.
    OtherSite,
}

impl DropReason {
    /// All reasons, in the order in which they are tried.
    pub const ALL: [Self; 12] = [
        Self::Header,
        Self::Method,
        Self::Redirect,
        Self::Status,
        Self::Bot,
        Self::Asset,
        Self::Machine,
        Self::LoginAdmin,
        Self::Group,
        Self::Embedded,
        Self::Scanner,
        Self::OtherSite,
    ];

    /// The name in ledgers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Method => "method",
            Self::Redirect => "redirect",
            Self::Status => "status",
            Self::Bot => "bot",
            Self::Asset => "asset",
            Self::Machine => "machine",
            Self::LoginAdmin => "login-admin",
            Self::Group => "group",
            Self::Embedded => "embedded",
            Self::Scanner => "scanner",
            Self::OtherSite => "other-site",
        }
    }

    /// What it means, for a table that people read.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Header => "column names and directives",
            Self::Method => "not a GET",
            Self::Redirect => "sent elsewhere (3xx)",
            Self::Status => "error or no content (not 200, 203, 304)",
            Self::Bot => "bots that say so",
            Self::Asset => "images, styles, scripts, fonts, media",
            Self::Machine => "for programs: feeds, robots.txt, sitemaps, APIs",
            Self::LoginAdmin => "login forms and back rooms",
            Self::Group => "addresses that ask more than a person can",
            Self::Embedded => "loaded by a page, not by a person",
            Self::Scanner => "users that behave like no browser",
            Self::OtherSite => "of another site than the named one",
        }
    }

    /// As a byte on disk: 0 is free for "none".
    pub(crate) fn mark(self) -> u8 {
        self as u8 + 1
    }

    /// The reason that a byte stands for.
    pub(crate) fn of_mark(mark: u8) -> Option<Self> {
        Self::ALL.get(usize::from(mark.checked_sub(1)?)).copied()
    }
}

/// Why a line could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum BadReason {
    /// Nothing on it.
    Blank,
    /// Over the cap on lines.
    TooLong,
    /// Does not fit the format.
    Malformed,
    /// The last line, cut off.
    Torn,
    /// A time that is none.
    BadTime,
    /// A request line that is none.
    BadRequest,
    /// A status that is none.
    BadStatus,
    /// A target that is no URL.
    BadUrl,
    /// The compressed file ends too early.
    TruncatedFile,
    /// The compressed file is damaged.
    DamagedFile,
    /// The file cannot be read on.
    UnreadableFile,
    /// The compressed file grows without end.
    BombFile,
    /// A file that no reader knows.
    UnknownFormat,
}

impl BadReason {
    /// All of them, in the order of the ledger.
    pub const ALL: [Self; 13] = [
        Self::Blank,
        Self::TooLong,
        Self::Malformed,
        Self::Torn,
        Self::BadTime,
        Self::BadRequest,
        Self::BadStatus,
        Self::BadUrl,
        Self::TruncatedFile,
        Self::DamagedFile,
        Self::UnreadableFile,
        Self::BombFile,
        Self::UnknownFormat,
    ];

    /// The name in ledgers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Blank => "blank",
            Self::TooLong => "too-long",
            Self::Malformed => "malformed",
            Self::Torn => "torn",
            Self::BadTime => "bad-time",
            Self::BadRequest => "bad-request",
            Self::BadStatus => "bad-status",
            Self::BadUrl => "bad-url",
            Self::TruncatedFile => "truncated-file",
            Self::DamagedFile => "damaged-file",
            Self::UnreadableFile => "unreadable-file",
            Self::BombFile => "bomb-file",
            Self::UnknownFormat => "unknown-format",
        }
    }
}

impl From<FileFault> for BadReason {
    fn from(fault: FileFault) -> Self {
        match fault {
            FileFault::Truncated => Self::TruncatedFile,
            FileFault::Damaged => Self::DamagedFile,
            FileFault::Unreadable => Self::UnreadableFile,
            FileFault::Bomb => Self::BombFile,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_reasons_are_listed_in_order_and_named_once() {
        for (i, reason) in DropReason::ALL.iter().enumerate() {
            assert_eq!(*reason as usize, i);
        }
        for (i, reason) in BadReason::ALL.iter().enumerate() {
            assert_eq!(*reason as usize, i);
        }
        let mut names: Vec<_> =
            DropReason::ALL.iter().map(|r| r.as_str()).chain(BadReason::ALL.iter().map(|r| r.as_str())).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
