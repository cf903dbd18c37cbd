//! Are the files short enough to be read at once? Tests do not count.

use super::Finding;
use super::source::is_test_path;
use super::tree::Tree;

/// Nine in ten files are shorter.
const WARN_OVER: usize = 400;

/// No file is longer.
const FAIL_OVER: usize = 800;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, source) in tree.rust().filter(|(path, _)| !is_test_path(path)) {
        let count = source.lines.iter().filter(|line| !line.test).count();
        let what = format!("{count} lines without tests, split the file by idea");
        if count > FAIL_OVER {
            findings.push(Finding::failure(path, FAIL_OVER, what));
        } else if count > WARN_OVER {
            findings.push(Finding::warning(path, WARN_OVER, what));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::lines_of;
    use super::*;

    fn of(path: &str, text: &str) -> Vec<String> {
        lines_of(check, &[(path, text)])
    }

    #[test]
    fn short_files_pass_longer_ones_warn_the_longest_fail() {
        assert!(of("crates/a/src/a.rs", &"x();\n".repeat(400)).is_empty());
        assert!(of("crates/a/src/a.rs", &"x();\n".repeat(401))[0].starts_with("warning: "));
        assert!(of("crates/a/src/a.rs", &"x();\n".repeat(801))[0].starts_with("crates/a/src/a.rs:800: 801 lines"));
    }

    #[test]
    fn tests_do_not_count() {
        let tests = format!("x();\n#[cfg(test)]\nmod tests {{\n{}}}\n", "x();\n".repeat(900));
        assert!(of("crates/a/src/a.rs", &tests).is_empty());
        assert!(of("crates/a/src/tests.rs", &"x();\n".repeat(900)).is_empty());
        assert!(of("crates/a/tests/a.rs", &"x();\n".repeat(900)).is_empty());
    }
}
