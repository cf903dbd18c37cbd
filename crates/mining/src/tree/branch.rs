//! Which URLs does a branch take?

use crate::columns::ComponentId;

/// What leads from a node to its child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Branch {
    /// The root has no way in.
    Root,
    /// A salient value.
    Kept(ComponentId),
    /// The key is not there.
    Absent,
    /// Any other value.
    Wildcard,
    /// One URL that is a leaf of its own, by its number in the table.
    Page(u32),
}
