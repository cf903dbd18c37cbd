//! Is a model the same, byte for byte, whatever the order of visits, the numbers of users and the number of threads?

use trodden_mining::{MiningSettings, SiteTable, TableOrigin, mine_site};

use crate::site::{Site, word};

/// 42,000 URLs of a few templates, with visits, steps and rare things, by 5,000 users.
fn large() -> Site {
    let mut site = Site::default();
    for i in 0..20_000_u32 {
        site.visit(format!("a.com/item/{i}"), (0..1 + i % 7).map(|j| (i * 31 + j * 17) % 5000));
    }
    for i in 0..15_000_u32 {
        let title = format!("{}-and-{}", word(i as usize % 300), word(i as usize));
        site.visit(
            format!("a.com/news/{}/{title}?page={}", 2000 + i % 20, i % 4),
            (0..1 + i % 3).map(|j| (i + j) % 5000),
        );
    }
    for i in 0..7_000_u32 {
        let rare = word(i as usize % 900);
        site.visit(format!("{rare}.a.com/{rare}-{i}/?{}=1&sort={}", word(i as usize % 400), i % 11), [i % 5000]);
    }
    site.visit("a.com/", 0..3000);
    for i in 0..6_000_u32 {
        site.step(&format!("a.com/item/{}", i * 3), &format!("a.com/item/{}", (i * 7) % 20_000), 1 + i % 3);
        site.step("a.com/", &format!("a.com/item/{}", i * 2), 1);
    }
    site
}

fn line(table: &SiteTable, k: u32) -> String {
    mine_site(table, &TableOrigin::default(), k, &MiningSettings::default()).unwrap().to_line().unwrap()
}

fn shuffle<T>(items: &mut [T]) {
    let mut state = 88_172_645_463_325_252_u64;
    for at in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(at, (state % (at as u64 + 1)) as usize);
    }
}

#[test]
fn ours_the_order_of_the_log_and_the_numbers_of_users_do_not_matter() {
    let site = large();
    let mut urls = site.urls();
    assert!(urls.len() >= 40_000);
    shuffle(&mut urls);
    // Every user has another number, and those that were first are last.
    let mut numbers: Vec<u32> = (0..5000).collect();
    shuffle(&mut numbers);
    let shuffled = site.table_in_order(5, &urls, |user| numbers[user as usize], true);
    for k in [0, 5] {
        let expected = line(&site.table(5), k);
        assert!(expected.len() > 10_000);
        assert!(line(&shuffled, k) == expected, "k = {k}");
    }
}

#[test]
fn ours_the_number_of_threads_does_not_matter() {
    let table = large().table(5);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| [line(&table, 0), line(&table, 5)])
    };
    let one = with(1);
    for threads in [2, 8] {
        assert!(with(threads) == one, "{threads} threads");
    }
}
