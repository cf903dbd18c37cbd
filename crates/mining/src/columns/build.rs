//! How is a table taken apart?
//!
//! URLs come in the order of their texts, so a URL mostly repeats the host and the first segments of the one before:
//! those are compared, not looked up. What is new is looked up by key and value; only what was never seen has its
//! shape worked out.

use rustc_hash::FxHashMap;
use trodden_urls::component::{UrlParts, readable};
use trodden_urls::{ComponentKey, segment_shape};

use super::{Columns, ComponentId, ComponentTable, floor};
use crate::SiteTable;
use crate::key::KeyId;

/// What is known of a segment when it is met again at the same place.
#[derive(Clone, Copy)]
struct Segment<'t> {
    raw: &'t str,
    value: ComponentId,
    shape: ComponentId,
}

struct Builder<'t> {
    components: ComponentTable,
    /// By component, for path values: the shape of the segment.
    shapes: Vec<Option<ComponentId>>,
    parameters: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, u32>,
    host: (&'t str, Vec<ComponentId>),
    depths: Vec<Option<ComponentId>>,
    slashes: [ComponentId; 2],
    last: Vec<Segment<'t>>,
    shape: String,
}

impl Columns {
    /// Takes all URLs of a table apart. A literal may be named if at least `min_users` visited it.
    pub(crate) fn of(table: &SiteTable, min_users: u32) -> Self {
        let urls = table.len();
        let mut builder = Builder::new(urls);
        let mut rows = Vec::with_capacity(urls * 8);
        let mut ends = Vec::with_capacity(urls);
        for url in 0..u32::try_from(urls).unwrap_or(u32::MAX) {
            builder.push_row(table.url(url), &mut rows);
            ends.push(rows.len());
        }
        let Builder { components, parameters, .. } = builder;
        let mut by_name: Vec<u32> = (0..u32::try_from(parameters.len()).unwrap_or(u32::MAX)).collect();
        by_name.sort_unstable_by_key(|p| &parameters[*p as usize]);
        let mut parameter_order = vec![0; parameters.len()];
        for (place, parameter) in (0..).zip(&by_name) {
            parameter_order[*parameter as usize] = place;
        }
        let mut columns = Self {
            components,
            parameters,
            parameter_order,
            ends,
            rows,
            general: FxHashMap::default(),
            public: Vec::new(),
            public_parameters: Vec::new(),
        };
        floor::lay(&mut columns, table, min_users);
        columns
    }

    /// Puts other components in the place of some, row by row.
    pub(super) fn replace(&mut self, by: &FxHashMap<ComponentId, ComponentId>) {
        for id in &mut self.rows {
            if let Some(other) = by.get(id) {
                *id = *other;
            }
        }
    }

    pub(super) fn components_mut(&mut self) -> &mut ComponentTable {
        &mut self.components
    }
}

impl<'t> Builder<'t> {
    fn new(urls: usize) -> Self {
        let mut components = ComponentTable::with_capacity(urls + urls / 4);
        let no = components.intern(KeyId::SLASH, ComponentKey::NO).0;
        let yes = components.intern(KeyId::SLASH, ComponentKey::YES).0;
        Self {
            components,
            shapes: Vec::new(),
            parameters: Vec::new(),
            numbers: FxHashMap::default(),
            host: ("", Vec::new()),
            depths: Vec::new(),
            slashes: [no, yes],
            last: Vec::new(),
            shape: String::new(),
        }
    }

    fn push_row(&mut self, url: &'t str, rows: &mut Vec<ComponentId>) {
        let parts = UrlParts::of(url);
        if parts.host() != self.host.0 {
            let labels =
                parts.labels().enumerate().map(|(at, label)| self.components.intern(KeyId::label(at), label).0);
            self.host = (parts.host(), labels.collect());
        }
        rows.extend_from_slice(&self.host.1);
        rows.push(self.depth(parts.depth()));
        rows.push(self.slashes[usize::from(parts.trailing_slash())]);
        let segments = parts.segments();
        let mut at = self.last.iter().zip(segments).take_while(|(last, segment)| last.raw == **segment).count();
        self.last.truncate(at);
        while let Some(raw) = segments.get(at) {
            let segment = self.segment(at, raw);
            self.last.push(segment);
            at += 1;
        }
        rows.extend(self.last.iter().map(|segment| segment.shape));
        rows.extend(self.last.iter().map(|segment| segment.value));
        for (name, values) in parts.parameters() {
            let key = self.parameter(name);
            rows.push(self.components.intern(key, &values.readable()).0);
        }
    }

    fn depth(&mut self, depth: usize) -> ComponentId {
        if self.depths.len() <= depth {
            self.depths.resize(depth + 1, None);
        }
        if let Some(id) = self.depths[depth] {
            return id;
        }
        let (id, _) = self.components.intern(KeyId::DEPTH, &depth.to_string());
        self.depths[depth] = Some(id);
        id
    }

    fn segment(&mut self, at: usize, raw: &'t str) -> Segment<'t> {
        let text = readable(raw);
        // `%FF` is shown as it is written, and so is the text that `%25FF` decodes to: one value, two shapes.
        let is_undecoded = text.contains('%') && *text == *raw;
        let (value, _) = self.components.intern(KeyId::value(at), &text);
        if self.shapes.len() <= value.index() {
            self.shapes.resize(value.index() + 1, None);
        }
        if !is_undecoded && let Some(shape) = self.shapes[value.index()] {
            return Segment { raw, value, shape };
        }
        self.shape.clear();
        segment_shape(raw, &mut self.shape);
        let (shape, _) = self.components.intern(KeyId::shape(at), &self.shape);
        if !is_undecoded {
            self.shapes[value.index()] = Some(shape);
        }
        Segment { raw, value, shape }
    }

    fn parameter(&mut self, name: &str) -> KeyId {
        if let Some(number) = self.numbers.get(name) {
            return KeyId(*number);
        }
        let number = KeyId::PARAMETERS + u32::try_from(self.parameters.len()).expect("fewer names than URLs times 32");
        self.parameters.push(name.into());
        self.numbers.insert(name.into(), number);
        KeyId(number)
    }
}
