//! Where is an expression wrong, and how?

use std::fmt;

/// Characters that are shown on either side of the place.
const SHOWN: usize = 24;

/// What is wrong with an expression, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateFault {
    /// The character, from 1.
    at: usize,
    /// What is around it, with a mark before it.
    around: String,
    what: String,
}

impl PredicateFault {
    /// At a byte of a text.
    pub(super) fn new(text: &str, byte: usize, what: impl Into<String>) -> Self {
        let byte = (0..=byte.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let (before, after) = text.split_at(byte);
        let at = before.chars().count();
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let around = before.chars().skip(at.saturating_sub(SHOWN)).map(plain);
        let around = around.chain(['▸']).chain(after.chars().take(SHOWN).map(plain)).collect();
        Self { at: at + 1, around, what: what.into() }
    }

    /// The character, from 1.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }
}

impl fmt::Display for PredicateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {} ({}): {}", self.at, self.around, self.what)
    }
}

impl std::error::Error for PredicateFault {}
