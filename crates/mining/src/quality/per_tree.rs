//! Three of a kind: one for each tree of a model.

use serde::Serialize;

use crate::settings::TreeKind;

/// Something of each of the three trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PerTree<T> {
    /// Of T_SYN.
    pub syn: T,
    /// Of T_VISIT.
    pub visit: T,
    /// Of T_TRAN.
    pub tran: T,
}

impl<T> PerTree<T> {
    /// Makes all three.
    pub fn of(mut make: impl FnMut(TreeKind) -> T) -> Self {
        Self { syn: make(TreeKind::Syn), visit: make(TreeKind::Visit), tran: make(TreeKind::Tran) }
    }

    /// One of them.
    pub fn get(&self, tree: TreeKind) -> &T {
        match tree {
            TreeKind::Syn => &self.syn,
            TreeKind::Visit => &self.visit,
            TreeKind::Tran => &self.tran,
        }
    }

    /// One of them, to be changed.
    pub fn get_mut(&mut self, tree: TreeKind) -> &mut T {
        match tree {
            TreeKind::Syn => &mut self.syn,
            TreeKind::Visit => &mut self.visit,
            TreeKind::Tran => &mut self.tran,
        }
    }

    /// From the largest tree to the smallest.
    pub fn each(&self) -> [&T; 3] {
        [&self.syn, &self.visit, &self.tran]
    }
}
