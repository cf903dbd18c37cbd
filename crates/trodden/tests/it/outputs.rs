//! Nothing that is read is written over, whatever it is called; nor is anything that is no model.

use std::fs;
use std::os::unix::fs::symlink;

use crate::lines::{combined, people};
use crate::run::Folder;

fn log() -> String {
    combined(&people(40))
}

/// Everything below a folder: names, and what is in the files.
fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    fn add(dir: &std::path::Path, all: &mut Vec<(String, Vec<u8>)>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                add(&path, all);
            }
            all.push((path.display().to_string(), fs::read(&path).unwrap_or_default()));
        }
    }
    let mut all = Vec::new();
    add(&folder.path(""), &mut all);
    all.sort();
    all
}

/// The run is refused in these words, and nothing is touched.
#[track_caller]
fn refused(folder: &Folder, args: &[&str], words: &[&str]) {
    let before = contents(folder);
    let ran = folder.run(args).failed(1);
    ran.says(words);
    assert_eq!(ran.stdout, "", "{args:?}");
    assert_eq!(contents(folder), before, "{args:?}");
}

#[test]
fn ours_a_log_is_not_replaced_by_its_model() {
    let folder = Folder::with_log(log());
    folder.write("logs/old.log", log());
    fs::hard_link(folder.path("access.log"), folder.path("hard.log")).unwrap();
    symlink("access.log", folder.path("soft.log")).unwrap();
    symlink("logs", folder.path("other")).unwrap();
    for output in ["access.log", "./access.log", "logs/../access.log", "hard.log", "soft.log"] {
        refused(&folder, &["mine", "access.log", "-o", output], &[output, "access.log", "-o"]);
        refused(&folder, &["mine", "access.log", "--force", "-o", output], &["access.log"]);
    }
    for (input, output) in [
        ("logs", "logs/site.model"),
        ("logs", "other/site.model"),
        ("other", "logs/old.log"),
        ("logs/*", "logs/site.model"),
        ("logs/*.log", "logs/old.log"),
        (".", "site.model"),
    ] {
        refused(&folder, &["mine", input, "-o", output], &[output, input]);
    }
    folder.write("urls.txt", "https://www.example.org/\n");
    refused(&folder, &["mine", "access.log", "--urls", "urls.txt", "--force", "-o", "urls.txt"], &["urls.txt"]);
    // Beside the logs is a good place, if a glob leaves it alone.
    folder.run(&["mine", "logs/*.log", "-o", "logs/site.model"]).ok();
}

#[test]
fn ours_only_models_are_replaced_by_models() {
    let folder = Folder::with_log(log());
    folder.write("thesis.txt", "ten years of work\n");
    folder.write("page.html", "<!doctype html><p>");
    for (output, words) in [("thesis.txt", "text of no known format"), ("page.html", "an HTML page")] {
        refused(&folder, &["mine", "access.log", "-o", output], &[output, words, "not a model", "--force"]);
    }
    folder.ledger(&["-o", "visits"]);
    let file = crate::rows::parquet_files(&folder.path("visits")).remove(0);
    refused(&folder, &["mine", "access.log", "-o", file.to_str().unwrap()], &["visits", "--force"]);
    symlink("/dev/null", folder.path("null")).unwrap();
    refused(&folder, &["mine", "access.log", "--force", "-o", "null"], &["null is no file"]);
    folder.run(&["mine", "access.log", "--force", "-o", "thesis.txt"]).ok();
    // A model is replaced as before, packed or not, and so is a file without anything in it.
    for output in ["thesis.txt", "packed.zst", "packed.zst", "empty"] {
        fs::OpenOptions::new().create(true).append(true).open(folder.path("empty")).unwrap();
        folder.run(&["mine", "access.log", "-o", output]).ok();
        folder.run(&["patterns", output]).ok();
    }
}

#[test]
fn ours_visits_and_reports_go_beside_what_is_read() {
    let folder = Folder::with_log(log());
    folder.write("logs/old.log", log());
    for (input, output) in
        [("access.log", "access.log"), ("logs", "logs/visits"), (".", "visits"), ("logs/*", "logs/new")]
    {
        refused(&folder, &["ingest", input, "-o", output], &[output, input]);
    }
    refused(&folder, &["ingest", "access.log", "-o", "logs/old.log"], &["logs/old.log"]);
    folder.ledger(&["-o", "visits"]);
    refused(&folder, &["ingest", "visits", "-o", "visits"], &["visits", "count twice"]);
    for output in ["visits", "visits/report", "access.log"] {
        refused(&folder, &["simulate", "visits", "--log", "access.log", "-o", output], &[output]);
    }
    folder.write("here/report.html", log());
    refused(&folder, &["simulate", "visits", "--log", "here/report.html", "-o", "here"], &["here/report.html"]);
    folder.write("here/access.log", log());
    folder.run(&["simulate", "here/access.log", "--log", "here/access.log", "--policy", "blend", "-o", "here"]).ok();
    assert!(folder.path("here/result.json").is_file());
}
