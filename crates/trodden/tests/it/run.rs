//! Running the binary in a folder of its own, and reading what it says.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

/// A run that ended: what it said and how it ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The run must have gone well.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.code, Some(0), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// The run must have failed, with this exit status.
    #[track_caller]
    pub(crate) fn failed(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// The JSON document on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}", self.stdout))
    }

    /// The ledger on standard output, checked to account for every line.
    #[track_caller]
    pub(crate) fn ledger(&self) -> Ledger {
        Ledger::of(&self.json())
    }

    /// Neither stream may hold any of these texts.
    #[track_caller]
    pub(crate) fn says_none_of(&self, secrets: &[&str]) {
        for secret in secrets {
            assert!(!self.stdout.contains(secret), "stdout holds {secret:?}: {}", self.stdout);
            assert!(!self.stderr.contains(secret), "stderr holds {secret:?}: {}", self.stderr);
        }
    }

    /// Standard error holds all of these texts.
    #[track_caller]
    pub(crate) fn says(&self, words: &[&str]) {
        for word in words {
            assert!(self.stderr.contains(word), "stderr lacks {word:?}: {}", self.stderr);
        }
    }
}

/// The ledger in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ledger {
    pub(crate) lines: u64,
    pub(crate) visits: u64,
    pub(crate) users: u64,
    pub(crate) sites: u64,
    pub(crate) urls: u64,
    pub(crate) dropped: BTreeMap<String, u64>,
    pub(crate) bad: BTreeMap<String, u64>,
    /// Reason, file, line.
    pub(crate) places: Vec<(String, String, u64)>,
    /// Site and visits, as printed.
    pub(crate) site_visits: Vec<(String, u64)>,
}

impl Ledger {
    #[track_caller]
    fn of(json: &Value) -> Self {
        let n = |name: &str| json[name].as_u64().unwrap_or_else(|| panic!("no {name} in {json}"));
        let counts = |name: &str| -> BTreeMap<String, u64> {
            json[name].as_object().unwrap().iter().map(|(k, v)| (k.clone(), v.as_u64().unwrap())).collect()
        };
        let text = |v: &Value| v.as_str().unwrap().to_owned();
        let ledger = Self {
            lines: n("lines"),
            visits: n("visits"),
            users: n("users"),
            sites: n("sites"),
            urls: n("urls"),
            dropped: counts("dropped"),
            bad: counts("bad"),
            places: json["places"]
                .as_array()
                .unwrap()
                .iter()
                .map(|p| (text(&p["reason"]), text(&p["file"]), p["line"].as_u64().unwrap()))
                .collect(),
            site_visits: json["site_visits"]
                .as_array()
                .unwrap()
                .iter()
                .map(|s| (text(&s["site"]), s["visits"].as_u64().unwrap()))
                .collect(),
        };
        let sum = ledger.visits + ledger.dropped.values().sum::<u64>() + ledger.bad.values().sum::<u64>();
        assert_eq!(ledger.lines, sum, "lines = visits + dropped + bad: {json}");
        assert_eq!(ledger.visits, ledger.site_visits.iter().map(|(_, n)| n).sum::<u64>(), "{json}");
        ledger
    }

    /// Lines dropped for a reason.
    pub(crate) fn dropped(&self, reason: &str) -> u64 {
        self.dropped.get(reason).copied().unwrap_or(0)
    }

    /// Lines that were bad in a way.
    pub(crate) fn bad(&self, reason: &str) -> u64 {
        self.bad.get(reason).copied().unwrap_or(0)
    }

    /// Line numbers given for a reason, in one file.
    pub(crate) fn lines_of(&self, reason: &str, file: &str) -> Vec<u64> {
        self.places.iter().filter(|(r, f, _)| r == reason && f == file).map(|(_, _, line)| *line).collect()
    }
}

/// A folder in which the binary is run.
pub(crate) struct Folder {
    dir: TempDir,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self { dir: TempDir::new().unwrap() }
    }

    /// A folder with one log in it, `access.log`.
    pub(crate) fn with_log(log: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.write("access.log", log);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Runs the binary here.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        run_in(self.dir.path(), args, &[])
    }

    /// `ingest … --format json`, which must go well.
    #[track_caller]
    pub(crate) fn ingest(&self, args: &[&str]) -> Ran {
        self.try_ingest(args, &[]).ok()
    }

    /// `ingest … --format json` with standard input; every site is named, however few read it.
    pub(crate) fn try_ingest(&self, args: &[&str], input: &[u8]) -> Ran {
        let all = ["ingest", "--format", "json", "--set", "privacy.min_users=1"];
        run_in(self.dir.path(), &[&all, args].concat(), input)
    }

    /// The ledger of `access.log`.
    #[track_caller]
    pub(crate) fn ledger(&self, args: &[&str]) -> Ledger {
        self.ingest(&[&["access.log"], args].concat()).ledger()
    }

    /// What `urls --format json` says: visits, users and referrals by URL.
    #[track_caller]
    pub(crate) fn urls(&self, args: &[&str]) -> BTreeMap<String, (u64, u64, u64)> {
        let ran = self.run(&[&["urls", "--format", "json", "--top", "100000", "--min-users", "1"], args].concat()).ok();
        let n = |v: &Value| v.as_u64().unwrap();
        ran.json()
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                let url = row["url"].as_str().unwrap().to_owned();
                (url, (n(&row["visits"]), n(&row["users"]), n(&row["referrals"])))
            })
            .collect()
    }

    /// How often `urls` counts one URL; 0 if it does not list it.
    #[track_caller]
    pub(crate) fn visits_of(&self, url: &str, args: &[&str]) -> u64 {
        self.urls(args).get(url).map_or(0, |(visits, _, _)| *visits)
    }
}

/// Runs the binary in a folder.
pub(crate) fn run_in(folder: &Path, args: &[&str], input: &[u8]) -> Ran {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_trodden"))
        .current_dir(folder)
        .env("COLUMNS", "100")
        // What this machine's user has crawled is no part of a test.
        .env("XDG_CONFIG_HOME", folder.join(".config"))
        .args(args)
        .write_stdin(input)
        .output()
        .unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The folder of fixtures.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}
