//! What a split keeps of the past, and how it numbers the readers of the future.

use proptest::prelude::*;
use tempfile::TempDir;
use trodden_lab::Error;
use trodden_lab::experiment::{Hidden, Split, SplitAt, TrainingSettings, split, train};
use trodden_logs::visits::{CameFrom, Keep, StoredUser, StoredVisits, VisitsDir, read_visits};
use trodden_mining::MiningSettings;

use crate::written::{Row, row, written};

/// A split, and the directory with its past.
fn cut(rows: &[Row], at: SplitAt, hidden: &Hidden) -> (Result<Split, Error>, TempDir) {
    let past = TempDir::new().unwrap();
    (split(&written(rows).visits, at, hidden, &past.path().join("past")), past)
}

/// Rows of a directory: time, target, referrer.
fn kept(dir: &TempDir) -> Vec<(i64, String, Option<String>)> {
    let mut rows = Vec::new();
    let path = dir.path().join("past").join("visits.parquet");
    read_visits(&path, |visit| {
        let visit = visit.unwrap();
        assert!(matches!(visit.user, StoredUser::Hash(_) | StoredUser::Nobody));
        rows.push((visit.time_ms, visit.target.to_owned(), visit.referrer.map(str::to_owned)));
        Ok(())
    })
    .unwrap();
    rows
}

pub(crate) fn settings() -> TrainingSettings {
    TrainingSettings {
        // Sites are small here, and no URL shall have a pattern of its own.
        mining: MiningSettings { own_leaf_share: 0.5, ..MiningSettings::default() },
        min_users: 1,
        window_days: 30,
        last_days: None,
        memory: 1 << 30,
        threads: 1,
        scratch: std::env::temp_dir(),
    }
}

#[test]
fn ours_the_past_is_what_lies_before_the_cut_and_nothing_at_it() {
    let rows: Vec<Row> = [5, 1, 3, 3, 3, 9].map(|time| row(time, "ann", &format!("/{time}"))).to_vec();
    for (at, training, ends) in [
        (SplitAt::Until(3), 1, 3),
        (SplitAt::Until(4), 4, 4),
        // Of 1 3 3 3 5 9, the visit at the place of the share is the first that is not learnt from, nor are its equals.
        (SplitAt::Share(0.2), 1, 3),
        (SplitAt::Share(0.5), 1, 3),
        (SplitAt::Share(0.7), 4, 5),
        (SplitAt::Share(1.0), 6, i64::MAX),
    ] {
        let (split, past) = cut(&rows, at, &Hidden::default());
        let split = split.unwrap();
        assert_eq!((split.training_visits, split.cut_ms), (training, ends), "{at:?}");
        assert_eq!(split.test.len() as u64, 6 - training, "{at:?}");
        assert_eq!(kept(&past).len() as u64, training);
        assert!(kept(&past).iter().all(|(time, ..)| *time < ends));
    }
    for at in [SplitAt::Share(0.0), SplitAt::Until(1), SplitAt::Until(-5)] {
        assert!(matches!(cut(&rows, at, &Hidden::default()).0, Err(Error::NoTrainingVisits)), "{at:?}");
    }
    assert!(matches!(cut(&[], SplitAt::Share(0.5), &Hidden::default()).0, Err(Error::NoVisits)));
}

#[test]
fn ours_a_hidden_url_is_nowhere_in_training_and_cold_later() {
    let rows = [
        row(1, "ann", "/open/a"),
        row(2, "ann", "/secret/b").from("/open/a"),
        row(3, "ann", "/open/c").from("/secret/b"),
        row(4, "bob", "/open/a").from("/open/c"),
        row(5, "bob", "/open/d").from("https://search.example/"),
        row(9, "bob", "/secret/b"),
        row(9, "bob", "/open/a"),
        row(9, "bob", "/open/new"),
    ];
    let hidden = Hidden { sections: vec!["/secret".to_owned()], ..Hidden::default() };
    let (split, past) = cut(&rows, SplitAt::Until(9), &hidden);
    let split = split.unwrap();
    assert_eq!((split.training_visits, split.hidden_visits, split.test.len()), (4, 1, 3));
    let url = |path: &str| format!("http://site.test{path}");
    assert_eq!(
        kept(&past),
        [
            (1, url("/open/a"), None),
            // Where somebody came from a hidden page, they came from nowhere.
            (3, url("/open/c"), None),
            (4, url("/open/a"), Some(url("/open/c"))),
            (5, url("/open/d"), Some("https://search.example/".to_owned())),
        ]
    );
    assert!(split.is_cold("site.test/secret/b") && split.is_cold("site.test/open/new"));
    assert!(!split.is_cold("site.test/open/a"));
    let training = train(&past.path().join("past").display().to_string(), &settings()).unwrap();
    let mut learnt: Vec<(&str, u32)> = training.urls.iter().map(|(url, n)| (url.as_str(), n.iter().sum())).collect();
    learnt.sort_unstable();
    assert_eq!(learnt, [("site.test/open/a", 2), ("site.test/open/c", 1), ("site.test/open/d", 1)]);
    assert!(!training.models.is_empty());
    assert!(!format!("{:?}", training.models).contains("secret"));
}

