//! What is asked of one key of a URL?

use trodden_urls::ComponentKey;
use trodden_urls::component::{UrlParts, readable};

use super::walk::Shapes;
use crate::columns::value_class;
use crate::key::Key;
use crate::model::Like;

/// A question about a URL.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Label(usize, Box<str>),
    LabelClass(usize, Vec<Box<str>>, bool),
    /// That there is a label, whatever it is.
    LabelThere(usize),
    Depth(usize),
    DepthIn(Vec<usize>),
    Slash(bool),
    /// A segment's text.
    Value(usize, Box<str>),
    /// A segment's shape.
    Shape(usize, Vec<Box<str>>, bool),
    /// A parameter's value; the name is known to whoever asks.
    Parameter(Box<str>, Box<str>),
    ParameterClass(Vec<Box<str>>),
    Anything,
}

impl Test {
    /// That a key has this value.
    pub(super) fn constant(key: &Key, value: &str) -> Self {
        match key {
            Key::HostLabel(at) => Self::Label(usize::from(*at), value.into()),
            Key::Depth => value.parse().map_or(Self::Anything, Self::Depth),
            Key::TrailingSlash => Self::Slash(value == ComponentKey::YES),
            Key::Shape(at) => Self::Shape(usize::from(*at), vec![value.into()], false),
            Key::Value(at) => Self::Value(usize::from(*at), value.into()),
            Key::Parameter(name) => Self::Parameter(name.clone(), value.into()),
        }
    }

    /// That a key is like this.
    pub(super) fn like(key: &Key, like: &Like) -> Self {
        let Some(classes) = &like.classes else {
            return match key {
                Key::HostLabel(at) if !like.optional => Self::LabelThere(usize::from(*at)),
                _ => Self::Anything,
            };
        };
        let boxed = || classes.iter().map(|class| class.as_str().into()).collect::<Vec<Box<str>>>();
        match key {
            Key::HostLabel(at) => Self::LabelClass(usize::from(*at), boxed(), like.optional),
            Key::Depth => Self::DepthIn(classes.iter().filter_map(|depth| depth.parse().ok()).collect()),
            Key::Shape(at) => Self::Shape(usize::from(*at), boxed(), like.optional),
            Key::Parameter(_) => Self::ParameterClass(boxed()),
            Key::TrailingSlash | Key::Value(_) => Self::Anything,
        }
    }

    /// Whether it holds of a URL.
    pub(super) fn holds(&self, parts: &UrlParts<'_>, shapes: &mut Shapes) -> bool {
        match self {
            Self::Label(at, value) => parts.labels().nth(*at).is_some_and(|label| label == &**value),
            Self::LabelClass(at, classes, optional) => match parts.labels().nth(*at) {
                Some(label) => has_class(classes, label),
                None => *optional,
            },
            Self::LabelThere(at) => parts.labels().nth(*at).is_some(),
            Self::Depth(depth) => parts.depth() == *depth,
            Self::DepthIn(depths) => depths.contains(&parts.depth()),
            Self::Slash(slash) => parts.trailing_slash() == *slash,
            Self::Value(at, value) => parts.segments().get(*at).is_some_and(|raw| same(raw, value)),
            Self::Shape(at, classes, optional) => match parts.segments().get(*at) {
                Some(raw) => shapes.is_one_of(*at, raw, classes),
                None => *optional,
            },
            Self::Parameter(name, value) => {
                parts.parameters().any(|(found, values)| found == &**name && *values.readable() == **value)
            }
            Self::ParameterClass(_) | Self::Anything => true,
        }
    }

    /// Whether it holds of a parameter's value.
    pub(super) fn holds_of_value(&self, value: &str) -> bool {
        match self {
            Self::Parameter(_, expected) => *value == **expected,
            Self::ParameterClass(classes) => has_class(classes, value),
            _ => true,
        }
    }
}

/// Whether a segment reads as a value. The same bytes need not: `%41` reads as A, and `%2541` as %41.
fn same(raw: &str, value: &str) -> bool {
    *readable(raw) == *value
}

fn has_class(classes: &[Box<str>], value: &str) -> bool {
    if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) && classes.iter().any(|class| &**class == "#") {
        return true;
    }
    let class = value_class(value);
    classes.iter().any(|known| **known == *class)
}
