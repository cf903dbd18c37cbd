//! An experiment as it might come out, for tests.
//!
//! A policy with exponent `a` has fetched `0.9·(1 − (1−x)^a) + 0.1·x` of the traffic after the share `x` of the pages,
//! with a slow wave as real curves have it.

use std::collections::BTreeMap;

use trodden_ordering::policy::CannotRun;

use crate::result::{Comparison, Curve, ImportanceCurves, ImportanceResult, LeftOut, PagesFor, PolicyResult, Record};

/// Policies, whether they know too much, and their exponents for traffic, cold traffic, traffic discovered and hot pages.
const POLICIES: [(&str, bool, [f64; 4]); 20] = [
    ("ideal-unlinked", true, [44.0, 24.0, 90.0, 3.0]),
    ("ideal", true, [40.0, 21.0, 80.0, 3.1]),
    ("blend", false, [35.0, 11.0, 64.0, 3.6]),
    ("expected", false, [34.0, 10.5, 60.0, 3.2]),
    ("url-visit", false, [33.0, 2.0, 44.0, 2.4]),
    ("pagerank-whole", true, [22.0, 8.0, 30.0, 9.0]),
    ("pagerank", false, [18.5, 7.4, 27.0, 7.5]),
    ("collaborative", false, [17.0, 6.0, 25.0, 2.6]),
    ("rankmass", false, [16.4, 7.0, 26.0, 7.9]),
    ("average-visit", false, [16.0, 3.0, 22.0, 2.1]),
    ("behavior", false, [15.0, 5.0, 40.0, 2.2]),
    ("average-referral", false, [14.5, 4.0, 38.0, 1.9]),
    ("opic", false, [14.0, 6.4, 21.0, 6.1]),
    ("breadth-first", false, [11.6, 5.5, 16.0, 4.5]),
    ("backlink", false, [10.5, 5.8, 15.0, 8.3]),
    ("overall-visit", false, [9.0, 3.4, 14.0, 1.8]),
    ("location", false, [7.0, 4.0, 9.0, 2.9]),
    ("overall-referral", false, [5.5, 2.6, 13.0, 1.7]),
    ("volume", false, [2.0, 1.5, 3.0, 1.2]),
    ("random", false, [1.0, 1.0, 2.0, 1.0]),
];

const POINTS: u32 = 400;

fn rise(a: f64, x: f64, wave: f64) -> f64 {
    let base = 0.9 * (1.0 - (1.0 - x).powf(a)) + 0.1 * x;
    let slack = (base * (1.0 - base)).max(0.0);
    (base + if a > 1.0 { 0.25 * slack * (wave + x * 17.0).sin() } else { 0.0 }).clamp(0.0, 1.0)
}

fn curve_of(a: f64, wave: f64) -> Curve {
    let mut curve: Curve = Vec::new();
    for i in 0..=POINTS {
        // Denser at the start.
        let x = (f64::from(i) / f64::from(POINTS)).powi(2);
        let before = curve.last().map_or(0.0, |point| point[1]);
        curve.push([x, rise(a, x, wave).max(before)]);
    }
    curve
}

fn area(curve: &Curve) -> f64 {
    curve.windows(2).map(|ends| (ends[1][0] - ends[0][0]) * f64::midpoint(ends[0][1], ends[1][1])).sum()
}

fn pages_for(curve: &Curve) -> PagesFor {
    let first = |share: f64| curve.iter().find(|point| point[1] >= share).map(|point| point[0]);
    PagesFor { half: first(0.5), four_fifths: first(0.8), nine_tenths: first(0.9) }
}

/// A policy with these exponents.
pub(super) fn policy(name: &str, oracle: bool, exponents: [f64; 4], wave: f64) -> PolicyResult {
    let [curve, cold_curve, discovered_curve] = [0, 1, 2].map(|i| curve_of(exponents[i], wave));
    let (auc, cold_auc) = (area(&curve), area(&cold_curve));
    PolicyResult {
        name: name.to_owned(),
        oracle,
        fetched: 12_345,
        auc: Some(auc),
        auc_interval: Some([auc - 0.004, auc + 0.005]),
        ahead_of_breadth_first: None,
        behind_best: None,
        blend_ahead: None,
        cold_blend_ahead: None,
        requests: 12_345,
        changed: 0,
        seconds: 0.0,
        draws: None,
        explored: 0,
        pages_for: pages_for(&curve),
        cold_auc: Some(cold_auc),
        cold_auc_interval: Some([cold_auc - 0.01, cold_auc + 0.012]),
        cold_pages_for: pages_for(&cold_curve),
        discovered_auc: Some(area(&discovered_curve)),
        discovered_for: pages_for(&discovered_curve),
        harvest: None,
        curve,
        cold_curve,
        discovered_curve,
    }
}

