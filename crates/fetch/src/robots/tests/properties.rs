//! Promises for all files: no panic, and the verdicts of a matcher that tries everything.

use proptest::prelude::*;

use super::super::*;

/// A pattern or a path, octet by octet.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Octet {
    Itself(&'static str),
    Star,
    End,
}

/// How each is written and what it is; the length of the second counts.
const WRITTEN: [(&str, &str); 9] = [
    ("a", "a"),
    ("b", "b"),
    ("/", "/"),
    ("%61", "a"),
    ("%2f", "%2F"),
    ("%2F", "%2F"),
    ("é", "%C3%A9"),
    ("%c3%A9", "%C3%A9"),
    ("?", "?"),
];

fn octets() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    prop::collection::vec(prop::sample::select(&WRITTEN[..8]), 0..7)
}

/// Text as written, as octets, and its length.
fn pattern() -> impl Strategy<Value = (String, Vec<Octet>, usize)> {
    let special = prop::sample::select(&["", "*", "**", "$"][..]);
    (prop::sample::select(&["/", "*"][..]), prop::collection::vec((octets(), special), 0..4)).prop_map(
        |(start, parts)| {
            let mut text = start.to_owned();
            let mut out = vec![if start == "*" { Octet::Star } else { Octet::Itself("/") }];
            let mut length = 1;
            for (written, special) in parts {
                for (as_written, is) in written {
                    text.push_str(as_written);
                    out.push(Octet::Itself(is));
                    length += is.len();
                }
                text.push_str(special);
                length += special.len();
                out.extend(special.chars().map(|c| if c == '*' { Octet::Star } else { Octet::Itself("%24") }));
            }
            if text.ends_with('$') {
                out.pop();
                out.push(Octet::End);
            }
            (text, out, length)
        },
    )
}

fn path() -> impl Strategy<Value = (String, Vec<Octet>)> {
    octets().prop_map(|written| {
        let text: String = written.iter().map(|(text, _)| *text).collect();
        (format!("/{text}"), std::iter::once("/").chain(written.iter().map(|(_, is)| *is)).map(Octet::Itself).collect())
    })
}

fn matches(pattern: &[Octet], path: &[Octet]) -> bool {
    match pattern {
        [] => true,
        [Octet::End] => path.is_empty(),
        [Octet::Star, rest @ ..] => (0..=path.len()).any(|skipped| matches(rest, &path[skipped..])),
        [first, rest @ ..] => path.first() == Some(first) && matches(rest, &path[1..]),
    }
}

proptest! {
    #[test]
    fn rfc9309_verdicts_are_those_of_a_matcher_that_tries_everything(
        rules in prop::collection::vec((any::<bool>(), pattern()), 0..6), (path, octets) in path(),
    ) {
        let line = |(allows, (text, ..)): &(bool, (String, _, _))| {
            format!("{}: {text}\n", if *allows { "Allow" } else { "Disallow" })
        };
        let file = format!("User-agent: a\n{}", rules.iter().map(line).collect::<String>());
        let best = |kind: bool| {
            let of_kind = rules.iter().filter(|(allows, (_, pattern, _))| *allows == kind && matches(pattern, &octets));
            of_kind.map(|(_, (.., length))| *length).max()
        };
        let expected = if best(false) > best(true) { Verdict::Disallowed } else { Verdict::Allowed };
        prop_assert_eq!(RobotsFile::parse(file.as_bytes()).rules_for("a").verdict(&path), expected, "{}", file);
    }

    #[test]
    fn ours_any_bytes_are_read_and_kept(bytes: Vec<u8>, path in ".*", agent in "[a-c*]{0,2}") {
        let mut file = b"User-agent: *\nDisallow: /".to_vec();
        file.extend_from_slice(&bytes);
        for file in [&bytes, &file] {
            let rules = RobotsFile::parse(file).rules_for(&agent);
            let decision = rules.decide(&path);
            let stored: RobotsRules = serde_json::from_slice(&serde_json::to_vec(&rules).unwrap()).unwrap();
            prop_assert_eq!(stored.decide(&path), decision);
        }
    }

    #[test]
    fn ours_lines_of_a_robots_file_in_any_order_are_read(
        lines in prop::collection::vec("(User-agent|Allow|Disallow|Sitemap|Crawl-delay|x)(:| |)[ ]?[/*$a%2f1é#]{0,6}(\r|\n|\r\n)", 0..20),
        path in "/[a/*$%2f?é]{0,8}",
    ) {
        let file = RobotsFile::parse(lines.concat().as_bytes());
        file.rules_for("a").verdict(&path);
    }

    #[test]
    fn ours_a_rule_that_matches_nothing_changes_nothing(
        rules in prop::collection::vec((any::<bool>(), pattern()), 0..5), (path, _) in path(), allows: bool, tail in pattern(),
    ) {
        let field = |allows| if allows { "Allow" } else { "Disallow" };
        let mut file = "User-agent: a\n".to_owned();
        rules.iter().for_each(|(allows, (text, ..))| file.push_str(&format!("{}: {text}\n", field(*allows))));
        let before = RobotsFile::parse(file.as_bytes()).rules_for("a").verdict(&path);
        file.push_str(&format!("{}: /nowhere{}\n{}:\n", field(allows), tail.0, field(!allows)));
        prop_assert_eq!(RobotsFile::parse(file.as_bytes()).rules_for("a").verdict(&path), before);
    }

    #[test]
    fn ours_the_spelling_of_a_path_does_not_matter(written in prop::collection::vec(0..WRITTEN.len(), 0..12), rule in pattern()) {
        let rules = RobotsFile::parse(format!("User-agent: a\nDisallow: {}", rule.0).as_bytes()).rules_for("a");
        let spelled: String = written.iter().map(|index| WRITTEN[*index].0).collect();
        let plain: String = written.iter().map(|index| WRITTEN[*index].1).collect();
        prop_assert_eq!(rules.verdict(&format!("/{spelled}")), rules.verdict(&format!("/{plain}")));
    }
}
