//! What does a page look like? A title, some prose in the words of its topic, and its links.

use std::fmt::Write;

use super::page::{Block, MadePage, Role, Section};
use super::time::Moment;
use super::topics::prose;
use super::{MadeLink, Site};
use crate::chance::{Chance, mix};
use crate::graph::PageId;

/// Streams of chance for texts lie beyond those of sections and readers.
const TEXTS: u64 = 1 << 40;

impl Site {
    /// A page at a time, as HTML of a few thousand bytes; empty before it is born. Changes at [`Site::changes`] only.
    pub fn html(&self, page: PageId, time: Moment) -> String {
        let links = self.links_at(page, time);
        let this = self.page(page);
        if this.born > time {
            return String::new();
        }
        let edition = self.edition(page, time);
        let mut chance = Chance::stream(self.settings.seed, TEXTS + u64::from(page));
        let mut out = String::with_capacity(4_096);
        let host = escaped(&self.settings.host);
        out += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>";
        out += &escaped(&this.title);
        out += " | ";
        out += &host;
        out += "</title>\n<link rel=\"stylesheet\" href=\"/static/site.css\">\n<script src=\"/static/site.js\"></script>\n";
        out += "</head>\n<body>\n<header>\n<img src=\"/static/logo.svg\" alt=\"\">\n";
        self.nav(&links, Block::Header, "nav", &mut out);
        out += "</header>\n<main class=\"";
        out += this.section.name();
        out += "\">\n<h1>";
        out += &escaped(&this.title);
        out += "</h1>\n";
        for image in 0..self.images(page) {
            out += "<img src=\"";
            out += &image_path(page, image);
            out += "\" alt=\"\">\n";
        }
        out += "<p>";
        prose(this.topic, words(this, &mut chance), &mut chance, &mut out);
        if edition > 0 {
            out += "</p>\n<p>";
            let mut chance = Chance::stream(self.settings.seed, mix(TEXTS + u64::from(page)) ^ edition as u64);
            prose(this.topic, 12, &mut chance, &mut out);
        }
        out += "</p>\n";
        if this.section == Section::Shop && this.role == Role::Item {
            let mut chance = Chance::stream(self.settings.seed, TEXTS ^ u64::from(page) ^ ((edition as u64) << 32));
            let cents = 500 + chance.below(20_000);
            // Writing to a string cannot fail.
            let _ = writeln!(out, "<p class=\"price\">{}.{:02}</p>", cents / 100, cents % 100);
        }
        self.nav(&links, Block::Body, "ul", &mut out);
        self.nav(&links, Block::Pager, "nav", &mut out);
        self.nav(&links, Block::Ends, "nav", &mut out);
        out += "</main>\n";
        self.nav(&links, Block::Aside, "aside", &mut out);
        self.nav(&links, Block::Footer, "footer", &mut out);
        out += "</body>\n</html>\n";
        out
    }

    /// How many pictures a page has.
    pub(super) fn images(&self, page: PageId) -> u64 {
        let draw = mix(self.settings.seed ^ mix(u64::from(page)));
        match self.page(page).role {
            Role::Item => draw % 4,
            Role::Part | Role::Front => draw % 2,
            Role::Listing | Role::Trap => 0,
        }
    }

    fn nav(&self, links: &[MadeLink], block: Block, tag: &str, out: &mut String) {
        if links.iter().all(|link| link.block != block) {
            return;
        }
        *out += &format!("<{tag}>\n");
        for link in links.iter().filter(|link| link.block == block) {
            let to = self.page(link.to);
            let (open, close) = if tag == "ul" { ("<li>", "</li>") } else { ("", "") };
            *out += open;
            *out += "<a href=\"";
            *out += &escaped(&to.path);
            *out += "\">";
            *out += &escaped(&to.title);
            *out += "</a>";
            *out += close;
            out.push('\n');
        }
        *out += &format!("</{tag}>\n");
    }
}

/// Where a picture of a page is.
pub(super) fn image_path(page: PageId, image: u64) -> String {
    format!("/media/{:010x}.jpg", mix(u64::from(page) * 8 + image) >> 24)
}

fn words(page: &MadePage, chance: &mut Chance) -> usize {
    match page.role {
        Role::Item => 80 + chance.below(120),
        Role::Part => 60 + chance.below(60),
        Role::Front | Role::Listing | Role::Trap => 12 + chance.below(12),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
