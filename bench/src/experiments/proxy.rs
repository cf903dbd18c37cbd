//! And where a gateway saw many readers, but no referrers? Three platforms of journals.

use anyhow::Result;

use super::browsing::table;
use super::chapter::Chapter;
use super::expected::beside;
use super::laboratory::Laboratory;
use super::number::{spoken, thousands};

const PLATFORMS: [&str; 3] = ["sciencedirect", "springer", "cairn"];

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let mut chapter = Chapter::new("A gateway to three platforms of journals");
    chapter.paragraph(
        "Logs of a proxy by which French research units read journals: users, but no referrers. So no links are known at all: each log is its own mirror, and \
         every page hangs on the artificial entry page. What is compared is what can be told from URLs and from who read what before.",
    );
    let mut gists = Vec::new();
    for name in PLATFORMS {
        let log = laboratory.data(&format!("proxy/{name}.log.gz"));
        let of = laboratory.simulate(&format!("proxy-{name}"), &log, Some(&log), "")?;
        chapter.heading(name);
        chapter.paragraph(&format!(
            "{} pages, {} visits in the test, {} of them cold.",
            thousands(of.pages),
            thousands(of.traffic as u64),
            spoken(Some(of.cold_traffic / of.traffic.max(1.0)))
        ));
        of.warnings.iter().for_each(|warning| chapter.paragraph(&format!("*Beware*: {warning}.")));
        table(&mut chapter, &of);
        let gist = beside(&of)?;
        chapter.paragraph(&format!("{gist}."));
        gists.push(format!("{name}: {gist}"));
    }
    chapter.gist = format!("{}.", gists.join("; "));
    Ok(chapter)
}
