//! Promises of the program: a failure leaves a small input behind, and says how to run it again.
#![expect(clippy::unwrap_used, reason = "tests may fail loudly")]

use std::fs;
use std::process::{Command, Output};

fn fuzz(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fuzz")).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn ours_a_target_that_holds_tells_how_many_inputs_it_took() {
    let ran = fuzz(&["--target", "link-header", "--seconds", "1"]);
    assert_eq!(ran.status.code(), Some(0), "{}", said(&ran));
    let line = said(&ran).lines().next().unwrap().to_owned();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!((words[0], words[2]), ("link-header", "inputs"), "{line}");
    assert!(words[1].parse::<u64>().unwrap() > 10, "{line}");
}

#[test]
fn ours_a_failure_leaves_its_input_made_small_and_can_be_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let failures = folder.path().join("failures");
    let ran = fuzz(&["--target", "self-test", "--seconds", "20", "--failures", failures.to_str().unwrap()]);
    assert_eq!(ran.status.code(), Some(1), "{}", said(&ran));
    assert!(said(&ran).contains("the word was said"), "{}", said(&ran));
    let files: Vec<_> = fs::read_dir(&failures).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1);
    assert_eq!(fs::read(&files[0]).unwrap(), b"panic");
    let file = files[0].to_str().unwrap();
    assert!(said(&ran).contains(&format!("--target self-test --input {file}")), "{}", said(&ran));
    assert!(!fuzz(&["--target", "self-test", "--input", file]).status.success());
    fs::write(file, "pan").unwrap();
    assert!(fuzz(&["--target", "self-test", "--input", file]).status.success());
}

#[test]
fn ours_an_unknown_target_is_told_with_those_there_are() {
    let ran = fuzz(&["--target", "nobody"]);
    assert_eq!(ran.status.code(), Some(2));
    assert!(said(&ran).contains("robots-txt"), "{}", said(&ran));
    assert_eq!(fuzz(&["--input", "a-file"]).status.code(), Some(2), "an input needs its target");
}
