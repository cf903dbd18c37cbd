//! Which parts of URLs may be named?
//!
//! A model is shared, so a literal enters it only if at least k different users visited URLs that hold it, and if it is
//! not token-like. What the operator gave (`SiteTable::is_known`) is public already.
//!
//! A table keeps up to k users of each URL, which is enough: either some URL with the literal has k of them, or every
//! such URL has all of its users there, and their union is exact. Up to k − 1 users of a component are remembered until the
//! k-th comes.
//!
//! A shape keeps short words beside digits and so is a literal too; one that may not be named gives way to its general
//! form, in which every letter run is `{word}`.

use rustc_hash::FxHashMap;
use trodden_urls::{REMOVED_VALUE, general_shape, is_token_like};

use super::{Columns, ComponentId};
use crate::SiteTable;
use crate::key::KeyId;

/// Works out what may be named, and replaces shapes that may not.
pub(super) fn lay(columns: &mut Columns, table: &SiteTable, min_users: u32) {
    let mut public = named(columns, table, min_users);
    let parameters = columns.parameters.iter().zip(&public.1);
    columns.public_parameters = parameters.map(|(name, enough)| *enough && may_be_said(name)).collect();
    let mut instead = FxHashMap::default();
    for id in columns.components.ids() {
        // Most have too few users: no need to look at their texts.
        public.0[id.index()] = public.0[id.index()] && may_be_said(columns.components.value(id));
        if !public.0[id.index()] && columns.components.key(id).is_shape() {
            let mut general = String::new();
            general_shape(columns.components.value(id), &mut general);
            let key = columns.components.key(id);
            instead.insert(id, columns.components_mut().intern(key, &general).0);
        }
    }
    // A general form names nobody.
    public.0.resize(columns.components.len(), true);
    for general in instead.values() {
        public.0[general.index()] = true;
    }
    instead.retain(|shape, general| shape != general);
    if !instead.is_empty() {
        columns.replace(&instead);
    }
    columns.public = public.0;
    columns.general = general_forms(columns);
    // Numbers of segments and slashes are about nobody.
    for id in columns.components.ids() {
        if matches!(columns.components.key(id), KeyId::DEPTH | KeyId::SLASH) {
            columns.public[id.index()] = true;
        }
    }
}

fn general_forms(columns: &Columns) -> FxHashMap<ComponentId, ComponentId> {
    let components = columns.components();
    let mut general = String::new();
    let shapes = components.ids().filter(|id| components.key(*id).is_shape());
    shapes
        .filter_map(|id| {
            general.clear();
            general_shape(components.value(id), &mut general);
            let other = components.find(components.key(id), &general)?;
            (other != id).then_some((id, other))
        })
        .collect()
}

/// Several values of one parameter are joined by `&`: each is looked at.
fn may_be_said(text: &str) -> bool {
    let joined = text.contains('&') && text.split('&').any(is_token_like);
    !text.contains(REMOVED_VALUE) && !is_token_like(text) && !joined
}

/// Whether nothing in a URL is a secret, as it is written: components leave out what is beyond their caps and
/// parameters without a name.
pub(crate) fn tells_no_secret(url: &str) -> bool {
    url.split(['/', '?', '&', '=']).all(may_be_said)
}

/// By component and by parameter: did enough users visit it?
fn named(columns: &Columns, table: &SiteTable, min_users: u32) -> (Vec<bool>, Vec<bool>) {
    let components = columns.components.len();
    if min_users == 0 {
        return (vec![true; components], vec![true; columns.parameters.len()]);
    }
    // Components, then parameters: one space of numbers.
    let of_key = |id: ComponentId| {
        let key = columns.components.key(id);
        key.is_parameter().then(|| components + (key.0 - KeyId::PARAMETERS) as usize)
    };
    let mut users = Users::new(components + columns.parameters.len(), min_users);
    for url in 0..u32::try_from(columns.len()).unwrap_or(u32::MAX) {
        let enough = table.is_known(url) || table.counts(url).users >= u64::from(min_users);
        for id in columns.row(url) {
            for what in std::iter::once(id.index()).chain(of_key(*id)) {
                if enough {
                    users.set_enough(what);
                } else {
                    users.add(what, table.readers(url));
                }
            }
        }
    }
    let mut public = users.enough;
    let parameters = public.split_off(components);
    (public, parameters)
}

/// Different users of many things, each up to a number. Most things have one user, so the users of a thing are a chain in
/// one list for all: a vector for each thing would take seven times the memory.
struct Users {
    least: usize,
    enough: Vec<bool>,
    /// By thing: its last user in `seen`, if it has one.
    last: Vec<u32>,
    /// A user, and where the one before is.
    seen: Vec<(u32, u32)>,
}

/// The end of a chain.
const NOBODY: u32 = u32::MAX;

impl Users {
    fn new(things: usize, least: u32) -> Self {
        Self { least: least as usize, enough: vec![false; things], last: vec![NOBODY; things], seen: Vec::new() }
    }

    fn set_enough(&mut self, what: usize) {
        self.enough[what] = true;
    }

    fn add(&mut self, what: usize, readers: &[u32]) {
        for reader in readers {
            if self.enough[what] {
                return;
            }
            let (mut at, mut users) = (self.last[what], 0);
            while at != NOBODY && self.seen[at as usize].0 != *reader {
                at = self.seen[at as usize].1;
                users += 1;
            }
            if at != NOBODY {
                continue;
            }
            // The last one that is needed need not be remembered.
            if users + 1 >= self.least {
                self.enough[what] = true;
                return;
            }
            // A list that is full names less, never more.
            let place = u32::try_from(self.seen.len()).unwrap_or(NOBODY);
            if place != NOBODY {
                self.seen.push((*reader, self.last[what]));
                self.last[what] = place;
            }
        }
    }
}
