//! How is a pattern written, so that people read it at once?
//!
//! As the URLs look, with `#` for numbers, `{words}` for titles, `*` for anything: `/m/product/#/*`,
//! `/filter/b#,p#?page=#`, `/2016/#/{words}/`. [`LEGEND`] explains every sign. The host is written only where the site
//! has several.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use trodden_urls::component::MAX_SEGMENTS;

use crate::key::Key;
use crate::model::Like;

/// What the signs of a pattern stand for.
pub const LEGEND: &[(&str, &str)] = &[
    ("#", "a number"),
    ("{word}", "one word"),
    ("{words}", "several words"),
    ("{text}", "letters of another script"),
    ("{hex}", "a long hexadecimal number"),
    ("{uuid}", "a UUID"),
    ("*", "anything"),
    ("**", "any further segments"),
    ("[…]", "may be missing"),
];

/// The lines of the legend whose signs occur in any of these patterns.
pub fn legend<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Vec<(&'static str, &'static str)> {
    let mut used = [false; LEGEND.len()];
    for pattern in patterns {
        for (used, (sign, _)) in used.iter_mut().zip(LEGEND) {
            *used |= match *sign {
                "[…]" => pattern.contains('['),
                "*" => pattern.contains('*') && pattern.replace("**", "").contains('*'),
                sign => pattern.contains(sign),
            };
        }
    }
    LEGEND.iter().zip(used).filter(|(_, used)| *used).map(|(line, _)| *line).collect()
}

/// Of more parameters that may be missing, the first by name are written.
const MAX_OPTIONAL: usize = 8;

/// What is known of a pattern: its constants, what varies, and whether rare parameters were met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'k> {
    pub(crate) is: &'k BTreeMap<Key, String>,
    pub(crate) like: &'k BTreeMap<Key, Like>,
    pub(crate) rare_parameters: bool,
    /// Whether the site has more than one host.
    pub(crate) many_hosts: bool,
}

impl Known<'_> {
    /// The pattern as people read it.
    pub(crate) fn text(self) -> String {
        let mut out = String::new();
        if self.many_hosts {
            self.push_host(&mut out);
        }
        self.push_path(&mut out);
        self.push_query(&mut out);
        out
    }

    fn push_host(self, out: &mut String) {
        let mut labels = Vec::new();
        for at in 0.. {
            let key = Key::HostLabel(at);
            match (self.is.get(&key), self.like.get(&key)) {
                (Some(label), _) => labels.push(label.clone()),
                (None, Some(like)) if like.optional => labels.push("[*]".to_owned()),
                (None, Some(_)) => labels.push("*".to_owned()),
                (None, None) => break,
            }
        }
        labels.reverse();
        out.push_str("//");
        out.push_str(&labels.join("."));
    }

    fn push_path(self, out: &mut String) {
        let depth: Option<usize> = self.is.get(&Key::Depth).and_then(|depth| depth.parse().ok());
        let mut written = 0;
        for at in 0..MAX_SEGMENTS.min(depth.unwrap_or(MAX_SEGMENTS)) {
            #[expect(clippy::cast_possible_truncation, reason = "the cap is 32")]
            let Some(segment) = self.segment(at as u8) else {
                break;
            };
            out.push('/');
            out.push_str(&segment);
            written += 1;
        }
        if depth.is_none_or(|depth| depth > written) {
            out.push_str("/**");
        }
        let ends_in_slash = self.is.get(&Key::TrailingSlash).map(|slash| slash == "yes");
        match ends_in_slash {
            Some(true) => out.push('/'),
            None if depth != Some(0) => out.push_str("[/]"),
            _ => {}
        }
        if out.is_empty() {
            out.push('/');
        }
    }

    /// A segment that every URL has.
    fn segment(self, at: u8) -> Option<String> {
        if let Some(value) = self.is.get(&Key::Value(at)) {
            return Some(literal(value));
        }
        if let Some(shape) = self.is.get(&Key::Shape(at)) {
            return Some(shape.clone());
        }
        let like = self.like.get(&Key::Shape(at))?;
        (!like.optional).then(|| one_class(like))
    }

    fn push_query(self, out: &mut String) {
        let mut sign = '?';
        let mut next = || std::mem::replace(&mut sign, '&');
        let constants = self.is.iter().filter_map(|(key, value)| Some((name(key)?, literal(value), false)));
        let others = self.like.iter().filter_map(|(key, like)| Some((name(key)?, one_class(like), like.optional)));
        let mut parameters: Vec<_> = constants.chain(others).collect();
        parameters.sort();
        let mut optionals = 0;
        parameters.retain(|(_, _, optional)| {
            optionals += usize::from(*optional);
            !optional || optionals <= MAX_OPTIONAL
        });
        for (name, value, optional) in parameters {
            let name = literal(name);
            let _ = if optional {
                write!(out, "[{}{name}={value}]", next())
            } else {
                write!(out, "{}{name}={value}", next())
            };
        }
        if self.rare_parameters || optionals > MAX_OPTIONAL {
            let _ = write!(out, "[{}…]", next());
        }
    }
}

