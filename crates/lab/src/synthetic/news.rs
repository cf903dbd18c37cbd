//! The news: dated articles, some every day, an endless listing, and an archive by month.

use super::draft::{Draft, Part};
use super::page::{Block, MadePage, Role, Section};
use super::time::Date;
use super::topics::{MadeTopic, capitalized, slug};
use crate::graph::PageId;

/// Articles before the log begins, and a day from then on.
const BEFORE: usize = 1_700;
const A_DAY: f64 = 20.0;

pub(super) fn build(draft: &mut Draft) -> Part {
    let mut chance = draft.chance(Section::News);
    let front = draft.add(MadePage::new(Section::News, Role::Front, "/news/", "News").appeal(2.0));
    let archive = draft.add(MadePage::new(Section::News, Role::Front, "/news/archive", "News archive").appeal(0.05));
    draft.link(front, archive, Block::Aside);
    let mut articles = Vec::new();
    let mut months: Vec<(Date, Vec<PageId>)> = Vec::new();
    for born in draft.births(BEFORE, A_DAY, &mut chance) {
        let date = born.date();
        let topic = MadeTopic::any(&mut chance);
        let title = topic.title(&mut chance);
        let path = format!("/news/{}/{:02}/{:02}/{}", date.year, date.month, date.day, slug(&title));
        let page = MadePage::new(Section::News, Role::Item, path, capitalized(&title)).about(topic).born(born);
        let article = draft.add(page.appeal(1.6 * chance.heavy(40.0)));
        // A correction, now and then.
        let corrections = usize::from(chance.happens(0.1));
        draft.revise(article, corrections, &mut chance);
        articles.push(article);
        match months.last_mut() {
            Some((month, of_month)) if (month.year, month.month) == (date.year, date.month) => of_month.push(article),
            _ => months.push((date, vec![article])),
        }
    }
    for (month, of_month) in months {
        let path = format!("/news/{}/{:02}/", month.year, month.month);
        let title = format!("News of {}-{:02}", month.year, month.month);
        let page = MadePage::new(Section::News, Role::Front, path.clone(), title).born(draft.born(of_month[0]));
        let month_front = draft.add(page.appeal(0.05));
        draft.link(archive, month_front, Block::Body);
        draft.link(month_front, archive, Block::Aside);
        for &article in &of_month {
            draft.link(article, month_front, Block::Aside);
        }
        draft.listing(month_front, of_month, 40, |number| format!("{path}page/{number}"));
    }
    let newest = draft.listing(front, articles, 25, |number| format!("/news/page/{number}"));
    draft.leaf_through(newest);
    Part { front, newest }
}
