//! Running the program in a folder of its own, and reading what it kept.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use trodden_archive::Caps;
use trodden_archive::warc::{RecordKind, WarcReader, WarcRecord, check};

/// What all crawls of tests have in common: nobody waits, and there is no asking for a contact.
const USUAL: [&str; 8] =
    ["crawl", "--delay", "0ms", "--address-delay", "0ms", "--set", "crawl.patience_s=0", "--contact=tests@example.org"];

/// For programs.
const JSON: [&str; 2] = ["--format", "json"];

/// A folder in which the program is run.
pub(crate) struct Folder(TempDir);

/// A run that ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// It went well; what it says.
    #[track_caller]
    pub(crate) fn told(&self) -> Told {
        assert_eq!(self.code, Some(0), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        Told(serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}", self.stdout)))
    }

    /// Nothing was fetched, for this reason; what it says.
    #[track_caller]
    pub(crate) fn nothing(&self, words: &[&str]) -> Told {
        assert_eq!(self.code, Some(1), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self.says(&["trodden: nothing was fetched: "]);
        self.says(words);
        Told(serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}", self.stdout)))
    }

    /// It failed, with words like these.
    #[track_caller]
    pub(crate) fn fails(&self, words: &[&str]) {
        assert!(matches!(self.code, Some(1 | 2)), "{:?} stdout: {}\nstderr: {}", self.code, self.stdout, self.stderr);
        self.says(words);
    }

    #[track_caller]
    pub(crate) fn says(&self, words: &[&str]) {
        for word in words {
            assert!(self.stderr.contains(word), "stderr lacks {word:?}: {}", self.stderr);
        }
    }
}

/// The summary of a crawl.
pub(crate) struct Told(pub(crate) Value);

impl Told {
    /// How many URLs came to this.
    pub(crate) fn outcome(&self, name: &str) -> u64 {
        self.0["outcomes"][name].as_u64().unwrap_or(0)
    }

    pub(crate) fn outcomes(&self) -> BTreeMap<String, u64> {
        self.0["outcomes"].as_object().unwrap().iter().map(|(k, v)| (k.clone(), v.as_u64().unwrap())).collect()
    }

    /// All outcomes are these.
    #[track_caller]
    pub(crate) fn came_to(&self, expected: &[(&str, u64)]) {
        let expected = expected.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect::<BTreeMap<_, _>>();
        assert_eq!(self.outcomes(), expected, "{}", self.0);
    }

    /// All deferred tries came to these.
    #[track_caller]
    pub(crate) fn deferred(&self, expected: &[(&str, u64)]) {
        let expected: BTreeMap<&str, u64> = expected.iter().copied().collect();
        assert_eq!(self.0["deferred_by_kind"], serde_json::json!(expected), "{}", self.0);
        assert_eq!(self.0["deferred"], expected.values().sum::<u64>(), "{}", self.0);
    }

    #[track_caller]
    pub(crate) fn ended(&self, how: &str) {
        assert_eq!(self.0["ended"], how, "{}", self.0);
    }
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// The program, here, with a configuration folder of its own.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trodden"));
        command.current_dir(self.0.path()).env("XDG_CONFIG_HOME", self.path("config")).env("COLUMNS", "100");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).args(args);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).output().unwrap())
    }

    /// A crawl in the folder `c`.
    pub(crate) fn crawl(&self, args: &[&str]) -> Ran {
        self.crawl_outside(&[&["--allow-private"], args].concat())
    }

    /// The same where loopback is not allowed.
    pub(crate) fn crawl_outside(&self, args: &[&str]) -> Ran {
        self.run(&[&USUAL[..], &JSON, &["-o", "c"], args].concat())
    }

    /// A crawl in the folder `c` that tells people what came of it.
    pub(crate) fn crawl_for_people(&self, args: &[&str]) -> Ran {
        self.run(&[&USUAL[..], &["--allow-private", "-o", "c"], args].concat())
    }

    /// The same, under way.
    pub(crate) fn crawling(&self, args: &[&str]) -> Child {
        self.command(&[&USUAL[..], &JSON, &["--allow-private", "-o", "c"], args].concat()).spawn().unwrap()
    }

    /// Answers and revisits of the archive of `c`, by URL, but for robots.txt; every file must be sound.
    #[track_caller]
    pub(crate) fn archived(&self) -> BTreeMap<String, u64> {
        let mut urls = BTreeMap::new();
        self.each_archived(|url, _| *urls.entry(url.to_owned()).or_default() += 1);
        urls
    }

    /// Why the archive has not all of a URL (`WARC-Truncated`).
    #[track_caller]
    pub(crate) fn cut(&self, of: &str) -> Option<String> {
        let mut cut = None;
        self.each_archived(|url, record| {
            if url == of {
                cut = record.headers.get("WARC-Truncated").map(str::to_owned);
            }
        });
        cut
    }

    /// The heads of all requests, as the archive of `c` has them.
    #[track_caller]
    pub(crate) fn requests(&self) -> Vec<String> {
        let mut heads = Vec::new();
        self.each_record(|record| {
            if record.kind == RecordKind::Request {
                heads.push(String::from_utf8(record.body.clone()).unwrap());
            }
        });
        heads
    }

    #[track_caller]
    fn each_archived(&self, mut tell: impl FnMut(&str, &WarcRecord)) {
        self.each_record(|record| {
            let is_answer = matches!(record.kind, RecordKind::Response | RecordKind::Revisit);
            if let Some(url) = record.target.as_deref().filter(|url| is_answer && !url.ends_with("/robots.txt")) {
                tell(url, record);
            }
        });
    }

    /// All records of the archive of `c`; every file must be sound.
    #[track_caller]
    fn each_record(&self, mut tell: impl FnMut(&WarcRecord)) {
        for file in archives(&self.path("c/archive")) {
            let report = check(&file, &Caps::default()).unwrap();
            assert!(report.is_sound(), "{}: {report:?}", file.display());
            WarcReader::open(&file, Caps::default()).unwrap().for_each(|record| tell(&record.unwrap()));
        }
    }
}

/// The archives of a folder, by name.
pub(crate) fn archives(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    // What a crawl that lost its store knows nothing of is set aside.
    let is_one = |path: &PathBuf| {
        path.to_string_lossy().contains(".warc.gz") && path.extension().is_none_or(|it| it != "unknown")
    };
    let mut files: Vec<PathBuf> = entries.filter(is_one).collect();
    files.sort();
    files
}

/// Sends a signal to a run that is under way.
pub(crate) fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}
