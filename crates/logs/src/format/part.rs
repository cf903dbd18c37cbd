//! A field of a template: what it means, and where it ends.

use super::literal::Literal;

/// What the bytes of a field mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Skip,
    Address,
    Forwarded,
    /// A cookie or an id: tells people apart better than a name.
    User,
    /// A name that counts only where there is no [`Slot::User`].
    UserName,
    Time,
    /// A piece of time in the n-th pattern of the template.
    Pattern(u8),
    Request,
    Method,
    Target,
    Query,
    Host,
    /// The configured name of the server, which counts only where there is no [`Slot::Host`].
    ServerName,
    Port,
    Scheme,
    /// nginx's `$https`: `on` or nothing.
    HttpsFlag,
    Status,
    Referrer,
    Agent,
    ContentType,
}

/// How the end of a field is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// The next occurrence; the field is short, so byte by byte.
    Short,
    /// The next occurrence.
    Long,
    /// The next occurrence outside a backslash escape.
    Quoted,
    /// The next occurrence that does not follow a comma: an unquoted list of addresses.
    List,
}

/// A field and the literal after it.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) slot: Slot,
    pub(super) search: Search,
    pub(super) end: Literal,
    /// How many occurrences of `end` belong to the field itself: a common-log stamp holds one space.
    pub(super) inside: u8,
    /// The literal is the start of the next field: `$host$request_uri`.
    pub(super) kept: bool,
}

/// A field, cut off the front of a line.
pub(super) struct Cut<'a> {
    pub(super) field: &'a [u8],
    pub(super) rest: &'a [u8],
    /// Whether the field may hold a backslash.
    pub(super) escaped: bool,
}

impl Part {
    /// Cuts the field off; `None` if nothing ends it.
    #[inline]
    pub(super) fn cut<'a>(&self, text: &'a [u8]) -> Option<Cut<'a>> {
        let mut inside = self.inside;
        let mut escaped = self.search != Search::Quoted;
        let mut from = 0;
        loop {
            let at = match self.search {
                Search::Short => self.end.near(text, from)?,
                Search::Long | Search::List => self.end.far(text, from)?,
                Search::Quoted => self.end.far_or_backslash(text, from)?,
            };
            if self.end.stands_at(text, at) && !(self.search == Search::List && at > 0 && text[at - 1] == b',') {
                if inside == 0 {
                    let next = if self.kept { at } else { at + self.end.len() };
                    return Some(Cut { field: &text[..at], rest: &text[next..], escaped });
                }
                inside -= 1;
                from = at + 1;
            } else if self.search == Search::Quoted && text[at] == b'\\' {
                escaped = true;
                from = at + 2;
            } else {
                from = at + 1;
            }
        }
    }
}
