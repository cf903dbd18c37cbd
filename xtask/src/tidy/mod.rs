//! Does the tree keep the house rules that a compiler cannot check?
//!
//! The tree is read once into memory ([`tree`]); each check is a pure function from it to findings, in a file of its
//! own. A finding is one line, `path:line: what, and what to do`. Warnings do not fail the run.

mod arrows;
mod house_files;
mod length;
mod links;
mod markers;
mod module_doc;
mod paths;
mod purity;
mod source;
mod tree;
mod type_names;

use std::fmt;
use std::path::Path;

use anyhow::Result;

use tree::Tree;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Severity {
    Warning,
    Failure,
}

/// One line of the report.
#[derive(Debug)]
struct Finding {
    severity: Severity,
    path: String,
    line: usize,
    what: String,
}

impl Finding {
    fn failure(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { severity: Severity::Failure, path: path.to_owned(), line, what: what.into() }
    }

    fn warning(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::failure(path, line, what) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = match self.severity {
            Severity::Warning => "warning: ",
            Severity::Failure => "",
        };
        write!(f, "{prefix}{}:{}: {}", self.path, self.line, self.what)
    }
}

/// Runs every check; false when one of them failed.
pub(crate) fn run(root: &Path) -> Result<bool> {
    let tree = Tree::read(root)?;
    let mut findings = Vec::new();
    findings.extend(arrows::check(&tree));
    findings.extend(purity::check(&tree));
    findings.extend(module_doc::check(&tree));
    findings.extend(length::check(&tree));
    findings.extend(markers::check(&tree));
    findings.extend(type_names::check(&tree));
    findings.extend(links::check(&tree));
    findings.extend(house_files::check(&tree));
    findings.extend(paths::check(&tree, &root.to_string_lossy()));
    findings.sort_by(|a, b| (&a.path, a.line, &a.what).cmp(&(&b.path, b.line, &b.what)));

    for finding in &findings {
        println!("{finding}");
    }
    let failures = findings.iter().filter(|f| f.severity == Severity::Failure).count();
    let warnings = findings.len() - failures;
    println!("tidy: {} files, {failures} failures, {warnings} warnings", tree.len());
    Ok(failures == 0)
}

/// The findings of `check` on a tree of these files, as lines.
#[cfg(test)]
fn lines_of(check: impl Fn(&Tree) -> Vec<Finding>, files: &[(&str, &str)]) -> Vec<String> {
    check(&Tree::of(files)).iter().map(ToString::to_string).collect()
}
