//! From a list of fields and literals to a [`Template`].
//!
//! nginx and Apache strings differ in spelling only. Both readers hand over [`Piece`]s; what must hold of a format
//! whoever wrote it is checked here: fields can be told apart, and there is a target and a time.

use super::error::FormatError;
use super::field::Field;
use super::literal::Literal;
use super::part::{Part, Search, Slot};
use super::strftime::Pattern;
use super::template::{Tail, Template};

/// More fields than any format in use has.
const FIELD_LIMIT: usize = 256;

/// A field or the text between two fields.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Literal(Vec<u8>),
    Field {
        what: What,
        /// As the operator wrote it, for messages.
        label: String,
    },
}

/// What a field is, as far as compiling cares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A field with one meaning.
    Slot(Slot),
    /// The same, where no other field of the format has this meaning.
    Weak(Slot),
    /// A time as the common log writes it.
    CommonTime,
    /// A time in ISO 8601.
    IsoTime,
    /// A time by pattern.
    Pattern(Pattern),
    /// `$is_args`: a question mark or nothing.
    QuestionMark,
    /// `%q`: a question mark and the query, or nothing.
    MarkedQuery,
    /// A path without its query.
    Path,
}

impl Piece {
    pub(super) fn field(what: What, label: impl Into<String>) -> Self {
        Self::Field { what, label: label.into() }
    }
}

/// Appends text, joining it to a literal before it.
pub(super) fn push_literal(pieces: &mut Vec<Piece>, text: &[u8]) {
    match pieces.last_mut() {
        Some(Piece::Literal(before)) => before.extend_from_slice(text),
        _ if text.is_empty() => {}
        _ => pieces.push(Piece::Literal(text.to_vec())),
    }
}

/// Compiles a format, or says what is wrong with it.
pub(super) fn template(name: &'static str, pieces: Vec<Piece>, tail: Tail) -> Result<Template, FormatError> {
    let pieces = join_queries(pieces);
    let fields = || {
        pieces.iter().filter_map(|piece| match piece {
            Piece::Field { what, .. } => Some(what),
            Piece::Literal(_) => None,
        })
    };
    if fields().count() > FIELD_LIMIT {
        return Err(FormatError::TooLong(FIELD_LIMIT));
    }
    let strong: Vec<Slot> =
        fields().filter_map(|what| if let What::Slot(slot) = what { Some(*slot) } else { None }).collect();
    check(&strong, fields())?;
    assemble(name, &pieces, tail, &strong)
}

/// `$uri$is_args$args` and `%U%q` are one field: the target.
fn join_queries(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let Piece::Field { what: next, label: next_label } = &piece else {
            joined.push(piece);
            continue;
        };
        if let Some(Piece::Field { what: last, label }) = joined.last_mut() {
            let continues = match (&*last, next) {
                (What::Path, What::QuestionMark | What::MarkedQuery) => true,
                (What::Slot(Slot::Target), What::Slot(Slot::Query)) => label.ends_with("$is_args"),
                _ => false,
            };
            if continues {
                *last = What::Slot(Slot::Target);
                label.push_str(next_label);
                continue;
            }
        }
        joined.push(piece);
    }
    joined
}

/// A line is a visit only if it says what was asked for, and when.
fn check<'a>(strong: &[Slot], mut fields: impl Iterator<Item = &'a What> + Clone) -> Result<(), FormatError> {
    let target = strong.iter().any(|slot| matches!(slot, Slot::Request | Slot::Target))
        || fields.clone().any(|what| matches!(what, What::Path));
    if !target {
        return Err(FormatError::Missing(Field::Target, "$request or $request_uri (Apache: %r, or %U%q)"));
    }
    let time = fields.any(|what| match what {
        What::CommonTime | What::IsoTime | What::Slot(Slot::Time) => true,
        What::Pattern(pattern) => pattern.has_date(),
        _ => false,
    });
    if !time {
        return Err(FormatError::Missing(Field::Time, "$time_local or $time_iso8601 (Apache: %t)"));
    }
    Ok(())
}

/// Whether a text of this field always starts with a slash.
fn is_rooted(what: &What) -> bool {
    matches!(what, What::Path | What::Slot(Slot::Target))
}

