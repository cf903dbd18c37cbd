//! What does the reader need to know before the first table?

use std::fmt::Write as _;

use super::chapter::{Chapter, wrapped};

const READ: &str = "\
# Experiments

The experiments of two papers, on real data: Cho, Garcia-Molina and Page, *Efficient crawling through URL ordering* (WWW
1998), which asks how soon an order finds important pages; and Liu, Cai, Zhang and Zhang, *User browsing behavior-driven web
crawling* (CIKM 2011), which learns from what people read and asks how soon an order has what they will read. This page is made by a command: every number, every
picture and every \"agrees\" comes from the run.

## How to read this

- Every experiment crawls a copy of a site by many orders, without a network. What an order is called, and what it knows, is in
  [simulate.md](simulate.md).
- **80 %** is the share of the pages, in percent, that an order fetches until it has 80 % of the traffic: less is better. A dash
  means never.
- **area** is the mean share over the whole crawl, from 0 to 1: more is better. Pages taken at random, linked or not, give 0.5.
- **cold** is traffic to URLs without a visit in training. **found** is traffic to pages fetched or linked from what is fetched.
- **ahead** says whether the area is larger than breadth-first's beyond chance (95 % interval over users).
- **hot** pages are the most important ones by the metric named: a tenth of all, where nothing else is said.
- An order with a star is an oracle: it knows what no crawler can.
- *Agrees* is about the sentence of the paper beside it, on this data; our explanation follows where it does not.

## How to make it again

```text
cargo xtask experiments            # writes this file and its pictures
cargo xtask experiments --check    # exits with 1 if they would change
```

The data is not part of the repository; its folder is named by `--data DIR` or `TRODDEN_DATA`. The same data and program give
the same bytes. Results of single runs stay below `target/experiments`, each with its own `report.html`.

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
