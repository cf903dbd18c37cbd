//! A site's URLs as rows of numbers: what the pattern tree is grown from.
//!
//! Every URL of a [`SiteTable`](crate::SiteTable) is taken apart once, into the components of §3 of CIKM 2011 (see
//! `trodden_urls::component`). A row holds the numbers of its components; whatever is counted later is counted in
//! arrays. The shape of a segment is worked out once for each different segment, not once for each URL.
//!
//! Then the floor of privacy is laid ([`floor`]): which components at least k users visited, and so may be named.

mod build;
mod component_table;
mod floor;

use rustc_hash::FxHashMap;
use trodden_urls::{general_shape, segment_shape};

pub(crate) use component_table::{ComponentId, ComponentTable};
pub(crate) use floor::tells_no_secret;

use crate::key::{Key, KeyId};

/// The rows of a site.
#[derive(Debug)]
pub(crate) struct Columns {
    components: ComponentTable,
    /// Names of parameters, by [`KeyId`] less [`KeyId::PARAMETERS`].
    parameters: Vec<Box<str>>,
    /// The place of each parameter in the order of names: ties between keys.
    parameter_order: Vec<u32>,
    /// Where each URL's row ends.
    ends: Vec<usize>,
    rows: Vec<ComponentId>,
    /// The general forms of shapes, where they are other components of the site.
    general: FxHashMap<ComponentId, ComponentId>,
    /// By component: may it be named?
    public: Vec<bool>,
    /// By parameter: may its name be named?
    public_parameters: Vec<bool>,
}

impl Columns {
    /// How many URLs there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn components(&self) -> &ComponentTable {
        &self.components
    }

    /// How many keys there are, those by position included.
    pub(crate) fn keys(&self) -> usize {
        KeyId::PARAMETERS as usize + self.parameters.len()
    }

    pub(crate) fn key(&self, id: KeyId) -> Key {
        id.positional()
            .unwrap_or_else(|| Key::Parameter(self.parameters[id.index() - KeyId::PARAMETERS as usize].clone()))
    }

    /// The place of a key among all keys.
    pub(crate) fn order(&self, key: KeyId) -> u32 {
        match key.0.checked_sub(KeyId::PARAMETERS) {
            Some(parameter) => KeyId::PARAMETERS + self.parameter_order[parameter as usize],
            None => key.0,
        }
    }

    /// The components of a URL.
    pub(crate) fn row(&self, url: u32) -> &[ComponentId] {
        let url = url as usize;
        let start = if url == 0 { 0 } else { self.ends[url - 1] };
        &self.rows[start..self.ends[url]]
    }

    /// The component that a URL has for a key.
    pub(crate) fn get(&self, url: u32, key: KeyId) -> Option<ComponentId> {
        self.row(url).iter().copied().find(|id| self.components.key(*id) == key)
    }

    /// The general form of a shape, if that is another component of the site. Where a shape has no branch, its general
    /// form may have one: whoever locates a URL cannot know which of them the tree was grown from.
    pub(crate) fn general(&self, id: ComponentId) -> Option<ComponentId> {
        self.general.get(&id).copied()
    }

    /// Whether a component's value may be named.
    pub(crate) fn is_public(&self, id: ComponentId) -> bool {
        self.public[id.index()]
    }

    /// Whether a key may be named: positions always, parameters if enough users had them.
    pub(crate) fn is_public_key(&self, key: KeyId) -> bool {
        key.0.checked_sub(KeyId::PARAMETERS).is_none_or(|parameter| self.public_parameters[parameter as usize])
    }
}

impl Columns {
    /// Whether a URL may be named as a whole, `text` being how it is written: nothing in it is below the floor, and
    /// nothing looks like a secret. Shapes are not looked at, for their literals are parts of the values.
    pub(crate) fn may_name(&self, url: u32, text: &str) -> bool {
        let is_public = |id: &ComponentId| {
            let key = self.components.key(*id);
            self.is_public_key(key) && (key.is_shape() || self.is_public(*id))
        };
        self.row(url).iter().all(is_public) && tells_no_secret(text)
    }
}

/// The class of a parameter's value or a host label: its shape without letters of anybody's.
pub(crate) fn value_class(value: &str) -> String {
    let (mut shape, mut class) = (String::new(), String::new());
    segment_shape(value, &mut shape);
    general_shape(&shape, &mut class);
    class
}