/// Whether a text of this field never holds a slash, so that one after it starts the next field.
fn holds_no_slash(what: &What) -> bool {
    use Slot::{Address, Host, HttpsFlag, Method, Port, ServerName, Status};
    match what {
        What::Slot(slot) | What::Weak(slot) => {
            matches!(slot, Address | Host | ServerName | Port | HttpsFlag | Method | Status)
        }
        _ => false,
    }
}

fn assemble(name: &'static str, pieces: &[Piece], tail: Tail, strong: &[Slot]) -> Result<Template, FormatError> {
    let mut lead = Vec::new();
    let mut parts = Vec::new();
    let mut open = None;
    let mut patterns = Vec::new();
    let mut quotes = 0;
    let mut pieces = pieces.iter().peekable();
    while let Some(piece) = pieces.next() {
        let (what, label) = match piece {
            // Only the first piece: every other literal is taken together with the field before it.
            Piece::Literal(text) => {
                quotes += count_quotes(text);
                lead.clone_from(text);
                continue;
            }
            Piece::Field { what, label } => (what, label),
        };
        let quoted = quotes % 2 == 1;
        let slot = slot_of(what, strong, &mut patterns);
        let (end, kept) = match pieces.peek() {
            None => {
                open = Some(slot);
                break;
            }
            Some(Piece::Literal(text)) => {
                let text = text.clone();
                pieces.next();
                (text, false)
            }
            Some(Piece::Field { what: next, .. }) if is_rooted(next) && holds_no_slash(what) => (b"/".to_vec(), true),
            Some(Piece::Field { label: next, .. }) => {
                return Err(FormatError::Adjacent(label.clone(), next.clone()));
            }
        };
        if !kept {
            quotes += count_quotes(&end);
        }
        let inside = occurrences(&sample(what), &end);
        let search = match slot {
            Slot::Forwarded if !quoted => Search::List,
            _ if quoted => Search::Quoted,
            Slot::Address | Slot::UserName | Slot::Skip | Slot::Status | Slot::Method => Search::Short,
            _ => Search::Long,
        };
        let end = Literal::new(&end).ok_or_else(|| FormatError::Unfinished(label.clone()))?;
        parts.push(Part { slot, search, end, inside, kept });
    }
    Ok(Template {
        name,
        usual: false,
        extra: 0,
        lead: lead.into(),
        parts: parts.into(),
        open,
        tail,
        patterns: patterns.into(),
    })
}

/// What to do with a field, given that others may say the same better.
fn slot_of(what: &What, strong: &[Slot], patterns: &mut Vec<Pattern>) -> Slot {
    let request = strong.contains(&Slot::Request);
    let target = request || strong.contains(&Slot::Target);
    match what {
        What::Slot(Slot::Method | Slot::Target | Slot::Query) if request => Slot::Skip,
        What::Slot(Slot::Query) | What::Path if target => Slot::Skip,
        What::Path => Slot::Target,
        What::Slot(slot) => *slot,
        What::Weak(slot) if strong.contains(slot) => Slot::Skip,
        What::Weak(slot) => *slot,
        What::CommonTime | What::IsoTime => Slot::Time,
        What::QuestionMark => Slot::Skip,
        What::MarkedQuery if target => Slot::Skip,
        What::MarkedQuery => Slot::Query,
        What::Pattern(pattern) => {
            patterns.push(pattern.clone());
            // FIELD_LIMIT keeps the index within a byte.
            u8::try_from(patterns.len() - 1).map_or(Slot::Skip, Slot::Pattern)
        }
    }
}

/// A text of this field, where its form is fixed.
fn sample(what: &What) -> Vec<u8> {
    match what {
        What::CommonTime => b"26/Jan/2019:19:45:25 +0000".to_vec(),
        What::IsoTime => b"2019-01-26T19:45:25+00:00".to_vec(),
        What::Pattern(pattern) => pattern.sample(),
        What::Slot(Slot::Request) => b"GET / HTTP/1.1".to_vec(),
        _ => Vec::new(),
    }
}

fn occurrences(text: &[u8], of: &[u8]) -> u8 {
    let count = text.windows(of.len().max(1)).filter(|window| *window == of).count();
    u8::try_from(count).unwrap_or(u8::MAX)
}

fn count_quotes(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'"').count()
}
