//! The report is one page that needs nothing but itself.

use std::fs;

use super::site::{large, simulate};

#[test]
fn ours_the_report_loads_nothing_and_says_what_to_conclude() {
    let folder = large();
    let ran = simulate(&folder, &["-o", "out", "--importance", "backlinks"]).ok();
    let page = fs::read_to_string(folder.path("out/report.html")).unwrap();
    for load in ["src=\"http", "href=\"http", "src=\"//", "@import", "url(http", "<script src", "<link "] {
        assert!(!page.contains(load), "the page loads: {load}");
    }
    assert!(page.contains("</html>") && page.contains("<svg"));
    let conclusion = page.split("<p").find(|part| part.contains("this proves little, but")).expect("a conclusion");
    assert!(conclusion.contains("breadth-first"), "{conclusion}");
    assert!(ran.stdout.contains("this proves little"), "{}", ran.stdout);
    // Settings and inputs stand on it, the place of the folder does not.
    assert!(page.contains("links.tsv") && !page.contains(folder.path("").to_str().unwrap()));
}

#[test]
fn ours_names_from_outside_cannot_speak_html() {
    let folder = large();
    let name = "<img src=x onerror=alert(1)>.tsv";
    fs::copy(folder.path("links.tsv"), folder.path(name)).unwrap();
    let words =
        ["--log", "access.log", "--site", super::site::SITE, "-o", "out", "--topic", "<script>alert 2</script>"];
    folder.run(&[&["simulate", name], &words[..]].concat()).ok();
    let page = fs::read_to_string(folder.path("out/report.html")).unwrap();
    assert!(!page.contains("<img src=x") && !page.contains("<script>alert"));
    assert!(page.contains("&lt;img src=x"));
}