fn name(key: &Key) -> Option<&str> {
    match key {
        Key::Parameter(name) => Some(name),
        _ => None,
    }
}

fn one_class(like: &Like) -> String {
    match like.classes.as_deref() {
        Some([one]) if !one.is_empty() => one.clone(),
        _ => "*".to_owned(),
    }
}

/// A literal, with signs that patterns use themselves escaped as in a URL.
fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '#' | '*' | '{' | '}' | '[' | ']' | '/' | '?' | '&' | ' ' | '%' => {
                let _ = write!(out, "%{:02X}", u32::from(c));
            }
            c if c.is_control() => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(is: &[(&str, &str)], like: &[(&str, &[&str], bool)]) -> String {
        let is = is.iter().map(|(k, v)| (k.parse().unwrap(), (*v).to_owned())).collect();
        let like = like
            .iter()
            .map(|(k, classes, optional)| {
                let classes = (!classes.is_empty()).then(|| classes.iter().map(|c| (*c).to_owned()).collect());
                (k.parse().unwrap(), Like { classes, optional: *optional })
            })
            .collect();
        Known { is: &is, like: &like, rare_parameters: false, many_hosts: false }.text()
    }

    #[test]
    fn ours_patterns_are_written_as_people_read_them() {
        let depth = |n| ("depth", n);
        assert_eq!(text(&[depth("0"), ("slash", "yes")], &[]), "/");
        assert_eq!(
            text(
                &[depth("4"), ("slash", "no"), ("path[0]", "m"), ("path[1]", "product"), ("shape[2]", "#")],
                &[("shape[3]", &["{words}", "{text}"], false)]
            ),
            "/m/product/#/*"
        );
        assert_eq!(
            text(
                &[depth("2"), ("slash", "no"), ("path[0]", "filter"), ("shape[1]", "b#,p#")],
                &[("?page", &["#"], false)]
            ),
            "/filter/b#,p#?page=#"
        );
        assert_eq!(
            text(&[depth("3"), ("slash", "yes"), ("path[0]", "2016"), ("shape[1]", "#"), ("shape[2]", "{words}")], &[]),
            "/2016/#/{words}/"
        );
        assert_eq!(
            text(
                &[("path[0]", "a b"), ("?x", "1")],
                &[("depth", &["1", "2"], false), ("shape[1]", &["#"], true), ("?y", &[], true)]
            ),
            "/a%20b/**[/]?x=1[&y=*]"
        );
    }

    #[test]
    fn ours_of_many_parameters_that_may_be_missing_eight_are_written() {
        let names: Vec<String> = (10..19).map(|i| format!("?p{i}")).collect();
        let some = |n: usize| names[..n].iter().map(|name| (name.as_str(), &["#"][..], true)).collect::<Vec<_>>();
        let is = [("depth", "1"), ("slash", "no"), ("path[0]", "a"), ("?z", "1")];
        let eight = "/a[?p10=#][&p11=#][&p12=#][&p13=#][&p14=#][&p15=#][&p16=#][&p17=#]&z=1";
        assert_eq!(text(&is, &some(8)), eight);
        assert_eq!(text(&is, &some(9)), format!("{eight}[&…]"), "those that all have are never left out");
    }

    #[test]
    fn ours_the_legend_names_only_what_is_used() {
        assert_eq!(legend(["/a/#"]), [("#", "a number")]);
        assert_eq!(legend(["/a/**"]), [("**", "any further segments")]);
        assert_eq!(legend(["/a/*", "[?x=1]"]).len(), 2);
    }
}