fn importance(metric: &str, buffer: Option<u64>) -> ImportanceResult {
    let grid: Vec<f64> = (0..=200).map(|i| f64::from(i) / 200.0).collect();
    let curves = |name: &str, stop: &dyn Fn(f64) -> f64, hot: &dyn Fn(f64) -> f64| {
        let threshold: Curve = grid.iter().map(|x| [*x, hot(*x)]).collect();
        ImportanceCurves {
            name: name.to_owned(),
            crawl_and_stop: grid.iter().skip(1).map(|x| [*x, stop(*x)]).collect(),
            threshold_auc: area(&threshold),
            buffer: buffer.map(|_| threshold.iter().map(|[x, y]| [*x, y * (0.4 + 0.6 * x)]).collect()),
            threshold,
        }
    };
    let mut policies =
        vec![curves("ideal (formula)", &|_| 1.0, &|x| (x / 0.1).min(1.0)), curves("random (formula)", &|x| x, &|x| x)];
    for (wave, (name, _, exponents)) in (0_u32..).zip(POLICIES) {
        let (a, wave) = (exponents[3], f64::from(wave));
        policies.push(curves(name, &|x| rise(a * 0.7, x, wave) * (1.0 - 0.3 * x) + 0.3 * x * x, &|x| rise(a, x, wave)));
    }
    ImportanceResult { metric: metric.to_owned(), threshold: 7.25, hot: 1_234, buffer, policies }
}

/// Twenty policies on a mirror of 12,345 pages.
pub(super) fn comparison() -> Comparison {
    let mut policies: Vec<PolicyResult> =
        (0_u32..).zip(POLICIES).map(|(wave, (name, oracle, a))| policy(name, oracle, a, f64::from(wave))).collect();
    let reference =
        policies.iter().find(|policy| policy.name == "breadth-first").and_then(|policy| policy.auc).unwrap();
    for policy in policies.iter_mut().filter(|policy| policy.name != "breadth-first") {
        policy.ahead_of_breadth_first = policy.auc.map(|auc| [auc - reference - 0.006, auc - reference + 0.007]);
    }
    policies.sort_by(|a, b| b.oracle.cmp(&a.oracle).then(b.auc.unwrap().total_cmp(&a.auc.unwrap())));
    let text = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    Comparison {
        mirror: "encyclopedia.example".to_owned(),
        pages: 12_345,
        links: 234_567,
        traffic: 345_678.0,
        cold_traffic: 23_456.0,
        policies,
        left_out: vec![LeftOut::new("similarity:pagerank".to_owned(), CannotRun::NoTopic)],
        importance: vec![importance("backlinks", None), importance("pagerank", Some(600))],
        satisfying: None,
        calibration: Vec::new(),
        assumed: Vec::new(),
        warnings: vec!["1.2 % of the test traffic goes to pages that cannot be reached from the start.".to_owned()],
        record: Record {
            version: "0.1.0".to_owned(),
            seed: 7,
            inputs: text(&[("links.tsv", "xxh3:0123456789abcdef"), ("access.log.gz", "xxh3:fedcba9876543210")]),
            settings: text(&[("goal", "fetch"), ("train-share", "0.5"), ("start", "https://encyclopedia.example/")]),
        },
    }
}

/// Nothing at all.
pub(super) fn empty() -> Comparison {
    Comparison {
        mirror: String::new(),
        pages: 0,
        links: 0,
        traffic: 0.0,
        cold_traffic: 0.0,
        policies: Vec::new(),
        left_out: Vec::new(),
        importance: Vec::new(),
        satisfying: None,
        calibration: Vec::new(),
        assumed: Vec::new(),
        warnings: Vec::new(),
        record: Record::default(),
    }
}

/// A policy of a comparison, to be changed.
pub(super) fn of<'c>(comparison: &'c mut Comparison, name: &str) -> &'c mut PolicyResult {
    comparison.policies.iter_mut().find(|policy| policy.name == name).unwrap()
}
