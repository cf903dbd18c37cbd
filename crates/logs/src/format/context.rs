//! What one worker keeps between lines: room for undone escapes, and the last minute seen.
//!
//! Readers take a shared reference, so that fields of an [`Entry`](super::Entry) may borrow from the arena while the
//! next field is being read. [`Context::reset`] takes a unique one: the borrow checker proves that no entry is left.

use std::cell::Cell;
use std::fmt;

use bumpalo::Bump;

use super::time::Minute;

/// Per-worker scratch. Call [`reset`](Context::reset) between blocks of lines.
#[derive(Default)]
pub struct Context {
    arena: Bump,
    minute: Cell<Minute>,
}

impl Context {
    /// An empty one; allocates nothing until a line has an escape.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets what the arena holds and keeps its memory. The remembered minute stays.
    pub fn reset(&mut self) {
        self.arena.reset();
    }

    /// A zeroed buffer that lives until the next reset.
    pub(super) fn buffer(&self, len: usize) -> &mut [u8] {
        self.arena.alloc_slice_fill_copy(len, 0)
    }

    /// A copy that lives until the next reset.
    pub(super) fn keep(&self, bytes: &[u8]) -> &[u8] {
        self.arena.alloc_slice_copy(bytes)
    }

    /// `parts` one after the other.
    pub(super) fn join(&self, parts: &[&[u8]]) -> &[u8] {
        let buffer = self.buffer(parts.iter().map(|part| part.len()).sum());
        let mut at = 0;
        for part in parts {
            buffer[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        buffer
    }

    pub(super) fn minute(&self) -> &Cell<Minute> {
        &self.minute
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("arena_bytes", &self.arena.allocated_bytes()).finish_non_exhaustive()
    }
}
