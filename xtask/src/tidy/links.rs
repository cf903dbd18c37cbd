//! Do relative links in Markdown lead somewhere?
//!
//! Inline links `[text](path)` and definitions `[name]: path`, outside code. The fragment after `#` is not followed.

use super::Finding;
use super::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let places = tree.places();
    let mut findings = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| path.ends_with(".md")) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (line, target) in targets(text) {
            let Some(target) = relative(&target) else {
                continue;
            };
            let found = resolve(folder, &target).is_some_and(|place| places.contains(place.as_str()));
            if !found {
                findings.push(Finding::failure(
                    path,
                    line,
                    format!("link to `{target}`, which is not in the repository, mend or drop it"),
                ));
            }
        }
    }
    findings
}

/// The link targets with their lines.
fn targets(text: &str) -> Vec<(usize, String)> {
    let mut targets = Vec::new();
    let mut fence: Option<&str> = None;
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark)) {
            fence = match fence {
                None => Some(mark),
                Some(open) if open == mark => None,
                open => open,
            };
            continue;
        }
        if fence.is_some() {
            continue;
        }
        let prose = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for (at, _) in prose.match_indices("](") {
            let rest = &prose[at + 2..];
            targets.extend(closing(rest).map(|end| (index + 1, rest[..end].to_owned())));
        }
        let definition = prose.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        if let Some((name, target)) = definition
            && !name.starts_with('^')
        {
            targets.push((index + 1, target.to_owned()));
        }
    }
    targets
}

/// Where the link ends; parentheses inside are balanced.
fn closing(rest: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The path of a relative link; none for addresses, mail and places on the same page.
fn relative(target: &str) -> Option<String> {
    let target = target.trim();
    let target = match target.strip_prefix('<') {
        Some(rest) => rest.split('>').next()?,
        None => target.split_whitespace().next()?,
    };
    let path = target.split(['#', '?']).next()?;
    let has_scheme = path.split_once(':').is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric()));
    (!path.is_empty() && !has_scheme && !path.starts_with("//")).then(|| path.replace("%20", " "))
}

/// The place in the tree; none above the root and for absolute paths.
fn resolve(folder: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::super::lines_of;
    use super::*;

    const FILES: [(&str, &str); 2] = [("README.md", ""), ("docs/guide/a b.md", "")];

    fn of(path: &str, text: &str) -> Vec<String> {
        lines_of(check, &[FILES[0], FILES[1], (path, text)])
    }

    #[test]
    fn links_that_lead_somewhere_pass() {
        let good = "[a](../README.md#top) ![b](guide) [c](https://example.org/x) [d](#here) [e](mailto:a@b.c)\n\
                    [f](guide/a%20b.md \"title\") `[g](gone.md)`\n```\n[h](gone.md)\n```\n[i]: <guide/a b.md>\n[^1]: note\n";
        assert_eq!(of("docs/x.md", good), Vec::<String>::new());
    }

    #[test]
    fn links_that_lead_nowhere_fail() {
        for bad in ["[a](gone.md)", "[a](/README.md)", "[a](../../README.md)", "[a]: gone.md", "[a](x(1).md)"] {
            assert_eq!(of("docs/x.md", bad).len(), 1, "{bad}");
        }
        assert!(of("docs/x.md", "\n[a](gone.md)")[0].starts_with("docs/x.md:2: link to `gone.md`"));
    }
}
