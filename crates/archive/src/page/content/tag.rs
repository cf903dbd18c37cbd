//! What does a tag mean for links and words?

use html5gum::State;

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
    /// Its words are not shown.
    Hidden,
    /// Within a line: it does not part words.
    Inline,
    /// Everything else.
    Block,
}

impl Tag {
    pub(super) fn named(name: &[u8]) -> Self {
        match name {
            b"a" => Self::Anchor,
            b"area" => Self::Area,
            b"base" => Self::Base,
            b"img" => Self::Image,
            b"link" => Self::Link,
            b"meta" => Self::Meta,
            b"title" => Self::Title,
            b"template" => Self::Template,
            b"svg" => Self::Drawing,
            b"script" | b"style" | b"iframe" | b"noembed" | b"noframes" => Self::Hidden,
            b"abbr" | b"acronym" | b"b" | b"bdi" | b"bdo" | b"big" | b"cite" | b"code" | b"data" | b"del" | b"dfn"
            | b"em" | b"font" | b"i" | b"ins" | b"kbd" | b"mark" | b"nobr" | b"q" | b"s" | b"samp" | b"small"
            | b"span" | b"strike" | b"strong" | b"sub" | b"sup" | b"time" | b"tt" | b"u" | b"var" | b"wbr" => {
                Self::Inline
            }
            _ => Self::Block,
        }
    }

    /// Whether its attributes are of interest.
    pub(super) fn is_read(self) -> bool {
        matches!(self, Self::Anchor | Self::Area | Self::Base | Self::Image | Self::Link | Self::Meta)
    }

    /// Whether the words before and after it are two.
    pub(super) fn parts_words(self) -> bool {
        !matches!(self, Self::Inline | Self::Anchor | Self::Image)
    }
}

/// How what follows a start tag is to be read, if not as tags and text.
pub(super) fn state_after(name: &[u8]) -> Option<State> {
    match name {
        b"textarea" | b"title" => Some(State::RcData),
        b"plaintext" => Some(State::PlainText),
        b"script" => Some(State::ScriptData),
        b"style" | b"iframe" | b"xmp" | b"noembed" | b"noframes" => Some(State::RawText),
        _ => None,
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
}

impl Attribute {
    /// How many there are.
    pub(super) const COUNT: usize = 5;

    pub(super) fn named(name: &[u8]) -> Option<Self> {
        match name {
            b"href" => Some(Self::Href),
            b"rel" => Some(Self::Rel),
            b"alt" => Some(Self::Alt),
            b"name" => Some(Self::Name),
            b"content" => Some(Self::Content),
            _ => None,
        }
    }
}
