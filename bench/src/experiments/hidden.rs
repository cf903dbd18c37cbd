//! What if the log has not seen a part of the site? Sections of the encyclopedia hidden, drawn by seed.

use anyhow::Result;

use super::browsing::spread_table;
use super::chapter::Chapter;
use super::family;
use super::laboratory::Laboratory;
use super::number::spoken;
use super::outcome::Outcome;
use crate::random::Random;

/// Draws for each number of sections.
const DRAWS: u64 = 20;
/// How many sections are hidden at once.
const HIDDEN: [usize; 4] = [1, 2, 4, 8];
/// Sections: the letters with which titles of articles begin.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
/// Orders that are run: ours, its parts, and those that have ever been best here.
const ORDERS: &str = "--policy blend --policy expected --policy url-visit --policy backlink --policy pagerank --policy opic \
                      --policy behavior --policy average-visit --policy breadth-first";

pub(super) fn chapter(laboratory: &Laboratory) -> Result<Chapter> {
    let mut families: Vec<(String, Vec<Outcome>)> = Vec::new();
    for count in HIDDEN {
        let runs = (1..=DRAWS).map(|draw| run(laboratory, count, draw)).collect::<Result<Vec<_>>>()?;
        families.push((format!("{count} hidden"), runs));
    }
    let mut chapter = Chapter::new("Sections that the log has not seen");
    chapter.paragraph(&format!(
        "The encyclopedia once more, with everything below one, two, four or eight of the {} folders `/wp/a` to `/wp/z` kept out of \
         training, as targets and as referrers. Which folders is drawn by seed, {DRAWS} draws for each number.",
        LETTERS.len()
    ));
    chapter.command(
        "trodden simulate wikispeedia/links.tsv.gz --log wikispeedia/visits.tsv.gz --hide-urls /wp/a --hide-urls /wp/s",
    );
    let beside: Vec<(String, &[Outcome])> =
        families.iter().map(|(name, runs)| (name.clone(), runs.as_slice())).collect();
    family::table(&mut chapter, "Cold traffic", &beside, |p| p.cold_auc)?;
    family::table(&mut chapter, "All traffic", &beside, |p| p.auc)?;
    for (name, runs) in &families {
        chapter.heading(&format!("{name}: all orders"));
        let names: Vec<&str> = runs[0].policies.iter().map(|p| p.name.as_str()).collect();
        spread_table(&mut chapter, runs, &names)?;
    }
    chapter.gist = gist(&families)?;
    Ok(chapter)
}

/// One draw.
fn run(laboratory: &Laboratory, count: usize, draw: u64) -> Result<Outcome> {
    let hidden: String = sections(count, draw).iter().map(|letter| format!("--hide-urls /wp/{letter} ")).collect();
    let (links, visits) = (laboratory.data("wikispeedia/links.tsv.gz"), laboratory.data("wikispeedia/visits.tsv.gz"));
    let options = format!("--start http://wikispeedia.test/index.htm {hidden} {ORDERS}");
    laboratory.simulate(&format!("hidden-{count}-{draw}"), &links, Some(&visits), &options)
}

/// So many different letters, by seed.
fn sections(count: usize, draw: u64) -> Vec<char> {
    let mut random = Random::new(draw * 1_000 + count as u64);
    let mut letters: Vec<char> = LETTERS.chars().collect();
    let mut drawn: Vec<char> = (0..count).map(|_| letters.remove(random.below(letters.len()))).collect();
    drawn.sort_unstable();
    drawn
}

fn gist(families: &[(String, Vec<Outcome>)]) -> Result<String> {
    let mut parts = Vec::new();
    for (name, runs) in families {
        let Some((rival, lead)) = family::best_rival(runs, |p| p.cold_auc)? else { continue };
        let word = lead.map_or("level", |lead| lead.word());
        parts.push(format!("{name}: `{}` is {word} beside `{rival}`, the best other order", family::OURS));
    }
    let cold = families
        .last()
        .map(|(_, runs)| runs.iter().map(|of| of.cold_traffic / of.traffic.max(1.0)).sum::<f64>() / runs.len() as f64);
    Ok(format!("On cold traffic, {} (with eight hidden {} of the traffic is cold).", parts.join("; "), spoken(cold)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_draws_are_fixed_by_their_seed_and_name_a_section_once() {
        for count in HIDDEN {
            let mut different = std::collections::BTreeSet::new();
            for draw in 1..=DRAWS {
                let drawn = sections(count, draw);
                assert_eq!(drawn, sections(count, draw));
                assert!(drawn.len() == count && drawn.windows(2).all(|pair| pair[0] < pair[1]));
                different.insert(drawn);
            }
            assert!(different.len() > DRAWS as usize / 2, "{count}: {}", different.len());
        }
    }
}
