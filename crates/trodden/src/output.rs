//! Standard output is data, standard error is talk. The only place that prints.

use std::io::{self, Write};

use anyhow::Result;
pub(crate) use trodden_lab::report::{counted, thousands};

/// Writes data to standard output.
pub(crate) fn data(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Says a line on standard error. If nobody listens, nothing is lost.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Whether an error only means that the reader of our output went away, as `head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|e| e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}

/// A share in percent, as `12.3 %`.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    if part > 0 && share < 0.05 { "<0.1 %".to_owned() } else { format!("{share:.1} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_shares_are_printed_as_people_read_them() {
        assert_eq!(percent(1, 8), "12.5 %");
        assert_eq!(percent(1, 100_000), "<0.1 %");
        assert_eq!(percent(0, 0), "0.0 %");
    }
}
