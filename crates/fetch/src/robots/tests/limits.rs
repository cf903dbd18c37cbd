//! Promises about sizes: what is read of a long file, and that no file makes matching slow.

use memchr::memmem;

use super::super::octets::MatchedPath;
use super::super::*;

fn verdict(file: &[u8], path: &str) -> Verdict {
    RobotsFile::parse(file).rules_for("a").verdict(path)
}

/// A file of just so many bytes that ends with `last`.
fn padded(last: &str, bytes: usize) -> Vec<u8> {
    let mut file = b"User-agent: a\n".to_vec();
    file.resize(bytes - last.len() - 1, b'#');
    file.push(b'\n');
    file.extend_from_slice(last.as_bytes());
    file
}

#[test]
fn rfc9309_500_kib_are_read_and_a_line_that_is_cut_is_not() {
    let rule = "Disallow: /x";
    assert_eq!(ROBOTS_BYTES, 512_000);
    assert_eq!(verdict(&padded(rule, ROBOTS_BYTES), "/x"), Verdict::Disallowed);
    let more = |tail: &str| [padded(rule, ROBOTS_BYTES).as_slice(), tail.as_bytes()].concat();
    // The line ends just where the cap is.
    assert_eq!(verdict(&more("\nAllow: /xy"), "/xy"), Verdict::Disallowed);
    assert_eq!(verdict(&more("\rAllow: /xy"), "/xy"), Verdict::Disallowed);
    // `/x` is half a word: it is better to read nothing.
    assert_eq!(verdict(&more("yz"), "/x"), Verdict::Allowed);
    assert_eq!(verdict(&vec![b'a'; ROBOTS_BYTES + 9], "/x"), Verdict::Allowed);
}

#[test]
fn google_a_long_line_is_cut() {
    let long = "a".repeat(LINE_BYTES);
    let file = format!("User-agent: a\nDisallow: /{long}/x\nAllow: /b");
    let rules = RobotsFile::parse(file.as_bytes()).rules_for("a");
    assert_eq!(rules.verdict(&format!("/{long}")), Verdict::Disallowed);
    assert_eq!(rules.verdict("/aaa"), Verdict::Allowed);
    assert_eq!(rules.iter().map(|rule| rule.pattern.as_str().len()).max(), Some(LINE_BYTES - "Disallow: ".len()));
}

#[test]
fn ours_nothing_outgrows_its_cap() {
    let filled = |line: &str| {
        [b"User-agent: a\n".as_slice(), &line.repeat(ROBOTS_BYTES).into_bytes()[..ROBOTS_BYTES + 9]].concat()
    };
    for line in ["allow:/\n", "allow:*\r", "allow:/index.htm\n", "allow /é\n"] {
        // Duplicates are dropped, so they are made different by numbers as short as can be.
        let mut file = b"User-agent: a\n".to_vec();
        let mut number = 0_u32;
        while file.len() <= ROBOTS_BYTES {
            file.extend_from_slice(line.trim_end().as_bytes());
            file.extend_from_slice(format!("{number:x}\n").as_bytes());
            number += 1;
        }
        for file in [file, filled(line)] {
            let rules = RobotsFile::parse(&file).rules_for("a");
            assert!((1..=RULES).contains(&rules.iter().count()), "{line}");
        }
    }
    let long = RobotsFile::parse(format!("User-agent: a\nDisallow: /{}", "é".repeat(LINE_BYTES)).as_bytes());
    assert!(long.rules_for("a").iter().all(|rule| rule.pattern.as_str().len() <= PATTERN_BYTES));

    assert_eq!(RobotsFile::parse(&filled("sitemap:x\n")).sitemaps().len(), SITEMAPS);
    let addresses = format!("sitemap:{}\nsitemap:{}", "x".repeat(SITEMAP_BYTES + 1), "y".repeat(SITEMAP_BYTES));
    assert_eq!(RobotsFile::parse(addresses.as_bytes()).sitemaps(), ["y".repeat(SITEMAP_BYTES)]);
}

/// Bytes that searches pass, and searches, for one pattern and path.
fn cost(pattern: &Pattern, path: &[u8]) -> (usize, usize) {
    let (mut passed, mut searches) = (0, 0);
    pattern.matches_by(path, |text, piece| {
        let at = memmem::find(text, piece);
        passed += at.map_or(text.len(), |at| at + piece.len());
        searches += 1;
        at
    });
    (passed, searches)
}

#[test]
fn ours_no_pattern_passes_a_byte_of_a_path_twice() {
    let path = format!("/{}", "a".repeat(2_047));
    let target = MatchedPath::new(&path);
    let hostile = ["*a", "*aa", "*a*aab", "*aaaaaaaaaaaaaaab", "*b*a", "**a***", "*a$", "*%61", "*?"];
    for piece in hostile {
        for end in ["", "b", "$", "b$", "*"] {
            for times in [1, 10, 1_000, 8_000] {
                let pattern = Pattern::new(format!("/{}{end}", piece.repeat(times)).as_bytes()).unwrap();
                let (passed, searches) = cost(&pattern, target.plain.as_bytes());
                assert!(passed <= path.len() && searches <= path.len() + 1, "{piece} × {times}: {passed} {searches}");
            }
        }
    }
}

#[test]
fn ours_a_file_full_of_stars_costs_what_its_bytes_cost() {
    let path = format!("/{}", "a".repeat(2_047));
    for line in [format!("Disallow: {}b$\n", "*a".repeat(8_000)), "Disallow: *a*a*a*a*b\n".to_owned()] {
        let mut file = "User-agent: a\n".to_owned();
        let mut number = 0;
        while file.len() < ROBOTS_BYTES {
            file.push_str(&line.replace("$", &number.to_string()).replace("b\n", &format!("b{number}\n")));
            number += 1;
        }
        let rules = RobotsFile::parse(file.as_bytes()).rules_for("a");
        let count = rules.iter().count();
        assert!(count > 20, "{count} rules");
        let passed: usize = rules.iter().map(|rule| cost(&rule.pattern, path.as_bytes()).0).sum();
        assert!(passed <= count * path.len(), "{passed} bytes for {count} rules");
        assert_eq!(rules.verdict(&path), Verdict::Allowed);
    }
}
