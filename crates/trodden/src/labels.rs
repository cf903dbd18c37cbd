//! Categories of pages, from a table: a URL and a category in each line.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use trodden_logs::input::{InputCaps, unpacked};

/// Bytes of a table, unpacked.
const MOST_BYTES: u64 = 1 << 32;
/// Bytes of a line: a long URL and a long name.
const MOST_OF_A_LINE: usize = 1 << 14;
/// Rows that are no category of a URL before a file is taken for something else.
const MOST_BAD: u64 = 1_000;

/// Hands on every URL with its category. A heading, empty lines and those that begin with `#` are passed over.
pub(crate) fn each(path: &Path, mut each: impl FnMut(&str, &str)) -> Result<()> {
    let name = path.display();
    File::open(path).with_context(|| format!("--labels: cannot open {name}"))?;
    let (input, _) = unpacked(path, &InputCaps::default()).with_context(|| format!("--labels: cannot read {name}"))?;
    let (mut good, mut bad) = (0_u64, 0_u64);
    for line in BufReader::new(input.take(MOST_BYTES)).split(b'\n') {
        let line = line.with_context(|| format!("--labels: cannot read {name}"))?;
        let line = String::from_utf8_lossy(&line[..line.len().min(MOST_OF_A_LINE)]);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields = line.split_once('\t').or_else(|| line.rsplit_once(','));
        match fields.map(|(url, category)| (url.trim(), category.trim())) {
            Some((url, category)) if url.contains("://") && !category.is_empty() => {
                good += 1;
                each(url, category);
            }
            _ => bad += 1,
        }
        if good == 0 && bad > MOST_BAD {
            break;
        }
    }
    if good == 0 {
        bail!("--labels: {name} has no line with a URL and a category, as https://example.org/a<TAB>birds");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_labels_are_lines_of_a_url_and_a_category() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let mut rows = Vec::new();
            each(&path, |url, category| rows.push(format!("{url} {category}"))).map(|()| rows)
        };
        let rows = read("url\tcategory\n# x\n\nhttp://a.example/,birds\nhttp://a.example/b?c,d\tfish.sea\r\n");
        assert_eq!(rows.unwrap(), ["http://a.example/ birds", "http://a.example/b?c,d fish.sea"]);
        for bad in ["", "birds\n", "\u{0}\u{1}", "http://a.example/\n"] {
            assert!(read(bad).unwrap_err().to_string().contains("--labels"), "{bad:?}");
        }
        assert!(each(&folder.path().join("none"), |_, _| ()).is_err());
    }
}
