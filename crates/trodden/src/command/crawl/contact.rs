//! Who is crawling? Those whose sites are crawled can ask somebody.
//!
//! A contact that was given once, on the command line or when asked for, is kept in the settings of the user.

use std::fs;
use std::io::{IsTerminal, stdin};
use std::path::PathBuf;

use crate::output::say;

/// The file of the contact.
const FILE: &str = "contact";
/// The longest contact.
const MAX_BYTES: usize = 200;

/// The contact that was given, or was kept, or is asked for.
pub(super) fn contact(given: Option<&str>) -> Option<String> {
    if let Some(given) = given.and_then(clean) {
        keep(&given);
        return Some(given);
    }
    if let Some(kept) = settings_file(FILE).and_then(|file| fs::read_to_string(file).ok()).as_deref().and_then(clean) {
        return Some(kept);
    }
    if stdin().is_terminal() && std::io::stderr().is_terminal() {
        say(
            "Operators of the sites you crawl should be able to reach you. Your e-mail address, or a page about your crawl",
        );
        say("(it becomes a part of the user agent and is stored; press Enter for none):");
        let mut line = String::new();
        if stdin().read_line(&mut line).is_ok()
            && let Some(told) = clean(&line)
        {
            keep(&told);
            return Some(told);
        }
    }
    say("note: the user agent has no contact; give one with --contact MAIL|URL (it is stored)");
    None
}

/// What can stand in a header; none if nothing is left.
fn clean(text: &str) -> Option<String> {
    let text: String = text.trim().chars().filter(|c| c.is_ascii_graphic() && !matches!(c, '(' | ')')).collect();
    (!text.is_empty() && text.len() <= MAX_BYTES).then_some(text)
}

/// A file of the settings of the user; none if there is no place for them.
pub(super) fn settings_file(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let folder = folder.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".config")))?;
    Some(folder.join("trodden").join(name))
}

/// Keeps a contact; if that cannot be, it is asked for again next time.
fn keep(contact: &str) {
    if let Some(file) = settings_file(FILE)
        && let Some(folder) = file.parent()
        && fs::create_dir_all(folder).is_ok()
    {
        let _ = fs::write(file, format!("{contact}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_a_contact_fits_into_a_header() {
        assert_eq!(clean(" me@example.org\n").as_deref(), Some("me@example.org"));
        assert_eq!(clean("a\r\nX-Evil: (1)").as_deref(), Some("aX-Evil:1"));
        assert_eq!(clean("  ").as_deref(), None);
    }
}
