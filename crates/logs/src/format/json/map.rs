//! The tree of keys that leads to the fields of an entry.

use super::super::field::Field;

/// The deepest path followed; deeper ones are not found.
pub(super) const DEPTH_LIMIT: usize = 16;

/// What a value is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sink {
    Field(Field),
    /// A whole request line.
    Request,
    /// A query that belongs behind the target.
    Query,
    /// An object that is there only if the connection was encrypted.
    Tls,
}

impl Sink {
    /// How many there are.
    pub(super) const COUNT: usize = Field::ALL.len() + 3;

    pub(super) fn index(self) -> usize {
        match self {
            Self::Field(field) => field as usize,
            Self::Request => Field::ALL.len(),
            Self::Query => Field::ALL.len() + 1,
            Self::Tls => Field::ALL.len() + 2,
        }
    }
}

/// What the value at a place in the object is for, and the keys inside it.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// With each sink its rank: where several paths lead to one field, the lowest with a value wins.
    pub(super) sinks: Vec<(Sink, u8)>,
    /// A tag for each key, so that most keys of a line are turned away without a look at their bytes.
    tags: Vec<u32>,
    keys: Vec<(String, Node)>,
}

/// Length, first and last byte of a key, in lower case.
fn tag(key: &str) -> u32 {
    let byte = |byte: Option<&u8>| u32::from(byte.map_or(0, u8::to_ascii_lowercase));
    let (first, last) = (byte(key.as_bytes().first()), byte(key.as_bytes().last()));
    u32::try_from(key.len()).unwrap_or(u32::MAX) << 16 ^ first << 8 ^ last
}

impl Node {
    /// The place that a key leads to.
    pub(super) fn child(&self, key: &str) -> Option<&Self> {
        self.position(key).map(|at| &self.keys[at].1)
    }

    fn position(&self, key: &str) -> Option<usize> {
        let wanted = tag(key);
        let mut tagged = self.tags.iter().enumerate().filter(|(_, tag)| **tag == wanted);
        tagged.find(|(at, _)| self.keys[*at].0.eq_ignore_ascii_case(key)).map(|(at, _)| at)
    }

    fn child_mut(&mut self, key: &str) -> &mut Self {
        let at = self.position(key).unwrap_or_else(|| {
            self.tags.push(tag(key));
            self.keys.push((key.to_owned(), Self::default()));
            self.keys.len() - 1
        });
        &mut self.keys[at].1
    }

    fn insert(&mut self, path: &str, sink: Sink, rank: u8) {
        let mut node = &mut *self;
        for key in path.split('.').take(DEPTH_LIMIT) {
            node = node.child_mut(key);
        }
        node.sinks.push((sink, rank));
        // Some tools flatten objects: `"http.request.method": "GET"`.
        if path.contains('.') {
            self.child_mut(path).sinks.push((sink, rank));
        }
    }
}

/// Which path holds which field.
#[derive(Clone, Debug)]
pub struct JsonMap {
    preset: Option<&'static str>,
    root: Node,
    has_host: bool,
}

/// Paths of a preset in order of preference.
pub(super) type Names = [(Sink, &'static str)];

impl JsonMap {
    /// The operator's paths first, then those of each list in turn.
    pub(super) fn new(preset: Option<&'static str>, hints: &[(Field, String)], lists: &[&Names]) -> Self {
        let mut root = Node::default();
        let mut has_host = false;
        let hinted = hints.iter().map(|(field, path)| (Sink::Field(*field), path.as_str()));
        let listed = lists.iter().flat_map(|list| list.iter().copied());
        for (rank, (sink, path)) in hinted.chain(listed).enumerate() {
            // A path that the operator gave replaces what would be guessed, even where a record lacks it.
            let overruled = rank >= hints.len() && hints.iter().any(|(field, _)| settles(*field, sink));
            if !overruled {
                root.insert(path, sink, u8::try_from(rank).unwrap_or(u8::MAX - 1).min(u8::MAX - 1));
                has_host |= sink == Sink::Field(Field::Host);
            }
        }
        Self { preset, root, has_host }
    }

    pub(super) fn root(&self) -> &Node {
        &self.root
    }

    /// `json`, or `json (caddy)`.
    pub(in super::super) fn name(&self) -> String {
        self.preset.map_or_else(|| "json".to_owned(), |preset| format!("json ({preset})"))
    }

    /// The same map, for a log that was seen to name hosts or not to.
    pub(in super::super) fn with_host(self, has_host: bool) -> Self {
        Self { has_host, ..self }
    }

    /// Whether a path leads to the host, as far as is known.
    pub(in super::super) fn has_host(&self) -> bool {
        self.has_host
    }
}

/// Whether naming `field` by hand leaves nothing for `sink` to say.
fn settles(field: Field, sink: Sink) -> bool {
    match sink {
        Sink::Field(other) => field == other,
        Sink::Request | Sink::Query => field == Field::Target,
        Sink::Tls => field == Field::Scheme,
    }
}
