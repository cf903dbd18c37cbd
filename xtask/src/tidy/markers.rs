//! Is anything left for later? No ignored test, no `todo!`, no `unimplemented!`, no `TODO` in a comment.
//!
//! What is not done belongs in an issue or in the docs as a stated limit, where a user can see it.

use super::Finding;
use super::source::names;
use super::tree::Tree;

const CODE: &[(&str, &str)] = &[
    ("#[ignore", "an ignored test, make it run or move it to `cargo xtask soak`"),
    ("todo!(", "`todo!`, write the code or return an error that says what to do"),
    ("unimplemented!(", "`unimplemented!`, write the code or return an error that says what to do"),
];

const WORDS: [&str; 3] = ["TODO", "FIXME", "XXX"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust() {
        for (index, line) in source.lines.iter().enumerate() {
            for (_, what) in CODE.iter().filter(|(word, _)| names(&line.code, word)) {
                findings.push(Finding::failure(path, index + 1, *what));
            }
            let comment = without_quoted(&line.comment);
            if let Some(word) = WORDS.iter().find(|word| names(&comment, word)) {
                findings.push(Finding::failure(
                    path,
                    index + 1,
                    format!("`{word}` in a comment, do it now or state the limit in plain words"),
                ));
            }
        }
    }
    findings
}

/// Without what stands in backticks: a comment may speak about the word.
fn without_quoted(comment: &str) -> String {
    comment.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::lines_of;
    use super::*;

    #[test]
    fn what_is_left_for_later_fails() {
        for bad in [
            "#[ignore]\nfn a() {}",
            "#[ignore = \"slow\"]",
            "#[test] #[ignore]",
            "todo!()",
            "return todo!();",
            "unimplemented!(\"x\")",
            "a(); // TODO: b",
            "/* FIXME */",
            "/// XXX",
        ] {
            assert_eq!(lines_of(check, &[("crates/a/src/a.rs", bad)]).len(), 1, "{bad}");
        }
    }

    #[test]
    fn finished_code_passes() {
        let good = "// A `TODO` is refused.\nlet s = \"todo!() TODO\";\nlet xxx = ignore(XXXL);\n";
        assert!(lines_of(check, &[("crates/a/src/a.rs", good)]).is_empty());
    }
}
