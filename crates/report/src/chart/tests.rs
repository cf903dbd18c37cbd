//! Can lines be told apart, and do axes say where they are?

use super::axis::tick_text;
use super::*;

fn straight(until: f64) -> Vec<[f64; 2]> {
    vec![[0.0, 0.0], [until, 1.0], [1.0, 1.0]]
}

fn chart<'a>(lines: Vec<Line<'a>>, labels: Labels) -> Chart<'a> {
    Chart { id: "c", title: "t", x_title: "x", y_title: "y", until: 1.0, axis: Axis::Linear, labels, lines }
}

fn line<'a>(name: &'a str, points: &'a [[f64; 2]], weight: Weight) -> Line<'a> {
    Line { name, remark: String::new(), points, look: Look { weight, ..Look::thin(0) } }
}

#[test]
fn ours_thin_lines_differ_from_one_another() {
    let looks: Vec<Look> = (0..28).map(Look::thin).collect();
    for (i, look) in looks.iter().enumerate() {
        assert!(!looks[..i].contains(look), "{i}");
    }
}

#[test]
fn ours_ticks_are_round_and_within_the_axis() {
    let texts = |axis: Axis, until| axis.ticks(until).into_iter().map(tick_text).collect::<Vec<_>>();
    assert_eq!(texts(Axis::Linear, 1.0), ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
    assert_eq!(texts(Axis::Linear, 0.05), ["0 %", "1 %", "2 %", "3 %", "4 %", "5 %"]);
    assert_eq!(texts(Axis::Linear, 0.01), ["0 %", "0.2 %", "0.4 %", "0.6 %", "0.8 %", "1 %"]);
    assert_eq!(texts(Axis::Logarithmic, 1.0), ["0.1 %", "1 %", "10 %", "100 %"]);
}

#[test]
fn ours_a_logarithmic_axis_gives_each_power_of_ten_the_same_room() {
    let at = |share| (Axis::Logarithmic.at(share, 1.0) * 1e6).round() / 1e6;
    assert_eq!([1.0, 0.1, 0.01, 0.001, 0.0].map(at), [1.0, 0.666_667, 0.333_333, 0.0, 0.0]);
    assert_eq!([0.0, 0.25, 1.0, 2.0].map(|share| Axis::Linear.at(share, 0.5)), [0.0, 0.5, 1.0, 1.0]);
}

#[test]
fn ours_the_second_panel_shows_where_the_curves_part() {
    let curves = [straight(0.05), straight(0.12), straight(0.19), straight(1.0)];
    let of = |curves: &[Vec<[f64; 2]>]| zoom(&curves.iter().map(Vec::as_slice).collect::<Vec<_>>());
    // At 5 % the first is at its end and all stand apart; later some have met.
    assert_eq!(of(&curves), Some(0.05));
    assert_eq!(of(&[straight(0.9), straight(1.0)]), None, "a late rise needs no second panel");
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[vec![[0.0, 0.0], [1.0, 0.4]]]), None, "nor does a curve that stays low");
}

#[test]
fn ours_important_lines_are_named_and_lie_above_others() {
    let (early, late) = (straight(0.2), straight(0.7));
    for labels in [Labels::Inside, Labels::AtRight, Labels::None] {
        let lines = vec![line("heavy", &early, Weight::Heaviest), line("thin", &late, Weight::Thin)];
        let svg = draw(&chart(lines, labels));
        assert!(svg.find("<title>thin<").unwrap() < svg.find("<title>heavy<").unwrap());
        assert_eq!(svg.contains(">heavy</text>"), labels != Labels::None, "{labels:?}");
        assert!(!svg.contains(">thin</text>"));
    }
}

#[test]
fn ours_a_crawl_that_stopped_early_ends_in_a_dot() {
    let (whole, stopped) = (straight(0.5), vec![[0.0, 0.0], [0.3, 0.6]]);
    let dots = |points: &[[f64; 2]]| {
        draw(&chart(vec![line("a", points, Weight::Thin)], Labels::None)).matches("<circle").count()
    };
    assert_eq!([dots(&whole), dots(&stopped)], [0, 1]);
}

#[test]
fn ours_long_names_are_cut_at_the_edge_and_whole_for_the_pointer() {
    let points = straight(0.5);
    let svg = draw(&chart(vec![line("similarity-near:pagerank", &points, Weight::Heaviest)], Labels::AtRight));
    assert!(svg.contains("<title>similarity-near:pagerank</title>"));
    assert!(svg.contains("…</text>") && !svg.contains(">similarity-near:pagerank</text>"), "{svg}");
}