#[test]
fn ours_a_share_is_hidden_by_url_not_by_visit() {
    let hidden = Hidden { share: 0.3, seed: 1, ..Hidden::default() };
    let urls: Vec<String> = (0..2_000).map(|n| format!("site.test/{n}")).collect();
    let share = urls.iter().filter(|url| hidden.hides(url)).count() as f64 / 2_000.0;
    assert!((share - 0.3).abs() < 0.03, "{share}");
    // The smaller share is part of the larger, and another seed hides others.
    let less = Hidden { share: 0.1, ..hidden.clone() };
    assert!(urls.iter().all(|url| !less.hides(url) || hidden.hides(url)));
    let other = Hidden { seed: 2, ..hidden.clone() };
    assert!(urls.iter().any(|url| hidden.hides(url) != other.hides(url)));
    assert!(!urls.iter().any(|url| Hidden::default().hides(url)) && Hidden::default().is_nothing());
    // Visits: to a hidden URL all or none are kept.
    let rows: Vec<Row> = (0..600).map(|n| row(n, "ann", &format!("/{}", n % 40))).collect();
    let (split, past) = cut(&rows, SplitAt::Share(1.0), &hidden);
    let split = split.unwrap();
    assert_eq!(split.training_visits + split.hidden_visits, 600);
    for n in 0..40 {
        let url = format!("http://site.test/{n}");
        let times = kept(&past).iter().filter(|(_, target, _)| *target == url).count();
        let expected = if hidden.hides(&format!("site.test/{n}")) { 0 } else { 15 };
        assert_eq!(times, expected, "{url}");
    }
}

#[test]
fn ours_copies_hash_names_by_the_key_of_their_directory() {
    let rows =
        [row(1, "ann@example.com", "/a"), row(2, "ann@example.com", "/b"), row(3, "bob", "/a"), row(4, "", "/a")];
    let source = written(&rows);
    let hashes = |name: &str| {
        let path = source.dir.path().join(name);
        let dir = VisitsDir::open_or_create(&path, source.visits.grouping()).unwrap();
        assert_eq!(source.visits.copy_to(&dir, |_| Keep::Whole).unwrap(), 4);
        let mut users = Vec::new();
        read_visits(&path.join("visits.parquet"), |visit| {
            users.push(match visit.unwrap().user {
                StoredUser::Hash(hash) => Some(hash),
                StoredUser::Raw(_) => panic!("a name was written"),
                StoredUser::Nobody | StoredUser::Many(_) => None,
            });
            Ok(())
        })
        .unwrap();
        let bytes = std::fs::read(path.join("visits.parquet")).unwrap();
        assert!(!bytes.windows(3).any(|text| text == b"ann" || text == b"bob"));
        users
    };
    let [one, two] = ["one", "two"].map(hashes);
    for users in [&one, &two] {
        assert!(users[0].is_some() && users[0] == users[1] && users[0] != users[2] && users[3].is_none());
    }
    // Every directory has a key of its own.
    assert_ne!(one[0], two[0]);
}

