//! Every example of the documentation is run, and prints what the documentation says it prints.
//!
//! A block marked `console` holds commands behind `$ ` and, below each, its standard output; a line `…` stands for any
//! lines, and `…` in a line for any text. The blocks of one file run one after the other in one folder, in which `examples/` is
//! found. A command is `trodden`, or `cat` of a file; it may end in `< FILE`, `> FILE` or `2>&1`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

struct Example {
    place: String,
    command: String,
    expected: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn examples(file: &Path) -> Vec<Example> {
    let text = fs::read_to_string(file).unwrap();
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            let place = format!("{}:{}", file.file_name().unwrap().to_string_lossy(), number + 1);
            examples.push(Example { place, command: command.to_owned(), expected: Vec::new() });
        } else if inside {
            examples.last_mut().expect("a block starts with a command").expected.push(line.trim_end().to_owned());
        }
    }
    examples
}

fn matches(expected: &[String], actual: &[String]) -> bool {
    match (expected.split_first(), actual.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((first, more)), _) if first == "…" => (0..=actual.len()).any(|skip| matches(more, &actual[skip..])),
        (Some((first, more)), Some((line, rest))) => is_like(line, first) && matches(more, rest),
        (Some(_), None) => false,
    }
}

/// Whether a line is what an example says, `…` standing for any text.
fn is_like(line: &str, expected: &str) -> bool {
    let Some((start, rest)) = expected.split_once('…') else { return line == expected };
    let Some(line) = line.strip_prefix(start) else { return false };
    line.char_indices().map(|(at, _)| at).chain([line.len()]).any(|at| is_like(&line[at..], rest))
}

#[test]
fn ours_documentation_examples_print_what_they_say() {
    let mut run = 0;
    for name in [
        "README.md",
        "docs/ingest.md",
        "docs/cleaning.md",
        "docs/mining.md",
        "docs/patterns.md",
        "docs/simulate.md",
        "docs/crawl.md",
        "docs/report.md",
        "docs/revisits.md",
        "docs/observe.md",
        "docs/formats/visits.md",
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("examples")).unwrap();
        for entry in fs::read_dir(root().join("examples")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), folder.path().join("examples").join(entry.file_name())).unwrap();
        }
        for example in examples(&root().join(name)) {
            let words: Vec<&str> = example.command.split_whitespace().collect();
            let (words, with_talk) = match words.split_last() {
                Some((&"2>&1", words)) => (words.to_vec(), true),
                _ => (words, false),
            };
            let (words, redirect) = match words.iter().position(|word| ["<", ">"].contains(word)) {
                Some(at) => (&words[..at], Some((words[at], folder.path().join(words[at + 1])))),
                None => (&words[..], None),
            };
            let mut command = match words[0] {
                "trodden" => Command::cargo_bin("trodden").unwrap(),
                "cat" => Command::new("cat"),
                other => panic!("{}: {other} is not run here", example.place),
            };
            command.args(&words[1..]).current_dir(folder.path()).env("COLUMNS", "100");
            if let Some(("<", file)) = &redirect {
                command.write_stdin(fs::read(file).unwrap());
            }
            let done = command.assert().success();
            let mut out = String::from_utf8(done.get_output().stdout.clone()).unwrap();
            if with_talk {
                out = format!("{}{out}", String::from_utf8_lossy(&done.get_output().stderr));
            }
            if let Some((">", file)) = redirect {
                fs::write(file, std::mem::take(&mut out)).unwrap();
            }
            let actual: Vec<String> = out.lines().map(|l| l.trim_end().to_owned()).collect();
            assert!(matches(&example.expected, &actual), "{}: $ {}\nprints\n{out}", example.place, example.command);
            run += 1;
        }
    }
    assert!(run >= 6, "{run} examples");
}
