//! The demo: the whole story on a made-up site, without a network or a home.

use std::fs;
use std::path::Path;

use crate::run::{Folder, Ran};

/// Runs the demo with nothing around it: no home, no network to name, no path.
fn demo(folder: &Folder, args: &[&str]) -> Ran {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_trodden"))
        .current_dir(folder.path(""))
        .env_clear()
        .env("http_proxy", "http://127.0.0.1:1")
        .env("https_proxy", "http://127.0.0.1:1")
        .arg("demo")
        .args(args)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// How many files are in a folder, and below.
fn files(path: &Path) -> usize {
    if !path.is_dir() {
        return 1;
    }
    fs::read_dir(path).unwrap().map(|entry| files(&entry.unwrap().path())).sum()
}

/// A share in percent, between two texts.
fn percent(line: &str, before: &str, after: &str) -> f64 {
    let rest = line.split_once(before).unwrap_or_else(|| panic!("{line}")).1;
    rest.split_once(after).unwrap_or_else(|| panic!("{line}")).0.parse().unwrap_or_else(|_| panic!("{line}"))
}

#[test]
fn ours_the_demo_tells_its_story_in_a_line_and_leaves_what_it_is_made_of() {
    let folder = Folder::new();
    let ran = demo(&folder, &["--seed", "1", "-o", "out"]).ok();
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let ours = percent(lines[0], "80 % of what people read after fetching ", " % of the pages; ");
    let plain = percent(lines[0], "; breadth-first needs ", " %");
    assert_eq!(
        lines[0],
        format!("80 % of what people read after fetching {ours:.1} % of the pages; breadth-first needs {plain:.1} %")
    );
    assert!(ours < plain, "{}", lines[0]);
    // The real crawls are judged by what people read after what the model was learnt from.
    let (real, real_plain) =
        (percent(lines[1], " pages got ", " % of what"), percent(lines[1], "; breadth-first ", " %"));
    assert!(lines[1].starts_with("a real crawl of ") && real > real_plain, "{}", lines[1]);
    for folder_of in ["out/crawl-blend", "out/crawl-breadth-first"] {
        for file in ["report.html", "crawl.toml", "archive"] {
            assert!(folder.path(folder_of).join(file).exists(), "{folder_of}/{file}");
        }
        assert!(lines[5..].iter().any(|line| line.ends_with(folder_of)), "{folder_of}");
    }
    for (line, (word, file)) in
        lines[2..5].iter().zip([("model", "site.model"), ("result", "result.json"), ("report", "report.html")])
    {
        let path = line.strip_prefix(word).unwrap_or_else(|| panic!("{line}")).trim();
        assert!(path.ends_with(file) && folder.path(path).is_file(), "{line}");
    }
    assert_eq!(lines.len(), 7);
    // How much that is, and where, is told: it is more than most people expect of a demo.
    let line = ran.stderr.lines().find_map(|line| line.strip_prefix("all of it is in out (")).unwrap_or_default();
    let (size, rest) = line.split_once(" in ").unwrap_or_else(|| panic!("{}", ran.stderr));
    assert!(size.ends_with("MB"), "{line}");
    assert_eq!(rest, format!("{} files); it stays there until you remove it", files(&folder.path("out"))));
    // The line is what the result says, and the commands can be typed again.
    let result: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path("out/result.json")).unwrap()).unwrap();
    let of = |name: &str| super::site::policy(&result, name)["pages_for"]["80"].as_f64().unwrap() * 100.0;
    assert!((of("blend") - ours).abs() < 0.051 && (of("breadth-first") - plain).abs() < 0.051);
    ran.says(&["$ trodden mine ", "$ trodden simulate ", "$ trodden crawl "]);
    let again = ran
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("$ trodden ").filter(|l| l.starts_with("simulate")))
        .unwrap();
    fs::remove_file(folder.path("out/result.json")).unwrap();
    folder.run(&again.split(' ').collect::<Vec<_>>()).ok();
    let typed: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path("out/result.json")).unwrap()).unwrap();
    assert_eq!(typed, result);
    // A folder with things in it stays as it is.
    demo(&folder, &["-o", "out"]).failed(1).says(&["out", "not empty"]);
    assert_eq!(typed["record"]["seed"], 1);
}

#[test]
fn ours_the_same_seed_tells_the_same_story() {
    let [one, two] = ["a", "b/c"].map(|name| {
        let folder = Folder::new();
        let ran = demo(&folder, &["--seed", "7", "-o", name]).ok();
        let read = |file: &str| fs::read(folder.path(name).join(file)).unwrap();
        let files = ["result.json", "report.html", "table.csv", "curves.csv", "site.model", "access.log", "links.tsv"]
            .map(read);
        (ran.stdout.replace(&format!("{name}/"), "DIR/"), files)
    });
    assert_eq!(one.0, two.0);
    for (at, (one, two)) in one.1.iter().zip(&two.1).enumerate() {
        assert!(one == two, "file {at} differs");
    }
    let log = String::from_utf8_lossy(&one.1[5]);
    assert!(log.lines().count() > 1_000);
}

#[test]
fn ours_a_demo_that_cannot_write_says_where() {
    let folder = Folder::new();
    folder.write("taken", "a file");
    let ran = demo(&folder, &["-o", "taken"]).failed(1);
    ran.says(&["taken"]);
    assert_eq!(ran.stdout, "");
    assert!(!Path::new("/nonexistent").exists());
    demo(&folder, &["--seed", "many"]).failed(2);
}
