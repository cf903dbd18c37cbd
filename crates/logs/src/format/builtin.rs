//! The formats that need no words: common, combined, and combined with the virtual host in front.

use std::sync::Arc;

use super::compile::{Piece, What, template};
use super::part::Slot;
use super::template::{Tail, Template};

/// `address ident user [time] "request" status bytes`.
pub(super) fn common() -> Arc<Template> {
    Arc::new(build("common", common_pieces()))
}

/// Common, then `"referrer" "agent"`.
pub(super) fn combined() -> Arc<Template> {
    let mut template = build("combined", combined_pieces());
    template.usual = true;
    Arc::new(template)
}

/// Combined after `host:port`.
pub(super) fn vhost_combined() -> Arc<Template> {
    let mut pieces = vec![slot(Slot::Host), literal(" ")];
    pieces.extend(combined_pieces());
    Arc::new(build("vhost-combined", pieces))
}

fn common_pieces() -> Vec<Piece> {
    vec![
        slot(Slot::Address),
        literal(" "),
        slot(Slot::Skip),
        literal(" "),
        slot(Slot::UserName),
        literal(" ["),
        Piece::field(What::CommonTime, "time"),
        literal("] \""),
        slot(Slot::Request),
        literal("\" "),
        slot(Slot::Status),
        literal(" "),
        slot(Slot::Skip),
    ]
}

fn combined_pieces() -> Vec<Piece> {
    let mut pieces = common_pieces();
    pieces.extend([literal(" \""), slot(Slot::Referrer), literal("\" \""), slot(Slot::Agent), literal("\"")]);
    pieces
}

fn slot(slot: Slot) -> Piece {
    Piece::field(What::Slot(slot), "")
}

fn literal(text: &str) -> Piece {
    Piece::Literal(text.as_bytes().to_vec())
}

fn build(name: &'static str, pieces: Vec<Piece>) -> Template {
    template(name, pieces, Tail::Fields).expect("the built-in formats have a target and a time")
}
