//! The peer `spider`: a whole site, robots.txt respected, nothing kept.

use spider::tokio;
use spider::website::Website;

#[tokio::main]
async fn main() {
    let url = std::env::args().nth(1).expect("a URL");
    let mut website = Website::new(&url);
    website.with_respect_robots_txt(true).with_delay(0).with_concurrency_limit(Some(8));
    website.crawl().await;
    println!("{}", website.get_links().len());
}
