//! Promises of `./test`: how it counts, and what it does to a machine. Everything it calls is a stand-in.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "tests may fail loudly")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Answers as cargo would; two tests skip themselves.
const CARGO: &str = r#"
case "$1 $2" in
"nextest run")
    echo 'a::b one: no data' > "$TRODDEN_SKIPPED/one"
    echo 'a::b two: no Python' > "$TRODDEN_SKIPPED/two"
    echo '     Summary [   1.000s] 12 tests run: 12 passed (1 slow), 0 skipped' ;;
"test --doc") echo 'test result: ok. 1 passed; 0 failed; 0 ignored' ;;
esac
"#;

/// A Python that has all packages.
const PYTHON: &str = r#"
if [ "$2" = venv ]; then mkdir -p "${@: -1}/bin"; cp "$0" "${@: -1}/bin/python"; fi
"#;

/// Notes what it was asked to do.
const APT_GET: &str = r#"echo "apt-get $*" >> done"#;

struct Machine(tempfile::TempDir);

/// What `./test` said, and how it ended.
struct Ran {
    code: Option<i32>,
    lines: Vec<String>,
}

impl Machine {
    fn new(user: u32, python: &str) -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test");
        fs::copy(script, machine.0.path().join("test")).unwrap();
        fs::create_dir_all(machine.0.path().join("target/debug")).unwrap();
        machine.program("bin/cargo", CARGO);
        machine.program("bin/python3", python);
        machine.program("bin/apt-get", APT_GET);
        machine.program("bin/sudo", "exit 1");
        machine.program("bin/id", &format!("echo {user}"));
        machine.program("target/debug/fuzz", "");
        machine
    }

    fn program(&self, name: &str, body: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/bash\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn test(&self) -> Ran {
        let path = format!("{}:/usr/bin:/bin", self.0.path().join("bin").display());
        let output = Command::new("bash")
            .arg("test")
            .current_dir(self.0.path())
            .env("PATH", path)
            .env("HOME", self.0.path())
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_HOME")
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        Ran { code: output.status.code(), lines: said.lines().map(str::to_owned).collect() }
    }

    /// What apt-get was asked to do.
    fn done(&self) -> String {
        fs::read_to_string(self.0.path().join("done")).unwrap_or_default()
    }
}

#[test]
fn ours_a_test_that_skips_itself_is_named_and_does_not_count_as_passed() {
    let ran = Machine::new(1_000, PYTHON).test();
    // Ten tests, one of documentation, and eight steps.
    assert_eq!(ran.lines.last().unwrap(), "19 passed, 0 failed, 2 skipped", "{:#?}", ran.lines);
    assert_eq!(ran.code, Some(0));
    let at = ran.lines.iter().position(|line| line == "=== skipped: 2").unwrap();
    assert_eq!(ran.lines[at + 1..at + 3], ["a::b one: no data", "a::b two: no Python"]);
}

#[test]
fn ours_notes_of_an_earlier_run_do_not_count() {
    let machine = Machine::new(1_000, PYTHON);
    fs::create_dir_all(machine.0.path().join("target/test-logs/skipped")).unwrap();
    fs::write(machine.0.path().join("target/test-logs/skipped/old"), "old\n").unwrap();
    let ran = machine.test();
    assert!(ran.lines.last().unwrap().ends_with("2 skipped") && !ran.lines.contains(&"old".to_owned()));
}

#[test]
fn ours_a_pip_of_the_machine_is_enough_for_a_venv() {
    let without_ensurepip = r#"
        case "$*" in
        *"-m venv --clear --without-pip"*) mkdir -p "${@: -1}/bin"; cp "$0" "${@: -1}/bin/python" ;;
        *"-m venv"*) exit 1 ;;
        esac"#;
    let machine = Machine::new(0, without_ensurepip);
    assert_eq!((machine.test().code, machine.done().as_str()), (Some(0), ""));
}

/// Neither venv nor pip.
const BARE: &str = r#"case "$*" in *"-m venv"*|*"-m pip"*) exit 1 ;; esac"#;

#[test]
fn ours_nothing_is_installed_on_the_machine_of_a_person_who_was_not_asked() {
    let machine = Machine::new(1_000, BARE);
    let ran = machine.test();
    assert_eq!((ran.code, machine.done().as_str()), (Some(1), ""));
    let said = ran.lines.join("\n");
    assert!(said.contains("this must be run: sudo sh -c 'apt-get update -q && apt-get install -y -q python3-venv'"));
    assert!(said.contains("install venv or pip for python3 and run ./test again"), "{said}");
}

#[test]
fn ours_a_machine_for_tests_installs_what_it_said_it_would() {
    let machine = Machine::new(0, BARE);
    let ran = machine.test();
    assert_eq!(machine.done(), "apt-get update -q\napt-get install -y -q python3-venv\n");
    let said = "to go on, this must be run: apt-get update -q && apt-get install -y -q python3-venv";
    assert!(ran.lines.iter().any(|line| line == said), "{:#?}", ran.lines);
}

#[test]
fn ours_a_failed_step_is_counted_and_the_others_still_run() {
    let machine = Machine::new(1_000, PYTHON);
    machine.program("target/debug/fuzz", "exit 1");
    let ran = machine.test();
    assert_eq!((ran.lines.last().unwrap().as_str(), ran.code), ("18 passed, 1 failed, 2 skipped", Some(1)));
    assert!(ran.lines.iter().any(|line| line.starts_with("dependencies ") && line.contains(" ok ")));
}
