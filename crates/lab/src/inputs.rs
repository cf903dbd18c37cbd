//! Which bytes was this made of? A fingerprint of every input, so that a result can be tied to its data.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use trodden_logs::input::{Input, find};
use xxhash_rust::xxh3::Xxh3;

use crate::error::Error;

/// By file: the XXH3-128 of its bytes, in hexadecimal. Files of a folder are named by their path in it, others by their
/// name, so that the place on this machine is not told; a name that is there already gets a number.
///
/// # Errors
/// If a name fits nothing, or a file cannot be read.
pub fn hash_of_inputs(paths: &[String]) -> Result<BTreeMap<String, String>, Error> {
    let mut hashes = BTreeMap::new();
    for word in paths {
        for input in find(std::slice::from_ref(word))? {
            let Some(path) = input.path() else { continue };
            let below = path.strip_prefix(word).ok().filter(|below| !below.as_os_str().is_empty());
            let name = below.or_else(|| path.file_name().map(Path::new)).unwrap_or(path).display().to_string();
            let hash = match hash_of(path) {
                // In a folder it costs an entry of the ledger, and nothing is made of it.
                Err(_) if matches!(input, Input::Found(_)) => continue,
                hash => hash.map_err(|source| Error::Unreadable { name: name.clone(), source })?,
            };
            let others = (2..).map(|n| format!("{name} ({n})"));
            let free = std::iter::once(name.clone()).chain(others).find(|name| !hashes.contains_key(name));
            hashes.insert(free.unwrap_or(name), hash);
        }
    }
    Ok(hashes)
}

fn hash_of(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Xxh3::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(format!("{:032x}", hasher.digest128())),
            n => hasher.update(&buffer[..n]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_inputs_are_named_without_their_place_and_hashed_by_their_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            path.display().to_string()
        };
        let (one, two) = (write("a/x.tsv", "1"), write("b/x.tsv", "2"));
        write("c/d/y.tsv", "1");
        let hashes = hash_of_inputs(&[one, two, dir.path().join("c").display().to_string()]).unwrap();
        assert_eq!(hashes.keys().collect::<Vec<_>>(), ["d/y.tsv", "x.tsv", "x.tsv (2)"]);
        assert_eq!(hashes["x.tsv"], hashes["d/y.tsv"]);
        assert_ne!(hashes["x.tsv"], hashes["x.tsv (2)"]);
        assert!(hash_of_inputs(&["no such file".into()]).is_err());
    }
}
