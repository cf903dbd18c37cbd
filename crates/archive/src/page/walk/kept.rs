//! Which page does this record hold?

use crate::http::{BodyFault, Response, essence};
use crate::page::{Address, Page, Redirect, charset};
use crate::{Caps, RecordKind, Shortened, WarcRecord};

/// What became of a record.
pub(super) enum Kept {
    Page(Page),
    Redirect(Redirect),
    NoPage,
    Bad,
}

/// The page in a record, if it holds one.
pub(super) fn page_of(record: WarcRecord, caps: &Caps) -> Kept {
    let Some(url) = record.target.clone() else {
        return Kept::NoPage;
    };
    let (body, content_type, is_cut) = match record.kind {
        RecordKind::Response => {
            let Ok(response) = Response::parse(&record.body, caps) else {
                // Names are looked up too, and kept as responses.
                return if url.starts_with("http") { Kept::Bad } else { Kept::NoPage };
            };
            let content_type = response.headers.get("Content-Type").map(str::to_owned);
            if !(200..300).contains(&response.status) {
                let to = response.headers.get("Location").filter(|_| (300..400).contains(&response.status));
                return to.map_or(Kept::NoPage, |to| Kept::Redirect(Redirect { to: to.to_owned(), from: url }));
            }
            let decoded = response.decoded(caps);
            if !is_html(content_type.as_deref(), &decoded.body) {
                return Kept::NoPage;
            }
            let is_bad = matches!(decoded.fault, Some(BodyFault::Damaged | BodyFault::UnknownCoding));
            if is_bad && record.cut != Some(Shortened::Cap) {
                return Kept::Bad;
            }
            (decoded.body.into_owned(), content_type, decoded.fault.is_some())
        }
        RecordKind::Resource | RecordKind::Conversion => {
            let content_type = record.headers.get("Content-Type").map(str::to_owned);
            if !is_html(content_type.as_deref(), &record.body) {
                return Kept::NoPage;
            }
            (record.body, content_type, false)
        }
        _ => return Kept::NoPage,
    };
    if record.cut == Some(Shortened::Damage) {
        return Kept::Bad;
    }
    let html = charset::decode(&body, content_type.as_deref());
    Kept::Page(Page { address: Address::Url(url), html, is_cut: is_cut || record.cut.is_some() })
}

/// By its type; without one, by its first bytes.
fn is_html(content_type: Option<&str>, body: &[u8]) -> bool {
    match content_type.map(essence).as_deref() {
        Some("text/html" | "application/xhtml+xml") => true,
        Some("") | None => {
            let start = body.trim_ascii_start();
            [&b"<!doctype html"[..], b"<html", b"<head"]
                .iter()
                .any(|tag| start.get(..tag.len()).is_some_and(|s| s.eq_ignore_ascii_case(tag)))
        }
        Some(_) => false,
    }
}
