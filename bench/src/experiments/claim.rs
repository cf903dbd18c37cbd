//! Does what we see agree with what a paper says? Computed from the run, never typed.

/// A sentence of a paper, what was seen, and what we make of it either way.
pub(super) struct Claim {
    pub(super) says: String,
    pub(super) here: String,
    holds: bool,
    if_not: String,
    if_so: String,
}

impl Claim {
    pub(super) fn new(says: &str, here: String, holds: bool) -> Self {
        Self { says: says.to_owned(), here, holds, if_not: String::new(), if_so: String::new() }
    }

    /// Our explanation, told only if it does not hold.
    pub(super) fn if_not(mut self, why: impl Into<String>) -> Self {
        self.if_not = why.into();
        self
    }

    /// What to beware of although it holds.
    pub(super) fn if_so(mut self, beware: impl Into<String>) -> Self {
        self.if_so = beware.into();
        self
    }

    pub(super) fn verdict(&self) -> &'static str {
        if self.holds { "agrees" } else { "**does not agree**" }
    }

    pub(super) fn remark(&self) -> Option<String> {
        let (remark, why) = if self.holds { (&self.if_so, "agrees") } else { (&self.if_not, "does not agree") };
        (!remark.is_empty()).then(|| format!("*{}*: {why}. {remark}", self.says))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_an_explanation_is_told_only_where_it_belongs() {
        let claim = |holds| Claim::new("x", "y".to_owned(), holds).if_not("because");
        assert_eq!((claim(true).verdict(), claim(true).remark()), ("agrees", None));
        assert_eq!(claim(false).verdict(), "**does not agree**");
        assert_eq!(claim(false).remark().unwrap(), "*x*: does not agree. because");
    }
}
