//! What kind of record is it?

/// The kinds of record that WARC 1.1 names, and all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    /// About the file and the tool that wrote it.
    Warcinfo,
    /// What was asked.
    Request,
    /// What was answered.
    Response,
    /// An answer whose body is that of an earlier one.
    Revisit,
    /// Something kept without the answer around it.
    Resource,
    /// About another record.
    Metadata,
    /// Another form of something kept.
    Conversion,
    /// The rest of a record that was cut.
    Continuation,
    /// A kind that the standard does not name, or none at all.
    Other,
}

impl RecordKind {
    /// By the value of `WARC-Type`, in any case.
    #[must_use]
    pub fn named(name: &str) -> Self {
        const NAMES: [(&str, RecordKind); 8] = [
            ("warcinfo", RecordKind::Warcinfo),
            ("request", RecordKind::Request),
            ("response", RecordKind::Response),
            ("revisit", RecordKind::Revisit),
            ("resource", RecordKind::Resource),
            ("metadata", RecordKind::Metadata),
            ("conversion", RecordKind::Conversion),
            ("continuation", RecordKind::Continuation),
        ];
        NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map_or(Self::Other, |(_, kind)| *kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warc11_kinds_are_told_in_any_case_and_unknown_ones_are_other() {
        assert_eq!(RecordKind::named("Response"), RecordKind::Response);
        assert_eq!(RecordKind::named("screenshot"), RecordKind::Other);
    }
}
