//! Page-view exports in place of logs.

use crate::run::Folder;

/// A shop's export: product pages, a few sections, users.
fn export(users: bool) -> String {
    let mut text = String::from("# Pages and screens\n# End date: 20240131\n\nPage path and screen class,Views");
    text.push_str(if users { ",Total users\n" } else { "\n" });
    for n in 0..60 {
        text.push_str(&format!("/product/{n},{}", 400 - 5 * n));
        text.push_str(if users { ",40\n" } else { "\n" });
    }
    for n in 0..40 {
        text.push_str(&format!("/help/topic-{n}.html,{}", 3 + n % 4));
        text.push_str(if users { ",2\n" } else { "\n" });
    }
    text.push_str(if users { "/secret-of-one,9,1\n" } else { "/secret-of-one,9\n" });
    text.push_str(if users { ",99999,5000,Grand total\n" } else { ",99999\n" });
    text
}

const SITE: [&str; 2] = ["--site", "https://www.shop.example"];

#[test]
fn ours_an_export_is_mined_like_a_log_and_says_what_it_lacks() {
    let folder = Folder::new();
    folder.write("pages.csv", export(true));
    let ran = folder.run(&["mine", "pages.csv", SITE[0], SITE[1], "-o", "site.model"]).ok();
    ran.says(&["page views (CSV)", "no ways between pages", "total 1"]);
    let urls = folder.run(&["urls", "site.model", "--top", "3"]).ok();
    assert!(urls.stdout.contains("https://www.shop.example/product/0"), "{}", urls.stdout);
    // Two users are fewer than five.
    let all = folder.run(&["patterns", "site.model", "--format", "json"]).ok();
    assert!(!all.stdout.contains("secret-of-one") && !all.stdout.contains("topic-1."), "{}", all.stdout);
}

#[test]
fn ours_without_users_nothing_is_named_unless_it_is_public() {
    let folder = Folder::new();
    folder.write("pages.csv", export(false));
    let mine = |more: &[&str], model: &str| {
        let args: Vec<&str> =
            ["mine", "pages.csv", SITE[0], SITE[1], "-o", model].iter().chain(more).copied().collect();
        folder.run(&args)
    };
    mine(&[], "private.model").failed(1).says(&["--public", "fewer than 5 users"]);
    assert!(!folder.path("private.model").exists());
    mine(&["--public"], "public.model").ok();
    let public = std::fs::read_to_string(folder.path("public.model")).unwrap();
    assert!(public.contains("product"), "{public}");
}

#[test]
fn ours_paths_need_a_site_and_logs_do_not_mix_with_exports() {
    let folder = Folder::new();
    folder.write("pages.csv", export(true));
    folder.run(&["mine", "pages.csv"]).failed(1).says(&["--site"]);
    folder.write("a.log", crate::lines::combined(&crate::lines::people(5)));
    folder.run(&["mine", "pages.csv", "a.log", SITE[0], SITE[1]]).failed(1).says(&["one by one"]);
    folder.write("not.csv", "a,b\n1,2\n");
    folder.run(&["mine", "not.csv", "--log-format", "views"]).failed(1).says(&["no table of page views"]);
}

#[test]
fn ours_an_ingested_export_accounts_for_every_row_and_is_kept_by_itself() {
    let folder = Folder::new();
    folder.write("pages.csv", export(true));
    let ran = folder.run(&["ingest", "pages.csv", SITE[0], SITE[1], "-o", "views", "--format", "json"]).ok();
    let json = ran.json();
    let sum = |name: &str| json[name].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>();
    let n = |name: &str| json[name].as_u64().unwrap();
    assert_eq!(n("lines"), n("visits") + sum("dropped") + sum("bad"));
    assert_eq!((n("lines"), n("visits"), n("urls")), (102, 101, 101));
    assert_eq!(n("views"), (0..60).map(|n| 400 - 5 * n).sum::<u64>() + (0..40).map(|n| 3 + n % 4).sum::<u64>() + 9);
    let urls = folder.run(&["urls", "views", "--top", "1"]).ok();
    assert!(urls.stdout.trim_start().starts_with("400 "), "{}", urls.stdout);
    folder.write("a.log", crate::lines::combined(&crate::lines::people(5)));
    folder.run(&["ingest", "a.log", "-o", "views"]).failed(1).says(&["directory of their own"]);
}
