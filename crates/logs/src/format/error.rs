//! What can be wrong with a format that an operator named.

use super::field::Field;

/// Why a named format cannot be used. Quotes what the operator wrote, never a log line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// Neither a known name nor a format string.
    #[error(
        "unknown log format {0:?}: give combined, common, vhost-combined, squid, caddy, nginx-json, csv, tsv, w3c, \
         json, an nginx log_format string (with $variables) or an Apache LogFormat string (with %directives)"
    )]
    Unknown(String),
    /// The format is known, but its columns stand in the file.
    #[error("{0} takes its columns from the file: it can only be named together with a file")]
    NeedsFile(&'static str),
    /// Two fields with nothing between them cannot be told apart.
    #[error("{0} and {1} stand side by side: put a separator between them, such as a space or a quote")]
    Adjacent(String, String),
    /// A field without which a line is no visit.
    #[error("the format has no {0}: add {1}")]
    Missing(Field, &'static str),
    /// A brace, quote or directive that is not finished.
    #[error("the format ends inside {0:?}")]
    Unfinished(String),
    /// A conversion of a time format that is not understood.
    #[error("%{0} in a time format is not understood: use Y m d e b H M S z Z F T D s L or a literal")]
    TimeConversion(char),
    /// More fields than any format needs.
    #[error("the format has more than {0} fields")]
    TooLong(usize),
}
