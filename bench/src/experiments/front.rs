//! What does the reader need to know before the first table?

use std::fmt::Write as _;

use super::chapter::{Chapter, wrapped};

const READ: &str = "\
# Experiments

This page repeats the experiments of two papers on real data:

- Cho, Garcia-Molina and Page, *Efficient crawling through URL ordering* (WWW 1998): how soon does an order find important
  pages?
- Liu, Cai, Zhang and Zhang, *User browsing behavior-driven web crawling* (CIKM 2011): how soon does an order that learns from
  what people read fetch what they will read?

A command makes this page: every number, every picture and every \"agrees\" comes from its run.

## How to read this

- Every experiment crawls a copy of a site in many orders, without a network. [simulate.md](simulate.md#the-policies) lists the
  orders and what each one knows.
- **80 %** is the share of the pages, in percent, that an order must fetch to get 80 % of the traffic: less is better. A dash
  means never.
- **area** is the mean share over the whole crawl, from 0 to 1: more is better. Pages taken at random, linked or not, give 0.5.
- **cold** is traffic to URLs without a visit in training. **found** is traffic to pages fetched or linked from what is fetched.
- **ahead** says whether the area is larger than breadth-first's by more than chance (95 % interval over users).
- **hot** pages are the most important ones by the given metric: a tenth of all, unless stated otherwise.
- An order with a star is an oracle: it knows what no crawler can know.
- *Agrees* means that the sentence of the paper is true on this data. If it is not, our explanation follows.

## How to make it again

```text
cargo xtask experiments            # writes this file and its pictures
cargo xtask experiments --check    # exits with 1 if they would change
```

The data is not part of the repository; `--data DIR` or `TRODDEN_DATA` names its folder. The same data and program give the
same bytes. Results of single runs are below `target/experiments`, each with its own `report.html`.

## In short
";

pub(super) fn text(chapters: &[Chapter]) -> String {
    let mut text = format!("{READ}\n");
    for chapter in chapters {
        let item = format!("- **{}.** {}", chapter.title, chapter.gist);
        let _ = writeln!(text, "{}", wrapped(&item, "  "));
    }
    text
}
