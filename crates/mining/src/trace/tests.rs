//! A trace holds who read what, in order, and does not depend on how it was told.

use proptest::prelude::*;

use super::*;

fn built(visits: &[(u32, u32, i64)]) -> Trace {
    let mut builder = TraceBuilder::default();
    for _ in 0..=visits.iter().map(|(user, ..)| *user).max().unwrap_or(0) {
        builder.new_user();
    }
    visits.iter().for_each(|(user, page, time)| builder.add(*user, *page, *time));
    builder.finish()
}

fn pages(trace: &Trace, user: u32) -> Vec<(u32, bool)> {
    trace.pages_of(user).map(|access| (access.page, access.is_again)).collect()
}

#[test]
fn kdd02_pages_of_a_user_are_in_the_order_of_time() {
    let trace = built(&[(0, 7, 30), (0, 2, 10), (0, 7, 20), (0, 2, 40), (1, 7, 5)]);
    // The user who began first is the first.
    assert_eq!(pages(&trace, 0), [(7, false)]);
    assert_eq!(pages(&trace, 1), [(2, false), (7, false), (2, true)]);
    assert_eq!(trace.readers(7).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(trace.readers(2).collect::<Vec<_>>(), [1]);
    assert_eq!((trace.users(), trace.pages(), trace.len()), (2, 8, 4));
    assert_eq!(trace.read_pages().collect::<Vec<_>>(), [2, 7]);
    assert_eq!((trace.readers(99).count(), trace.pages_of(99).count()), (0, 0));
}

#[test]
fn ours_of_a_page_that_everybody_reads_some_readers_stand_for_all() {
    let users = 10 * MOST_READERS as u32 + 7;
    let visits: Vec<(u32, u32, i64)> = (0..users).flat_map(|user| [(user, 0, 1), (user, 1 + user, 2)]).collect();
    let trace = built(&visits);
    let readers: Vec<u32> = trace.readers(0).collect();
    assert_eq!(readers.len(), MOST_READERS);
    assert!(readers.windows(2).all(|pair| (1..=11).contains(&(pair[1] - pair[0]))), "evenly");
    assert!((1..=users).all(|page| trace.readers(page).count() == 1));
}

#[test]
fn ours_nobody_reads_nothing() {
    let trace = built(&[]);
    assert_eq!((trace.users(), trace.pages(), trace.is_empty(), trace.was_read(0)), (0, 0, true, false));
    assert_eq!(trace, Trace { starts: vec![0], page_starts: vec![0], ..Trace::default() });
    assert_eq!((Trace::default().users(), Trace::default().span(3)), (0, 0..0));
}

proptest! {
    #[test]
    fn ours_users_and_the_order_of_visits_have_no_say(
        visits in prop::collection::vec((0_u32..6, 0_u32..9, 0_i64..20), 0..60),
        seed in 0_u64..100,
    ) {
        let trace = built(&visits);
        let mut other: Vec<(u32, u32, i64)> = visits.iter().map(|(user, page, time)| (5 - user, *page, *time)).collect();
        other.sort_by_key(|visit| crate::random::mix(seed ^ u64::from(visit.1) << 8 ^ visit.2.cast_unsigned()));
        prop_assert_eq!(&trace, &built(&other));
        for page in 0..9 {
            let mut readers: Vec<u32> = trace.readers(page).collect();
            let seen: Vec<u32> = (0..trace.users())
                .filter(|user| trace.pages_of(*user).any(|access| access.page == page))
                .collect();
            readers.sort_unstable();
            prop_assert_eq!(readers, seen);
        }
        for user in 0..trace.users() {
            let firsts = trace.pages_of(user).filter(|access| !access.is_again).map(|access| access.page);
            let mut firsts: Vec<u32> = firsts.collect();
            let all = firsts.len();
            firsts.sort_unstable();
            firsts.dedup();
            prop_assert_eq!(firsts.len(), all);
        }
    }
}
