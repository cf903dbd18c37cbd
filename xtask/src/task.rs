//! Which task do the arguments ask for?

use std::ffi::OsString;

/// What `cargo xtask --help` says.
pub(crate) const USAGE: &str = "\
Checks, measurements and long repetitions of the trodden workspace

Usage: cargo xtask <TASK>

Tasks:
  tidy         Check the house rules that a compiler cannot
  bench        Measure, with the peer beside us in the same run
  soak         Repeat with random input, far longer than the tests do
  experiments  Make docs/experiments.md and its pictures again, from real data
  help         Print this text

bench, soak and experiments are built in the dist profile first (`experiments --only CHAPTER`: release); `cargo xtask bench --help`
says what they take.
";

/// A task.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Say what there is.
    Help,
    /// Check the house rules.
    Tidy,
    /// Hand all of these arguments to the program of `bench/`.
    Bench(Vec<OsString>),
}

impl Task {
    /// Reads the arguments after the program's name; what is wrong with them, if something is.
    pub(crate) fn read(arguments: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let arguments: Vec<OsString> = arguments.collect();
        let names: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        match names.as_slice() {
            [] => Err("no task is named".to_owned()),
            ["help" | "-h" | "--help"] | ["tidy", "-h" | "--help"] => Ok(Self::Help),
            ["tidy"] => Ok(Self::Tidy),
            ["tidy", other, ..] => Err(format!("`tidy` takes no argument, and `{other}` is one")),
            ["bench" | "soak" | "experiments", ..] => Ok(Self::Bench(arguments)),
            ["help", "tidy"] => Ok(Self::Help),
            ["help", "bench" | "soak" | "experiments", ..] => {
                let mut arguments = arguments;
                arguments.remove(0);
                arguments.push("--help".into());
                Ok(Self::Bench(arguments))
            }
            [other, ..] => Err(format!("there is no task `{other}`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Task, String> {
        Task::read(line.split_whitespace().map(OsString::from))
    }

    fn bench(line: &str) -> Result<Task, String> {
        Ok(Task::Bench(line.split_whitespace().map(OsString::from).collect()))
    }

    #[test]
    fn ours_help_and_tidy_are_answered_here() {
        for line in ["help", "-h", "--help", "tidy --help", "help tidy"] {
            assert_eq!(read(line), Ok(Task::Help), "{line}");
        }
        assert_eq!(read("tidy"), Ok(Task::Tidy));
    }

    #[test]
    fn ours_measuring_goes_to_the_other_program_with_every_argument() {
        for line in ["bench logs --only speed", "soak ingest --rounds 5", "experiments --check", "bench --help"] {
            assert_eq!(read(line), bench(line), "{line}");
        }
        assert_eq!(read("help bench logs"), bench("bench logs --help"));
    }

    #[test]
    fn ours_wrong_arguments_are_told() {
        assert!(read("").unwrap_err().contains("no task"));
        assert!(read("tydi").unwrap_err().contains("`tydi`"));
        assert!(read("--release tidy").unwrap_err().contains("`--release`"));
        assert!(read("tidy now").unwrap_err().contains("`now`"));
    }
}
