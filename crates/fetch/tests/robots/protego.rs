//! Does Protego decide as we do?

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use data_encoding::BASE64;
use trodden_fetch::robots::{Reason, RobotsFile, Verdict};

use super::dialect::{Dialect, Reading};
use super::paths::AGENTS;
use super::sites::Site;
use super::{paths, sites};

/// Given as text: as a file of that name it would import itself.
const SCRIPT: &str = include_str!("../protego.py");

/// Every so many files, all verdicts are also those of the second reader.
const SAMPLE: usize = 40;

const COMPARED: usize = 1_703_590;

/// Differences by the reading that makes them. In all of them the section of the reading decides for us.
const CLASSES: [(&str, usize); 11] = [
    ("AgentStart", 32),
    ("AnyBlank", 14),
    ("DollarTwice", 70),
    ("EscapedLength", 28),
    ("EveryEscape", 14),
    ("IndexHtml", 14),
    ("OtherRecords", 1_975),
    ("QuerySlash", 133),
    ("RobotsEscaped", 35),
    ("RobotsQuery", 35),
    ("WholeAgent", 44),
];

/// What Protego says of every file, agent and path.
fn decisions(python: &OsStr, sites: &[Site], paths: &[Vec<String>]) -> Vec<Vec<Vec<bool>>> {
    let mut child =
        Command::new(python).arg("-c").arg(SCRIPT).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let lines: Vec<String> = std::thread::scope(|scope| {
        scope.spawn(move || {
            for (site, paths) in sites.iter().zip(paths) {
                let robots = BASE64.encode(&site.robots);
                let case = serde_json::json!({"robots": robots, "agents": AGENTS, "paths": paths});
                writeln!(input, "{case}").unwrap();
            }
        });
        output.lines().map(Result::unwrap).collect()
    });
    assert!(child.wait().unwrap().success());
    let of_agent = |text: &str| text.bytes().map(|byte| byte == b'1').collect();
    lines.iter().map(|line| line.split(' ').map(of_agent).collect()).collect()
}

/// The readings of one file that were needed so far.
struct Dialects<'a> {
    robots: &'a [u8],
    read: BTreeMap<Option<Reading>, Dialect>,
}

impl Dialects<'_> {
    fn allows(&mut self, reading: Option<Reading>, agent: &str, path: &str) -> bool {
        let robots = self.robots;
        self.read.entry(reading).or_insert_with(|| Dialect::read(robots, reading)).allows(agent, path)
    }

    /// The reading that gives Protego's verdict where ours is another.
    fn explain(&mut self, agent: &str, path: &str, theirs: bool) -> Option<Reading> {
        Reading::ALL.into_iter().find(|reading| self.allows(Some(*reading), agent, path) == theirs)
    }
}

#[test]
fn rfc9309_every_difference_from_protego_has_a_reason() {
    let Some(python) = trodden_testing::python("protego") else { return };
    let Some(sites) = sites::all() else { return };
    let files: Vec<RobotsFile> = sites.iter().map(|site| RobotsFile::parse(&site.robots)).collect();
    let paths: Vec<Vec<String>> = files.iter().map(paths::of).collect();
    let theirs = decisions(&python, &sites, &paths);
    assert_eq!(theirs.len(), sites.len());
    let mut table = "file,agent,path,ours,protego,line,pattern,class,section\n".to_owned();
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    let mut compared = 0;
    for (index, (((site, file), paths), theirs)) in sites.iter().zip(&files).zip(&paths).zip(&theirs).enumerate() {
        let mut dialects = Dialects { robots: &site.robots, read: BTreeMap::new() };
        for (agent, theirs) in AGENTS.iter().zip(theirs) {
            let rules = file.rules_for(agent);
            for (path, theirs) in paths.iter().zip(theirs) {
                let decision = rules.decide(path);
                let ours = decision.verdict == Verdict::Allowed;
                compared += 1;
                if ours != *theirs || index % SAMPLE == 0 {
                    assert_eq!(dialects.allows(None, agent, path), ours, "{} {agent} {path} {decision:?}", site.name);
                }
                if ours == *theirs {
                    continue;
                }
                let reading = dialects.explain(agent, path, *theirs);
                let class = reading.map_or("none".to_owned(), |reading| format!("{reading:?}"));
                let section = reading.map_or("", Reading::section);
                let (line, pattern) = match decision.reason {
                    Reason::Rule(rule) => (rule.line.to_string(), rule.pattern.as_str()),
                    Reason::NoRule | Reason::RobotsFile => (String::new(), ""),
                };
                let (ours, protego) = (word(ours), word(*theirs));
                let fields = [&site.name, *agent, path, ours, protego, &line, pattern, &class, section];
                table.push_str(&(fields.map(quoted).join(",") + "\n"));
                *classes.entry(class).or_default() += 1;
            }
        }
    }
    let report = concat!(env!("CARGO_TARGET_TMPDIR"), "/robots-protego-differences.csv");
    std::fs::write(report, table).unwrap();
    eprintln!("{compared} verdicts compared; all differences are in {report}");
    let classes: Vec<(&str, usize)> = classes.iter().map(|(class, count)| (class.as_str(), *count)).collect();
    assert_eq!(classes, CLASSES, "a class `none` is a difference without a reason");
    assert_eq!(compared, COMPARED);
}

fn word(is_allowed: bool) -> &'static str {
    if is_allowed { "allowed" } else { "disallowed" }
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_owned() }
}