#[test]
fn ours_copies_keep_what_is_asked_and_readers_stay_apart() {
    let rows = [row(1, "ann", "/a").from("/x"), row(2, "bob", "/b").from("/y"), row(3, "ann", "/c").from("/z")];
    let source = written(&rows);
    let path = source.dir.path().join("copy");
    let dir = VisitsDir::open_or_create(&path, source.visits.grouping()).unwrap();
    let copied = source.visits.copy_to(&dir, |visit| match visit.url {
        "site.test/a" => Keep::WithoutReferrer,
        "site.test/b" => Keep::Nothing,
        _ => Keep::Whole,
    });
    assert_eq!(copied.unwrap(), 2);
    let mut seen = Vec::new();
    let mut readers = Vec::new();
    let copy = StoredVisits::find(&[path.display().to_string()]).unwrap();
    copy.each(|visit| {
        let from = if let CameFrom::Page(from) = visit.from { from.to_owned() } else { String::new() };
        seen.push((visit.time_ms, visit.url.to_owned(), from));
        readers.push(visit.reader.unwrap());
    })
    .unwrap();
    let expected = [(1, "site.test/a", ""), (3, "site.test/c", "site.test/z")];
    assert_eq!(seen, expected.map(|(time, url, from)| (time, url.to_owned(), from.to_owned())));
    assert_eq!(readers[0], readers[1]);
    assert_eq!(format!("{:?}", readers[0]), "ReaderHash(…)");
}

/// What was read later, by the number of the reader.
fn numbered(split: &Split) -> Vec<(u32, String, bool)> {
    let mut all: Vec<_> = split
        .test
        .iter()
        .map(|visit| (visit.reader, split.urls.text(visit.url).to_owned(), visit.from_search))
        .collect();
    all.sort();
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn ours_readers_are_numbered_by_what_they_read_whatever_they_are_called(
        visits in prop::collection::vec((0_i64..6, 0_usize..5, 0_u32..4, any::<bool>()), 2..40), turn in 0_usize..40,
    ) {
        let rows = |names: [&str; 5]| -> Vec<Row> {
            let of = |&(time, user, page, searched): &(i64, usize, u32, bool)| {
                let row = row(time + 1, names[user], &format!("/{page}"));
                if searched { row.from("https://www.google.com/") } else { row }
            };
            // One visit to learn from, all others to be judged by.
            std::iter::once(row(0, "first", "/")).chain(visits.iter().map(of)).collect()
        };
        let one = cut(&rows(["a", "b", "c", "d", ""]), SplitAt::Until(1), &Hidden::default()).0.unwrap();
        let mut renamed = rows(["xavier", "wanda", "vera", "ursula", ""]);
        let at = turn % renamed.len();
        renamed.rotate_left(at);
        let two = cut(&renamed, SplitAt::Until(1), &Hidden::default()).0.unwrap();
        prop_assert_eq!(numbered(&one), numbered(&two));
        // Two people are two numbers, and somebody without a name is a reader for each visit.
        let mut people: Vec<u32> = one.test.iter().map(|visit| visit.reader).collect();
        people.sort_unstable();
        people.dedup();
        let named: std::collections::BTreeSet<usize> = visits.iter().map(|visit| visit.1).filter(|user| *user < 4).collect();
        let nameless = visits.iter().filter(|visit| visit.1 == 4).count();
        prop_assert_eq!(people.len(), named.len() + nameless);
    }
}

#[test]
fn cikm11_a_reader_counts_once_a_window_for_each_referrer_and_url() {
    const DAY: i64 = 86_400_000;
    let rows = [
        row(0, "ann", "/a"),
        // From noon of day 10 on all is test; its windows begin with that day.
        row(10 * DAY + DAY / 2, "ann", "/a"),
        row(11 * DAY, "ann", "/a"),
        row(12 * DAY, "ann", "/a").from("/b"),
        row(13 * DAY, "ann", "/a").from("/b"),
        row(14 * DAY, "ann", "/a").from("https://www.google.com/one"),
        row(15 * DAY, "ann", "/a").from("https://www.google.com/two"),
        row(16 * DAY, "bob", "/a"),
        row(39 * DAY, "bob", "/a"),
        row(40 * DAY, "bob", "/a"),
        // Who has no name is somebody else each time.
        row(17 * DAY, "", "/a"),
        row(18 * DAY, "", "/a"),
    ];
    let (split, _past) = cut(&rows, SplitAt::Until(DAY), &Hidden::default());
    let split = split.unwrap();
    assert_eq!(split.test.len(), 11);
    // Ann: directly, from /b, from a search engine; Bob: once in each window; and two nobodies.
    assert_eq!(split.test.iter().filter(|visit| !visit.is_repeat).count(), 3 + 2 + 2);
    assert!((split.exposure() - 11.0).abs() < 1e-12);
}
