//! Which characters do entities stand for?
//!
//! Most text has none, and most of the rest has `&amp;`, numbers, or a bare `&` between the parameters of a URL: these
//! are done here. The two thousand names of the standard are left to html5gum, which has them all.

use std::borrow::Cow;
use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, State, Tokenizer};
use memchr::{memchr, memchr2};

/// Where a text stands; the rules differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// Between tags.
    Body,
    /// In a title or a field.
    Words,
    /// Where there are no entities: in scripts and the like.
    Raw,
    /// In an attribute.
    Value(Quote),
}

/// What is around the value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    None,
    Single,
    Double,
}

/// A text with its entities resolved.
pub(super) fn resolved(text: &str, context: Context) -> Cow<'_, str> {
    if memchr2(b'&', 0, text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    // The standard has no NUL, but between tags it is left to those who build trees.
    let text = if context != Context::Body && text.contains('\0') {
        Cow::Owned(text.replace('\0', "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    };
    if context == Context::Raw || memchr(b'&', text.as_bytes()).is_none() {
        return text;
    }
    Cow::Owned(common(&text, context).unwrap_or_else(|| any(&text, context)))
}

/// None: there is an entity that is not among the common ones.
fn common(text: &str, context: Context) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let (c, used) = match rest.as_bytes().first() {
            Some(b'#') => number(&rest[1..]).map(|(c, used)| (c, used + 1))?,
            Some(first) if first.is_ascii_alphanumeric() => named(rest, context)?,
            _ => ('&', 0),
        };
        out.push(c);
        rest = &rest[used..];
    }
    out.push_str(rest);
    Some(out)
}

/// A character and how many bytes it takes, after `&`.
fn named(rest: &str, context: Context) -> Option<(char, usize)> {
    for (name, c) in [("amp;", '&'), ("nbsp;", '\u{a0}'), ("quot;", '"'), ("lt;", '<'), ("gt;", '>')] {
        if rest.starts_with(name) {
            return Some((c, name.len()));
        }
    }
    if matches!(context, Context::Value(_)) {
        // An old name without `;` counts here only if neither `=` nor a letter follows: `?a=1&copy=2` is as it looks.
        let end = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let is_old = (2..=6).contains(&end);
        return match rest.as_bytes().get(end) {
            Some(b';') => None,
            Some(b'=') => Some(('&', 0)),
            _ if is_old => None,
            _ => Some(('&', 0)),
        };
    }
    // All names have two letters at least.
    (!rest.as_bytes().get(1).is_some_and(u8::is_ascii_alphanumeric)).then_some(('&', 0))
}

/// A character by its number, after `&#`. None: it is none, or one of those that mean another.
fn number(rest: &str) -> Option<(char, usize)> {
    let (digits, radix, before) = match rest.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 1),
        None => (rest, 10, 0),
    };
    let end = digits.bytes().take_while(|b| char::from(*b).is_digit(radix)).count();
    let code = u32::from_str_radix(&digits[..end], radix).ok()?;
    let c = char::from_u32(code).filter(|c| !c.is_control())?;
    Some((c, before + end + usize::from(digits[end..].starts_with(';'))))
}

/// The same by html5gum: slower, and it knows all names.
fn any(text: &str, context: Context) -> String {
    let mut found = Vec::with_capacity(text.len());
    let quote = match context {
        Context::Value(Quote::Single) => "'",
        Context::Value(Quote::Double) => "\"",
        _ => "",
    };
    let tag = format!("<a b={quote}{text}{quote}>");
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
        if let CallbackEvent::AttributeValue { value } | CallbackEvent::String { value } = event {
            found.extend_from_slice(value);
        }
        None
    });
    let (html, state) = match context {
        Context::Body | Context::Raw => (text, State::Data),
        Context::Words => (text, State::RcData),
        Context::Value(_) => (tag.as_str(), State::Data),
    };
    let mut tokens = Tokenizer::new_with_emitter(html, emitter);
    tokens.set_state(state);
    let Ok(()) = tokens.finish();
    String::from_utf8_lossy(&found).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatwg_entities_are_resolved_by_where_they_stand() {
        let value = Context::Value(Quote::Double);
        for (text, context, expected) in [
            ("a&amp;b&#38;c&#x26;d", Context::Body, "a&b&c&d"),
            ("&eacute;&copy&notit;", Context::Body, "é©¬it;"),
            ("?a=1&copy=2&copyx&b", value, "?a=1&copy=2&copyx&b"),
            ("?a&copy", value, "?a©"),
            ("&copy;=&lt=&lt", value, "©=&lt=<"),
            ("&#128;&#0;&#x110000;&#xd800;&#;&#x;&#13;", value, "€\u{fffd}\u{fffd}\u{fffd}&#;&#x;\r"),
            ("a&", value, "a&"),
            ("a & b &c &1; &é", Context::Words, "a & b &c &1; &é"),
            ("\0", Context::Body, "\0"),
            ("\0&amp;", Context::Words, "\u{fffd}&"),
            ("\0&amp;", Context::Raw, "\u{fffd}&amp;"),
            ("x='y\"&eacute;", Context::Value(Quote::None), "x='y\"é"),
            ("< &eacute; <", Context::Body, "< é <"),
        ] {
            assert_eq!(resolved(text, context), expected, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn ours_the_short_way_and_the_long_way_agree(
            text in "(&|#|x|;|=|amp;?|lt|copy|not|nbsp;|[0-9]{1,3}|[a-z]{1,3}|é| |\\PC){0,12}",
        ) {
            for context in [Context::Body, Context::Words] {
                let text: String = text.chars().filter(|c| *c != '<').collect();
                proptest::prop_assert_eq!(&resolved(&text, context), &any(&text, context));
            }
            for (context, quote) in [(Quote::Single, '\''), (Quote::Double, '"')] {
                let text: String = text.chars().filter(|c| *c != quote).collect();
                let context = Context::Value(context);
                proptest::prop_assert_eq!(&resolved(&text, context), &any(&text, context));
            }
        }
    }
}
