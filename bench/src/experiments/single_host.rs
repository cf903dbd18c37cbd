//! Do orders help within one host? The URL-ordering paper's small experiment, where they did worse than chance.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;

use super::chapter::Chapter;
use super::claim::Claim;
use super::laboratory::Laboratory;
use super::link_order::{PAPER, below_chance, policies};
use super::number::{listed, thousands};
use super::outcome::{Outcome, RANDOM_FORMULA};
use super::picture::{hot, picture};

/// The two hosts of the graph with the most pages that have a home page.
const HOSTS: [&str; 2] = ["graphics.stanford.edu", "robotics.stanford.edu"];

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let runs = HOSTS.into_iter().map(|host| run(laboratory, host)).collect::<Result<Vec<_>>>()?;
    let mut chapter = Chapter::new("One host only");
    chapter.paragraph(
        "The paper also crawls a single host and finds that orders then may do worse than random. The same graph, cut \
         down to the links within one host, for its two largest hosts. Area of hot pages visited:",
    );
    let mut rows = Vec::new();
    for name in PAPER.into_iter().chain(["location", "opic", "rankmass", "pagerank-whole", RANDOM_FORMULA]) {
        let mut row = vec![name.to_owned()];
        for of in &runs {
            for metric in ["backlinks", "pagerank"] {
                row.push(format!("{:.3}", of.metric(metric)?.policy(name)?.threshold_auc));
            }
        }
        rows.push(row);
    }
    chapter.table(&["order", "graphics: backlinks", "PageRank", "robotics: backlinks", "PageRank"], &rows);
    let panels = runs
        .iter()
        .zip(HOSTS)
        .map(|(of, host)| Ok(hot(format!("{host}, by backlinks"), of.metric("backlinks")?)))
        .collect::<Result<Vec<_>>>()?;
    let pages: Vec<u64> = runs.iter().map(|of| of.pages).collect();
    let says = "Hot pages visited by pages fetched, within each of two hosts, by backlinks";
    chapter.picture("single-host", says, picture("host", &pages, &panels));
    let mut gist = Vec::new();
    let mut claims = Vec::new();
    for (of, host) in runs.iter().zip(HOSTS) {
        let below = below_chance(of.metric("backlinks")?)?;
        gist.push(format!("on {host} {} of 3", below.len()));
        claims.push(claim(of, host, &below));
    }
    chapter.claims(&claims);
    chapter.paragraph(
        "Within a host most links are navigation: they say how the host is laid out, not what anybody thinks of a page. \
         Whether orders by links beat chance then depends on where the layout puts its most linked pages: near the home \
         page, as on graphics, or far from it, as with the archive of a mailing list on robotics.",
    );
    chapter.gist =
        format!("Orders of the paper that do worse than a random page within one host: {}.", gist.join(", "));
    Ok(chapter)
}

fn claim(of: &Outcome, host: &str, below: &[&str]) -> Claim {
    let here = format!(
        "{host} ({} pages): {} below chance by backlinks",
        thousands(of.pages),
        if below.is_empty() { "none".to_owned() } else { listed(below) }
    );
    Claim::new("Within one host, orders may do worse than random", here, !below.is_empty()).if_not(
        "Its most linked pages are a copyright note, home pages of people and course pages, nearer to the start than the average \
         page, so that every order finds them early.",
    )
}

fn run(laboratory: &Laboratory, host: &str) -> Result<Outcome> {
    let name = host.split('.').next().unwrap_or(host);
    let links = laboratory.result(&format!("{name}.links.tsv"));
    let graph = laboratory.data("graphs/stanford-cs-2001");
    cut_down(&graph, host, &links)?;
    let options = format!("--start http://{host}/ --importance backlinks --importance pagerank {}", policies());
    laboratory.simulate(&format!("host-{name}"), &links, None, &options)
}

/// The links of a graph of ids whose ends are both on that host, as URLs.
fn cut_down(graph: &Path, host: &str, into: &Path) -> Result<()> {
    let prefix = format!("http://{host}/");
    let mut urls: BTreeMap<u64, String> = BTreeMap::new();
    for line in packed_lines(&with_suffix(graph, ".urls.tsv.gz"))?.lines() {
        let line = line?;
        let Some((id, url)) = line.split_once('\t') else { continue };
        if url.starts_with(&prefix) {
            urls.insert(id.parse()?, url.to_owned());
        }
    }
    let mut out = BufWriter::new(File::create(into).with_context(|| format!("could not write {}", into.display()))?);
    for line in packed_lines(&with_suffix(graph, ".edges.tsv.gz"))?.lines() {
        let line = line?;
        let Some((from, to)) = line.split_once('\t') else { continue };
        if let (Some(from), Some(to)) = (urls.get(&from.parse()?), urls.get(&to.parse()?)) {
            writeln!(out, "{from}\t{to}")?;
        }
    }
    out.flush()?;
    Ok(())
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn packed_lines(path: &Path) -> Result<BufReader<MultiGzDecoder<File>>> {
    let file = File::open(path).with_context(|| format!("could not read {}", path.display()))?;
    Ok(BufReader::new(MultiGzDecoder::new(file)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;

    #[test]
    fn www98_one_host_keeps_only_its_own_links() {
        let folder = tempfile::tempdir().unwrap();
        let pack = |name: &str, text: &str| {
            let mut packed =
                GzEncoder::new(File::create(folder.path().join(name)).unwrap(), flate2::Compression::fast());
            packed.write_all(text.as_bytes()).unwrap();
            packed.finish().unwrap();
        };
        pack("g.urls.tsv.gz", "0\thttp://a.test/\n1\thttp://a.test/x\n2\thttp://b.test/\n");
        pack("g.edges.tsv.gz", "0\t1\n0\t2\n2\t1\n1\t0\n");
        let out = folder.path().join("out.tsv");
        cut_down(&folder.path().join("g"), "a.test", &out).unwrap();
        let text = std::fs::read_to_string(out).unwrap();
        assert_eq!(text, "http://a.test/\thttp://a.test/x\nhttp://a.test/x\thttp://a.test/\n");
    }
}
