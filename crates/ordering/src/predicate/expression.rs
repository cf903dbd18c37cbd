//! Terms, joined by and, or and not.

/// An expression over terms, which are named by their place in a list. No deeper than
/// [`MOST_NESTED`](super::MOST_NESTED), so that it can be walked by recursion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    Term(usize),
    Not(Box<Expression>),
    All(Vec<Expression>),
    Any(Vec<Expression>),
}

/// What can be said with part of the facts (Kleene's logic).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    No,
    Unknown,
    Yes,
}

impl Verdict {
    pub(super) fn of(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }

    fn negated(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
            Self::Yes => Self::No,
        }
    }
}

impl Expression {
    /// Whether it holds, if terms do so. Terms that cannot matter any more are not asked.
    pub(super) fn holds(&self, term: &mut impl FnMut(usize) -> bool) -> bool {
        match self {
            Self::Term(at) => term(*at),
            Self::Not(inner) => !inner.holds(term),
            Self::All(parts) => parts.iter().all(|part| part.holds(term)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(term)),
        }
    }

    /// The same where some terms are unknown. All terms are asked.
    pub(super) fn verdict(&self, term: &mut impl FnMut(usize) -> Verdict) -> Verdict {
        match self {
            Self::Term(at) => term(*at),
            Self::Not(inner) => inner.verdict(term).negated(),
            Self::All(parts) => parts.iter().fold(Verdict::Yes, |sum, part| sum.and(part.verdict(term))),
            Self::Any(parts) => {
                parts.iter().fold(Verdict::No, |sum, part| sum.negated().and(part.verdict(term).negated()).negated())
            }
        }
    }

    /// Every term that speaks for it: those that are not negated.
    pub(super) fn each_wanted(&self, each: &mut impl FnMut(usize)) {
        self.walk(true, each);
    }

    fn walk(&self, is_wanted: bool, each: &mut impl FnMut(usize)) {
        match self {
            Self::Term(at) if is_wanted => each(*at),
            Self::Term(_) => {}
            Self::Not(inner) => inner.walk(!is_wanted, each),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.walk(is_wanted, each)),
        }
    }
}
