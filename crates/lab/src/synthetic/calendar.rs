//! The second trap: a page for every month and every day for years ahead, and events only in a few of them.

use super::draft::{Draft, Part};
use super::page::{Block, MadePage, Role, Section};
use super::time::{DAY, Date, Moment, next_month};
use super::topics::{MadeTopic, capitalized, slug};
use crate::graph::PageId;

/// Months that the calendar reaches at scale 1, and never fewer than …
const MONTHS: usize = 96;
const FEWEST_MONTHS: usize = 12;
/// It begins here.
const FIRST: (i64, usize) = (2024, 1);
const EVENTS_A_DAY: f64 = 3.0;
/// Events are announced up to so many days ahead.
const AHEAD: i64 = 20;

/// An event: its day, and its page.
type Event = (Date, PageId);

pub(super) fn build(draft: &mut Draft) -> Part {
    let mut chance = draft.chance(Section::Calendar);
    let front = draft.add(MadePage::new(Section::Calendar, Role::Front, "/calendar/", "Calendar").appeal(0.8));
    let mut events: Vec<Event> = Vec::new();
    for day in draft.births(1, EVENTS_A_DAY, &mut chance) {
        let born = (day + -(chance.below(AHEAD as usize) as i64 * DAY)).max(Draft::founded());
        let topic = MadeTopic::any(&mut chance);
        let title = topic.title(&mut chance);
        let page =
            MadePage::new(Section::Calendar, Role::Item, format!("/events/{}", slug(&title)), capitalized(&title));
        let event = draft.add(page.about(topic).born(born).appeal(0.6 * chance.heavy(40.0)));
        events.push((day.date(), event));
    }
    pages_of_time(draft, front, &events);
    let items = events.iter().map(|event| event.1).collect();
    let newest = draft.listing(front, items, 20, |number| format!("/calendar/upcoming?page={number}"));
    draft.leaf_through(newest);
    Part { front, newest }
}

/// Adds all months and days.
fn pages_of_time(draft: &mut Draft, front: PageId, events: &[Event]) {
    let (mut year, mut month) = FIRST;
    let (mut month_before, mut day_before): (Option<PageId>, Option<PageId>) = (None, None);
    for number in 0..draft.size(MONTHS).max(FEWEST_MONTHS) {
        let of_month: Vec<&Event> =
            events.iter().filter(|(date, _)| (date.year, date.month) == (year, month)).collect();
        let path = format!("/calendar/{year}/{month:02}/");
        let page = draft.add(page_of(path.clone(), format!("{year}-{month:02}"), of_month.is_empty(), 1.0));
        if number == 0 {
            draft.link(front, page, Block::Aside);
        } else if !of_month.is_empty() {
            // The front leads to each month with events from its first day on.
            draft.link_since(front, page, Block::Aside, first_second(year, month));
        }
        draft.link(page, front, Block::Aside);
        chain(draft, &mut month_before, page);
        for day in 1..=Date::days_of(year, month) {
            let of_day: Vec<PageId> =
                of_month.iter().filter(|(date, _)| date.day == day).map(|(_, event)| *event).collect();
            let title = format!("{year}-{month:02}-{day:02}");
            let day = draft.add(page_of(format!("{path}{day:02}"), title, of_day.is_empty(), 0.1));
            draft.link(page, day, Block::Aside);
            draft.link(day, page, Block::Aside);
            chain(draft, &mut day_before, day);
            for event in of_day {
                draft.link(day, event, Block::Body);
                draft.link(page, event, Block::Body);
                draft.link(event, day, Block::Aside);
            }
        }
        (year, month) = next_month(year, month);
    }
}

fn page_of(path: String, title: String, empty: bool, appeal: f64) -> MadePage {
    if empty {
        MadePage::new(Section::Calendar, Role::Trap, path, title).appeal(0.001)
    } else {
        MadePage::new(Section::Calendar, Role::Front, path, title).appeal(appeal)
    }
}

/// Links a page with the one before, both ways.
fn chain(draft: &mut Draft, before: &mut Option<PageId>, page: PageId) {
    if let Some(before) = before.replace(page) {
        draft.link(before, page, Block::Pager);
        draft.link(page, before, Block::Pager);
    }
}

fn first_second(year: i64, month: usize) -> Moment {
    let (mut at, (mut y, mut m)) = (Moment::START.plus_days(-60), FIRST);
    while (y, m) != (year, month) {
        at = at.plus_days(Date::days_of(y, m));
        (y, m) = next_month(y, m);
    }
    at
}
