//! What was wrong with a crawl that is resumed, and was mended: in words.

use indicatif::HumanDuration;
use trodden_fetch::crawl::{Crawl, Mended};

use crate::output::{counted, say, thousands};

/// A clock that is behind by less is as good as any, in milliseconds.
const CLOCKS_DIFFER_MS: u64 = 10_000;

/// Says it, if something was.
pub(super) fn say_what(crawl: &Crawl) {
    words(crawl.mended(), crawl.has_lost_steps()).iter().for_each(|words| say(words));
}

fn words(mended: &Mended, has_lost_steps: bool) -> Vec<String> {
    let mut words = Vec::new();
    if has_lost_steps {
        words.push("mended: the store of the crawl had lost its end; what is missing is done again".to_owned());
    }
    if !mended.files.is_empty() {
        words.push(format!(
            "mended: {} had lost records; {} that were in them are fetched again",
            mended.files.join(", "),
            counted(mended.lost_pages, "page")
        ));
    }
    if mended.unknown_files > 0 {
        let files = counted(mended.unknown_files, "file");
        words.push(format!("mended: {files} of the archive do not belong to the crawl; renamed to *.unknown"));
    }
    if mended.index && mended.files.is_empty() {
        words.push("mended: the index was damaged; it is made again from the archive".to_owned());
    }
    if mended.events {
        words.push("mended: events.jsonl.zst had lost its end; earlier events are missing from it".to_owned());
    }
    if mended.clock_behind_ms > CLOCKS_DIFFER_MS {
        let behind = HumanDuration(std::time::Duration::from_millis(mended.clock_behind_ms));
        words.push(format!(
            "note: the clock of this machine is {behind} ({} s) behind the time of the crawl; the crawl continues from its own time",
            thousands(mended.clock_behind_ms / 1_000)
        ));
    }
    words
}
