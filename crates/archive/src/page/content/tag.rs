//! What does a tag mean for links and words?

/// Tags that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Anchor,
    Area,
    Base,
    Image,
    Link,
    Meta,
    Title,
    Template,
    Drawing,
    /// `frame`, which holds nothing.
    Frame,
    /// `iframe`, whose words are not shown.
    InlineFrame,
    /// Its words are not shown.
    Hidden,
    /// Within a line: it does not part words.
    Inline,
    /// Everything else.
    Block,
}

/// How what follows a start tag is to be read, if not as tags and text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Raw {
    /// Text with entities, up to the end tag: `title`, `textarea`.
    Words,
    /// Anything, up to the end tag: `style`, `iframe`, `xmp`, `noembed`, `noframes`.
    Text,
    /// The same with comments in it that may hold scripts: `script`.
    Script,
    /// Anything, up to the end of the page: `plaintext`.
    Rest,
}

/// Up to eight bytes of a name in lower case, as one number: names are compared at once. It starts with a byte that no
/// text has, so that names of different lengths differ.
const fn key(name: &[u8]) -> u64 {
    let mut key = 0xff;
    let mut at = 0;
    while at < name.len() && at < 8 {
        key = key << 8 | name[at].to_ascii_lowercase() as u64;
        at += 1;
    }
    key
}

/// A `match` over names of at most eight bytes.
macro_rules! by_name {
    ($key:expr, $($($name:ident)|+ => $value:expr,)+ _ => $other:expr $(,)?) => {{
        #[allow(non_upper_case_globals, reason = "the constants are named as the tags are")]
        mod names {
            $($(pub(super) const $name: u64 = super::key(stringify!($name).as_bytes());)+)+
        }
        match $key {
            $($(names::$name)|+ => $value,)+
            _ => $other,
        }
    }};
}

impl Tag {
    /// In any case of letters.
    pub(super) fn named(name: &[u8]) -> (Self, Option<Raw>) {
        if name.len() > 8 {
            return (Self::Block, name.eq_ignore_ascii_case(b"plaintext").then_some(Raw::Rest));
        }
        by_name! { key(name),
            a => (Self::Anchor, None),
            area => (Self::Area, None),
            base => (Self::Base, None),
            img => (Self::Image, None),
            link => (Self::Link, None),
            meta => (Self::Meta, None),
            title => (Self::Title, Some(Raw::Words)),
            textarea => (Self::Block, Some(Raw::Words)),
            template => (Self::Template, None),
            svg => (Self::Drawing, None),
            frame => (Self::Frame, None),
            iframe => (Self::InlineFrame, Some(Raw::Text)),
            script => (Self::Hidden, Some(Raw::Script)),
            style | noembed | noframes => (Self::Hidden, Some(Raw::Text)),
            xmp => (Self::Block, Some(Raw::Text)),
            abbr | acronym | b | bdi | bdo | big | cite | code | data | del | dfn | em | font | i | ins | kbd
            | mark | nobr | q | s | samp | small | span | strike | strong | sub | sup | time | tt | u | var
            | wbr => (Self::Inline, None),
            _ => (Self::Block, None),
        }
    }

    /// Whether its attributes are of interest.
    pub(super) fn is_read(self) -> bool {
        match self {
            Self::Anchor | Self::Area | Self::Base | Self::Image | Self::Link | Self::Meta => true,
            Self::Frame | Self::InlineFrame => true,
            Self::Title | Self::Template | Self::Drawing | Self::Hidden | Self::Inline | Self::Block => false,
        }
    }

    /// Whether the words before and after it are two.
    pub(super) fn parts_words(self) -> bool {
        !matches!(self, Self::Inline | Self::Anchor | Self::Image)
    }
}

/// Attributes that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attribute {
    Href,
    Rel,
    Alt,
    Name,
    Content,
    Src,
    Type,
    HttpEquiv,
}

impl Attribute {
    /// How many there are.
    pub(super) const COUNT: usize = 8;

    /// In any case of letters.
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        if name.len() > 8 {
            return name.eq_ignore_ascii_case(b"http-equiv").then_some(Self::HttpEquiv);
        }
        by_name! { key(name),
            href => Some(Self::Href),
            rel => Some(Self::Rel),
            alt => Some(Self::Alt),
            name => Some(Self::Name),
            content => Some(Self::Content),
            src => Some(Self::Src),
            _ => name.eq_ignore_ascii_case(b"type").then_some(Self::Type),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_names_are_told_apart_whole_and_in_any_case() {
        assert_eq!(Tag::named(b"A"), (Tag::Anchor, None));
        assert_eq!(Tag::named(b"TextArea"), (Tag::Block, Some(Raw::Words)));
        assert_eq!(Tag::named(b"plainText"), (Tag::Block, Some(Raw::Rest)));
        assert_eq!(Tag::named(b"noframes"), (Tag::Hidden, Some(Raw::Text)));
        for name in [&b"noframesx"[..], b"\0a", b"ax", b"", b"plaintexts", b"a\0"] {
            assert_eq!(Tag::named(name), (Tag::Block, None));
        }
        assert_eq!(Attribute::named(b"TYPE"), Some(Attribute::Type));
        assert_eq!(Attribute::named(b"http-Equiv"), Some(Attribute::HttpEquiv));
        for name in [&b"data-href"[..], b"\0href", b"\x01content", b"hre"] {
            assert_eq!(Attribute::named(name), None);
        }
    }
}
