//! How is a log line written, and what does it say?
//!
//! The life of a line: [`detect`] looks at the first lines of a file and picks a [`Format`] (or the operator names
//! one: [`Format::named`]); [`Format::parse`] splits each line into an [`Entry`], which borrows from the line and
//! from the worker's [`Context`]. Nothing is judged here: methods, statuses, bots and assets are for cleaning.
//!
//! | file | reads |
//! |---|---|
//! | `template`, `part`, `literal`, `trailing`, `builtin`, `usual` | common, combined, vhost-combined, by one engine |
//! | `nginx`, `apache`, `compile`, `strftime` | format strings that operators write, for the same engine |
//! | `squid` | Squid's native log |
//! | `w3c` | W3C extended logs: IIS, CloudFront |
//! | `json` | an object a line: Caddy, nginx and others, by dotted paths |
//! | `delimited` | CSV and TSV with a line of column names |
//!
//! Invariants: no bytes make a reader panic; a fault never repeats the line; a line costs no allocation unless it
//! holds escapes or its target is in two columns.

mod apache;
mod builtin;
mod compile;
mod context;
mod delimited;
mod detect;
mod entry;
mod error;
mod escape;
mod field;
mod json;
mod literal;
mod nginx;
mod part;
mod request;
mod squid;
mod strftime;
mod template;
mod time;
mod trailing;
mod usual;
mod value;
mod w3c;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use context::Context;
pub use delimited::Columns;
pub(crate) use detect::reads_any;
pub use detect::{Hints, SAMPLE_BYTES, SAMPLE_LINES, detect};
pub use entry::{Entry, LineFault, NO_ANSWER, Parsed};
pub use error::FormatError;
pub use field::{Field, UnknownField};
pub(crate) use json::json_keys;
pub use json::{JsonKeys, JsonMap};
pub use template::Template;
pub(crate) use time::any_time;
pub use w3c::W3cFields;

/// A reader, ready to use. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Format {
    /// Common, combined, and whatever an nginx or Apache format string describes.
    Template(Arc<Template>),
    /// Squid's native log.
    Squid,
    /// A W3C extended log with the columns that its last `#Fields` line named.
    W3c(Arc<W3cFields>),
    /// One JSON object a line.
    Json(Arc<JsonMap>),
    /// CSV or TSV.
    Delimited(Arc<Columns>),
}

impl Format {
    /// Splits one line, given without its newline; a trailing carriage return is ignored.
    ///
    /// # Errors
    /// A [`LineFault`] where the line is no record of this format.
    #[inline]
    pub fn parse<'a>(&self, line: &'a [u8], cx: &'a Context) -> Result<Parsed<'a>, LineFault> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match self {
            Self::Template(template) => template.parse(line, cx),
            Self::Squid => squid::parse(line),
            Self::W3c(fields) => fields.parse(line, cx),
            Self::Json(map) => map.parse(line, cx),
            Self::Delimited(columns) => columns.parse(line, cx),
        }
    }

    /// The name as reported: `combined`, `combined + 1 field`, `json (caddy)`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Template(template) => template.name(),
            Self::Squid => "squid".to_owned(),
            Self::W3c(_) => "w3c".to_owned(),
            Self::Json(map) => map.name(),
            Self::Delimited(columns) => columns.name().to_owned(),
        }
    }

    /// Whether a later line of the file can change the reader, so that blocks must be read in order.
    #[must_use]
    pub fn sequential(&self) -> bool {
        matches!(self, Self::W3c(_))
    }

    /// Whether records name the host they were sent to, in a column or (Squid) in the URL.
    #[must_use]
    pub fn has_host(&self) -> bool {
        match self {
            Self::Template(template) => template.has_host(),
            Self::Squid => true,
            Self::W3c(fields) => fields.has_host(),
            Self::Json(map) => map.has_host(),
            Self::Delimited(columns) => columns.has_host(),
        }
    }

    /// The format that an operator names: `combined`, `common`, `vhost-combined`, `squid`, `caddy`, `nginx-json`, an
    /// nginx `log_format` string (has a `$`) or an Apache `LogFormat` string (has a `%`).
    ///
    /// # Errors
    /// [`FormatError`] where the name is unknown, the string cannot be compiled, or the format takes its columns from
    /// the file (`csv`, `tsv`, `w3c`, `json`: use [`detect`] with [`Hints::spec`]).
    pub fn named(spec: &str) -> Result<Self, FormatError> {
        let spec = spec.trim();
        Ok(match spec {
            "combined" => Self::Template(builtin::combined()),
            "common" => Self::Template(builtin::common()),
            "vhost-combined" => Self::Template(builtin::vhost_combined()),
            "squid" => Self::Squid,
            "caddy" => Self::Json(Arc::new(JsonMap::caddy(&[]))),
            "nginx-json" => Self::Json(Arc::new(JsonMap::nginx(&[]))),
            "csv" => return Err(FormatError::NeedsFile("csv")),
            "tsv" => return Err(FormatError::NeedsFile("tsv")),
            "w3c" => return Err(FormatError::NeedsFile("w3c")),
            "json" => return Err(FormatError::NeedsFile("json")),
            _ if spec.starts_with("log_format") => Self::Template(Arc::new(nginx::compile(spec)?)),
            _ if spec.starts_with("LogFormat") => Self::Template(Arc::new(apache::compile(spec)?)),
            _ if spec.contains('$') => Self::Template(Arc::new(nginx::compile(spec)?)),
            _ if spec.contains('%') => Self::Template(Arc::new(apache::compile(spec)?)),
            _ => return Err(FormatError::Unknown(spec.to_owned())),
        })
    }

    /// The reader after a directive of a W3C log that changes it (`#Fields:`, `#Date:`); `None` otherwise.
    #[must_use]
    pub fn after_header(&self, line: &[u8]) -> Option<Self> {
        match self {
            Self::W3c(fields) => {
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                fields.after(line).map(|fields| Self::W3c(Arc::new(fields)))
            }
            _ => None,
        }
    }
}
