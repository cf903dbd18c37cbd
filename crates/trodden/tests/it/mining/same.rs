//! A model depends on the visits alone.

use std::fs;

use crate::generate::{Dice, Kind, log};
use crate::lines::{DAY, Line, MARCH, combined, get};
use crate::mining::shop::shop;
use crate::run::Folder;

/// The model of these inputs, by these further arguments; it is one worth comparing.
#[track_caller]
fn model(folder: &Folder, words: &[&str]) -> String {
    folder.run(&[&["mine", "-o", "out.model"], words].concat()).ok();
    let model = fs::read_to_string(folder.path("out.model")).unwrap();
    assert!(model.len() > 3_000 && model.contains("\"leaf_of\"") && model.contains("\"transits\":[["), "{model}");
    fs::remove_file(folder.path("out.model")).unwrap();
    model
}

#[test]
fn ours_a_log_and_its_visits_give_the_same_model() {
    let folder = Folder::with_log(combined(&shop()));
    let visits = folder.ledger(&["-o", "visits"]).visits;
    assert!(visits > 1_000);
    let of_log = model(&folder, &["access.log"]);
    assert_eq!(of_log, model(&folder, &["visits"]));
    // Users have other keys in every run.
    assert_eq!(of_log, model(&folder, &["access.log"]), "mined twice");
    assert!(of_log.contains(&format!("\"visits\":{visits},\"users\":60")), "{of_log}");
}

#[test]
fn ours_threads_and_memory_do_not_change_a_model() {
    let kinds = [combined(&shop()), log(23, 12_000, 4, Kind::Vhost).text()];
    for (text, sites) in kinds.into_iter().zip([1, 3]) {
        let folder = Folder::with_log(text);
        let one = model(&folder, &["access.log", "--threads", "1"]);
        assert_eq!(one.lines().count(), sites);
        for threads in ["2", "8"] {
            assert_eq!(one, model(&folder, &["access.log", "--threads", threads]), "{threads} threads");
        }
        for memory in ["1", "64KiB", "1MB"] {
            assert_eq!(one, model(&folder, &["access.log", "--memory", memory]), "{memory} bytes of memory");
        }
        folder.ledger(&["-o", "visits"]);
        assert_eq!(one, model(&folder, &["visits", "--memory", "1", "--threads", "8"]), "from visits");
    }
}

#[test]
fn ours_the_order_of_lines_and_files_does_not_change_a_model() {
    for (mut lines, seed) in
        [(shop().iter().map(Line::combined).collect::<Vec<_>>(), 5), (log(29, 8_000, 4, Kind::Vhost).lines, 6)]
    {
        let folder = Folder::with_log(lines.concat());
        let ordered = model(&folder, &["access.log"]);
        Dice::new(seed).shuffle(&mut lines);
        folder.write("shuffled.log", lines.concat());
        assert_eq!(ordered, model(&folder, &["shuffled.log"]), "shuffled");
        let (one, two) = lines.split_at(lines.len() / 3);
        folder.write("one.log", one.concat());
        folder.write("two.log", two.concat());
        assert_eq!(ordered, model(&folder, &["two.log", "one.log"]), "in two files");
    }
}

#[test]
fn ours_other_visits_make_another_model() {
    let mut lines = shop();
    let all = model(&Folder::with_log(combined(&lines)), &["access.log"]);
    lines.pop();
    assert_ne!(all, model(&Folder::with_log(combined(&lines)), &["access.log"]));
}

/// Ten days of a site that changes: what is read in one stretch is not what is read in the next.
fn stretch(number: i64) -> String {
    let mut lines = Vec::new();
    for day in 0..10 {
        for visit in 0..40 {
            let time = MARCH + (number * 10 + day) * DAY + visit * 900;
            let address = format!("192.0.2.{}", (visit * 7 + day) % 23);
            let path = match visit % 4 {
                0 => "/".to_owned(),
                1 => format!("/news/{number}/{}", (visit + day) % 30),
                2 => format!("/item/{}", (visit * 3 + day * number) % 50),
                _ => format!("/list?page={}", visit % 9 + number),
            };
            lines.push(get(time, &address, &path).via(["/", "/list?page=1", "/item/7"][(visit % 3) as usize]));
        }
    }
    combined(&lines)
}

#[test]
fn ours_a_window_is_the_same_as_a_directory_with_only_those_days() {
    let folder = Folder::new();
    for number in 0..5 {
        let name = format!("{number}.log");
        folder.write(&name, stretch(number));
        folder.ingest(&[&name, "-o", "all"]);
        if number >= 2 {
            folder.ingest(&[&name, "-o", "last"]);
        }
    }
    let last = model(&folder, &["last"]);
    assert_eq!(model(&folder, &["all", "--window", "30d"]), last);
    assert_eq!(model(&folder, &["all", "--window", "30"]), last, "the d may be left out");
    assert_eq!(model(&folder, &["last", "--window", "30d"]), last);
    let all = model(&folder, &["all"]);
    assert_ne!(all, last);
    assert_eq!(model(&folder, &["all", "--window", "50d"]), all);
    for other in ["29d", "31d"] {
        let other = model(&folder, &["all", "--window", other]);
        assert!(other != last && other != all);
    }
    // A log has days, too.
    assert_eq!(model(&folder, &["0.log", "1.log", "2.log", "3.log", "4.log", "--window", "30d"]), last);
    for wrong in ["0d", "x", "-1", "1w"] {
        folder.run(&["mine", "all", &format!("--window={wrong}")]).failed(2).says(&["30d"]);
    }
}
