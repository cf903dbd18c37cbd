//! And on pages that nobody was seen to read? Hidden URLs and hidden sections of the encyclopedia, drawn by seed.

use std::fmt::Write as _;

use anyhow::Result;

use super::chapter::Chapter;
use super::family::{self, Family, Judged};
use super::laboratory::Laboratory;
use crate::random::Random;

/// So many sections are hidden at once.
const HIDDEN: [usize; 4] = [1, 2, 4, 8];
/// Draws of sections, and of URLs.
const SECTION_DRAWS: u64 = 20;
const URL_DRAWS: u64 = 5;
/// Orders that a crawler can run: ours, a URL's own count, and the best of each other kind.
const ORDERS: &str = "--policy blend --policy expected --policy url-visit --policy backlink --policy pagerank --policy opic \
     --policy rankmass --policy behavior --policy average-visit --policy breadth-first";

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let run = |name: &str, options: &str| {
        let (links, visits) =
            (laboratory.data("wikispeedia/links.tsv.gz"), laboratory.data("wikispeedia/visits.tsv.gz"));
        let options = format!("--start http://wikispeedia.test/index.htm {ORDERS} {options}");
        laboratory.simulate(name, &links, Some(&visits), &options)
    };
    let mut families = Vec::new();
    for hidden in HIDDEN {
        let mut runs = Vec::new();
        for seed in laboratory.draws(SECTION_DRAWS) {
            let mut options = format!("--seed {seed}");
            for section in sections(hidden, seed) {
                let _ = write!(options, " --hide-urls /wp/{section}/");
            }
            runs.push(run(&format!("hidden-{hidden}-sections-{seed}"), &options)?);
        }
        let name = if hidden == 1 { "1 section hidden".to_owned() } else { format!("{hidden} sections hidden") };
        families.push(Family { name, runs });
    }
    let urls = laboratory
        .draws(URL_DRAWS)
        .map(|seed| run(&format!("hidden-urls-{seed}"), &format!("--hide-urls 0.3 --seed {seed}")));
    families.push(Family { name: "30 % of URLs hidden".to_owned(), runs: urls.collect::<Result<_>>()? });

    let mut chapter = Chapter::new("Hidden sections of the encyclopedia");
    chapter.paragraph(
        "The encyclopedia has a section for each letter. One, two, four or eight of the 26, drawn by seed, are kept out of training, as \
         targets and as referrers; and 30 % of all URLs, drawn by seed. Cold traffic is what is read there later. `blend` stands \
         beside the order with the largest mean area of all others that ran; the interval is of the difference on the same draw.",
    );
    chapter.command("trodden simulate wikispeedia/links.tsv.gz --log wikispeedia/visits.tsv.gz --hide-urls /wp/b/");
    chapter.heading("Cold traffic");
    family::table(&mut chapter, &families, Judged::Cold)?;
    chapter.paragraph(&family::not_ahead(&families, Judged::Cold)?);
    chapter.heading("All traffic");
    family::table(&mut chapter, &families, Judged::All)?;
    chapter.paragraph(&family::not_ahead(&families, Judged::All)?);
    let gists = families.iter().map(|family| family::gist(family, Judged::Cold)).collect::<Result<Vec<_>>>()?;
    chapter.gist = format!("On cold traffic: {}.", gists.join("; "));
    Ok(chapter)
}

/// So many different letters.
fn sections(count: usize, seed: u64) -> Vec<char> {
    let mut letters: Vec<char> = ('a'..='z').collect();
    let mut random = Random::new(seed.wrapping_mul(31).wrapping_add(count as u64));
    let mut drawn: Vec<char> = (0..count).map(|_| letters.remove(random.below(letters.len()))).collect();
    drawn.sort_unstable();
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_sections_are_drawn_by_their_seed_each_once() {
        for count in HIDDEN {
            let drawn = sections(count, 3);
            assert_eq!(drawn, sections(count, 3));
            assert!(drawn.len() == count && drawn.windows(2).all(|pair| pair[0] < pair[1]));
        }
        assert_ne!(sections(8, 3), sections(8, 4));
    }
}
