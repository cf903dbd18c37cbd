//! Which paths are asked for? A fixed grid, and paths made from the rules of the file itself.

use std::collections::BTreeSet;

use trodden_fetch::robots::RobotsFile;

/// Who asks. Files name `Wget/1.6`; the first and the last are named by none.
pub(crate) const AGENTS: [&str; 7] = ["trodden", "Googlebot", "bingbot", "GPTBot", "CCBot", "Wget", "unheard-of"];

const GRID: [&str; 16] = [
    "/",
    "/index.html",
    "/about",
    "/search?q=x&page=2",
    "/wp-admin/admin-ajax.php",
    "/wp-content/uploads/a.pdf",
    "/cgi-bin/a",
    "/node/1?destination=node%2F2",
    "/user/login/",
    "/a/b/c.php?d=e",
    "/image.gif",
    "/~joe/%7Ejoe",
    "/caf%C3%A9/caf%c3%a9",
    "/a:b;c=d,e!(f)'g'",
    "/$a*b",
    "/tag/%E9?x[]=1",
];

/// Most rules of a file that paths are made of, spread over it.
const RULES: usize = 12;

/// The grid and what the file's rules give: the pattern filled in, with something behind it, with one letter escaped, its
/// escapes in the other case, and without its last letter.
pub(crate) fn of(file: &RobotsFile) -> Vec<String> {
    let mut patterns = BTreeSet::new();
    for agent in AGENTS {
        let rules = file.rules_for(agent);
        let step = rules.iter().count().div_ceil(RULES).max(1);
        patterns.extend(rules.iter().step_by(step).map(|rule| rule.pattern.as_str().to_owned()));
    }
    let step = patterns.len().div_ceil(RULES).max(1);
    let mut paths: BTreeSet<String> = GRID.iter().map(|path| (*path).to_owned()).collect();
    for pattern in patterns.iter().step_by(step) {
        for filling in ["", "xyz/1"] {
            let filled = pattern.trim_end_matches('$').replace('*', filling);
            let path = if filled.starts_with('/') { filled } else { format!("/{filled}") };
            paths.insert(format!("{path}x"));
            paths.insert(format!("{path}?utm=%2fa%3Ab"));
            paths.insert(with_letter_escaped(&path));
            paths.insert(lower_escapes(&path));
            paths.insert(path[..path.len() - 1].to_owned() + if path.len() == 1 { "/" } else { "" });
            paths.insert(path);
        }
    }
    paths.into_iter().collect()
}

fn with_letter_escaped(path: &str) -> String {
    match path.rfind(|c: char| c.is_ascii_alphabetic()) {
        // Not one that is part of an escape.
        Some(at) if at >= 2 && !path[at - 2..at].contains('%') => {
            format!("{}%{:02x}{}", &path[..at], path.as_bytes()[at], &path[at + 1..])
        }
        _ => path.to_owned(),
    }
}

fn lower_escapes(path: &str) -> String {
    let mut parts = path.split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let (digits, rest) = part.split_at(part.len().min(2));
        text + "%" + &digits.to_ascii_lowercase() + rest
    })
}
