//! Files that are no models, or not whole ones.

use std::fs;

use crate::generate::{Kind, log};
use crate::lines::combined;
use crate::mining::shop::{fails, fed, mined, shop, text};
use crate::run::Folder;

/// All commands that read a model fail with these words.
#[track_caller]
fn all_fail(folder: &Folder, model: &str, words: &[&str]) {
    folder.write("access.log", combined(&shop()));
    folder.write("urls.txt", "https://www.example.org/\n");
    for args in [
        &["patterns", model][..],
        &["patterns", model, "--format", "tree"],
        &["urls", model, "--format", "sitemap"],
        &["score", model, "--input", "urls.txt"],
        &["explain", model, "https://www.example.org/"],
        &["quality", model, "access.log"],
    ] {
        fails(folder, args, words);
    }
}

#[test]
fn ours_what_is_no_model_is_said_by_all_commands() {
    let folder = Folder::new();
    fs::create_dir(folder.path("folder.model")).unwrap();
    all_fail(&folder, "folder.model", &["folder.model", "directory"]);
    all_fail(&folder, "gone.model", &["gone.model", "No such file"]);
    folder.write("empty.model", "");
    all_fail(&folder, "empty.model", &["empty.model has no model", "trodden mine"]);
    folder.write("blank.model", "\n \n");
    all_fail(&folder, "blank.model", &["blank.model has no model"]);
    let garbage: Vec<u8> = (0..5_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    folder.write("garbage.model", garbage);
    all_fail(&folder, "garbage.model", &["garbage.model: line 1 is damaged", "no model that can be read"]);
    folder.write("json.model", "{\"trodden_model\":1}\n[1,2]\n\"text\"\n");
    all_fail(&folder, "json.model", &["line 1 is damaged", "line 2 is damaged", "line 3 is damaged"]);
    // Deeper than any stack.
    folder.write("deep.model", format!("{{\"trodden_model\":1,\"site\":\"a.com\",\"nodes\":{}", "[".repeat(200_000)));
    folder.run(&["patterns", "deep.model"]).failed(1).says(&["line 1 is damaged"]);
}

#[test]
fn ours_packed_files_are_unpacked_under_a_cap() {
    let folder = Folder::new();
    let bomb = zstd::encode_all(&vec![b' '; 256 << 20][..], 1).unwrap();
    assert!(bomb.len() < 100_000);
    folder.write("bomb.zst", &bomb);
    all_fail(&folder, "bomb.zst", &["bomb.zst has over "]);
    folder.write("wrong.zst", b"\x28\xB5\x2F\xFDnot at all");
    all_fail(&folder, "wrong.zst", &["wrong.zst"]);
    let model = fs::read(mined(&shop()).path("site.model")).unwrap();
    let packed = zstd::encode_all(&model[..], 3).unwrap();
    folder.write("cut.zst", &packed[..packed.len() / 2]);
    all_fail(&folder, "cut.zst", &["cut.zst"]);
    // By how it begins, not by its name.
    folder.write("packed.model", packed);
    folder.run(&["patterns", "packed.model"]).ok();
}

#[test]
fn ours_a_newer_version_is_named_beside_the_own() {
    let folder = mined(&shop());
    let model = fs::read_to_string(folder.path("site.model")).unwrap();
    let newer = model.replacen("{\"trodden_model\":2,", "{\"trodden_model\":9,", 1);
    folder.write("newer.model", &newer);
    all_fail(&folder, "newer.model", &["line 1", "example.org", "version 9", "up to 2", "newer trodden"]);
    // Beside one that can be read it costs itself only.
    folder.write("both.model", newer.replace("\"site\":\"example.org\"", "\"site\":\"example.net\"") + &model);
    let ran = folder.run(&["patterns", "both.model", "--format", "json"]).ok();
    ran.says(&["line 1", "example.net", "version 9"]);
    let json = ran.json();
    let sites: Vec<&str> = json.as_array().unwrap().iter().map(|s| text(s, "site")).collect();
    assert_eq!(sites, ["example.org"]);
}

#[test]
fn ours_fields_that_are_not_known_are_ignored() {
    let folder = mined(&shop());
    let model = fs::read_to_string(folder.path("site.model")).unwrap();
    let more = model.replacen("\"origins\":", "\"of_the_future\":{\"a\":[1]},\"origins\":", 1);
    assert_ne!(more, model);
    folder.write("more.model", more.replace("\"visited\":", "\"also_new\":null,\"visited\":"));
    let of = |model: &str| folder.run(&["patterns", model, "--format", "json"]).ok().stdout;
    assert_eq!(of("more.model"), of("site.model"));
}

#[test]
fn ours_a_damaged_line_costs_its_site_only() {
    let folder = Folder::with_log(log(31, 4_000, 3, Kind::Vhost).text());
    folder.run(&["mine", "access.log", "-o", "three.model"]).ok();
    let text_of = fs::read_to_string(folder.path("three.model")).unwrap();
    let lines: Vec<&str> = text_of.lines().collect();
    // By name: example.net, example.org, shop.example.com.
    let [first, second, third] = lines[..] else { panic!("{}", lines.len()) };
    assert!(second.contains("\"site\":\"example.org\""));
    let urls = "https://example.net/\nhttps://www.example.org/\nhttps://shop.example.com/\n";
    for (damage, damaged) in [
        ("cut in the middle", second[..second.len() / 2].to_owned()),
        ("no JSON", "?".repeat(300)),
        ("no text", second.replace("\"parent\"", "\"par\u{0}ent\"")),
        ("a field is gone", second.replacen("\"nodes\":", "\"knots\":", 1)),
        ("of another kind", second.replacen("\"urls\":", "\"urls\":\"many\",\"x\":", 1)),
        ("a parent that comes later", second.replace("\"parent\":0", "\"parent\":4000000000")),
        (
            "no nodes",
            second.split("\"nodes\":[").next().unwrap().to_owned() + "\"nodes\":[],\"transits\":[],\"urls\":[]}",
        ),
    ] {
        folder.write("three.model", [first, damaged.as_str(), third].join("\n"));
        let ran = folder.run(&["patterns", "three.model", "--format", "json"]).ok();
        ran.says(&["three.model: line 2 "]);
        let json = ran.json();
        let sites: Vec<&str> = json.as_array().unwrap().iter().map(|s| text(s, "site")).collect();
        assert_eq!(sites, ["example.net", "shop.example.com"], "{damage}");
        let ran = folder.run(&["urls", "three.model", "--format", "json", "--top", "999"]).ok();
        ran.says(&["three.model: line 2 "]);
        let urls_of: Vec<String> =
            ran.json().as_array().unwrap().iter().map(|row| text(row, "site").to_owned()).collect();
        assert!(urls_of.iter().any(|s| s == "example.net") && urls_of.iter().all(|s| s != "example.org"), "{damage}");
        let ran = fed(&folder, &["score", "three.model"], urls).ok();
        ran.says(&["three.model", "line 2 "]);
        let covered: Vec<bool> = ran.stdout.lines().map(|line| !line.starts_with("0\t")).collect();
        assert_eq!(covered, [true, false, true], "{damage}: {}", ran.stdout);
        folder.run(&["explain", "three.model", "https://example.net/"]).ok();
        fails(&folder, &["explain", "three.model", "https://example.org/"], &["line 2 ", "example.org"]);
        for ran in [&ran, &folder.run(&["patterns", "three.model"]).ok()] {
            ran.says_none_of(&["panicked"]);
        }
    }
}

#[test]
fn ours_a_site_that_is_there_twice_counts_once() {
    let folder = mined(&shop());
    let model = fs::read_to_string(folder.path("site.model")).unwrap();
    folder.write("twice.model", format!("{model}\n{model}"));
    let ran = folder.run(&["patterns", "twice.model", "--format", "json"]).ok();
    ran.says(&["line 3", "a second time", "line 1 counts"]);
    assert_eq!(ran.json().as_array().unwrap().len(), 1);
}
