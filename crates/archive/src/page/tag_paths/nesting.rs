//! Which elements are open, and what closes them?
//!
//! A tokenizer gives tags, not a tree. People leave out end tags as the HTML standard allows, and forget others. The
//! rules here are the few that matter for the skeleton:
//!
//! - `html`, `head` and `body` are there whether they are written or not; their end tags close nothing, since browsers
//!   put what follows into the body all the same.
//! - Void elements (`br`, `img` …) never stay open; nor do self-closed ones inside `svg` and `math`.
//! - `li`, `dt`/`dd`, `option`, `tr`, cells and table sections close an open one of their kind in the same list or table.
//!   A block closes an open `p`; a heading closes a heading; an `a` closes an `a`.
//! - An end tag closes the nearest element of its name, and what is open inside it; that of an inline element does not
//!   reach out of a block, and none but a table's own reaches out of a cell.
//!
//! At most [`MAX_DEPTH`] elements are held, so each tag costs a bounded number of steps.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{MAX_DEPTH, PathHash};

/// What the root's path grows from.
const ROOT: PathHash = 0x7472_6f64_6465_6e21;

/// Elements that have a rule of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Item,
    List,
    Term,
    TermList,
    Paragraph,
    Heading,
    Anchor,
    Cell,
    Row,
    Section,
    Table,
    Option,
    OptionGroup,
    Select,
    /// Blocks without a rule of their own.
    Block,
    /// Everything else.
    Inline,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    name: u64,
    class: Class,
    path: PathHash,
}

/// The elements that are open, from the root down.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    open: Vec<Open>,
    in_body: bool,
    /// Elements open below the deepest that is held.
    deeper: u32,
}

impl Nesting {
    /// An element starts. `count` is told its path, and those of the elements that it implies.
    pub(super) fn start(&mut self, name: &[u8], is_self_closed: bool, count: &mut impl FnMut(PathHash)) {
        if self.open.is_empty() {
            self.push(b"html", count);
        }
        match name {
            b"html" => return,
            b"head" => return self.enter_head(count),
            b"body" => return self.enter_body(count),
            _ if self.in_body => {}
            _ if belongs_into_head(name) => self.enter_head(count),
            _ => self.enter_body(count),
        }
        let class = class_of(name);
        if self.deeper == 0 {
            self.close_implied(class);
        }
        let is_foreign = || is_foreign_root(name) || self.open.iter().any(|o| is_foreign_hash(o.name));
        if is_void(name) || is_self_closed && is_foreign() {
            count(self.path_below(name));
        } else {
            self.push(name, count);
        }
    }

    /// An end tag.
    pub(super) fn end(&mut self, name: &[u8]) {
        if matches!(name, b"html" | b"head" | b"body") || is_void(name) {
            return;
        }
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let class = class_of(name);
        let hash = hash_of(name);
        for at in (0..self.open.len()).rev() {
            let open = self.open[at];
            if open.name == hash {
                self.open.truncate(at);
                return;
            }
            let leaves_block = is_block(open.class) && !is_block(class);
            let leaves_cell = matches!(open.class, Class::Cell | Class::Table) && !is_of_table(class);
            if leaves_block || leaves_cell {
                return;
            }
        }
    }

    /// Closes what `starting` closes without an end tag.
    fn close_implied(&mut self, starting: Class) {
        use Class as C;
        match starting {
            C::Item => self.close(&[C::Item], &[C::List, C::Cell, C::Table]),
            C::Term => self.close(&[C::Term], &[C::TermList, C::Cell, C::Table]),
            C::Cell => self.close(&[C::Cell], &[C::Row, C::Table]),
            C::Row => self.close(&[C::Cell, C::Row], &[C::Table]),
            C::Section => self.close(&[C::Cell, C::Row, C::Section], &[C::Table]),
            C::Option => self.close(&[C::Option], &[C::Select]),
            C::OptionGroup => self.close(&[C::Option, C::OptionGroup], &[C::Select]),
            C::Anchor => {
                // An anchor that was left open around blocks stays: closing it would close them too.
                let inside = self.open.iter().rposition(|o| is_block(o.class)).map_or(0, |at| at + 1);
                if let Some(at) = self.open[inside..].iter().position(|o| o.class == C::Anchor) {
                    self.open.truncate(inside + at);
                }
            }
            C::Heading if self.open.last().is_some_and(|o| o.class == C::Heading) => {
                self.open.pop();
            }
            _ => {}
        }
        if closes_paragraph(starting) {
            self.close(&[C::Paragraph], &[C::Cell, C::Table]);
        }
    }

    /// Closes the outermost of `closes` inside the nearest of `stops`, and all in it.
    fn close(&mut self, closes: &[Class], stops: &[Class]) {
        let inside = self.open.iter().rposition(|o| stops.contains(&o.class)).map_or(0, |at| at + 1);
        if let Some(at) = self.open[inside..].iter().position(|o| closes.contains(&o.class)) {
            self.open.truncate(inside + at);
        }
    }

    fn enter_head(&mut self, count: &mut impl FnMut(PathHash)) {
        if !self.in_body && self.open.len() == 1 {
            self.push(b"head", count);
        }
    }

    fn enter_body(&mut self, count: &mut impl FnMut(PathHash)) {
        if !self.in_body {
            self.in_body = true;
            self.deeper = 0;
            self.open.truncate(1);
            self.push(b"body", count);
        }
    }

    fn push(&mut self, name: &[u8], count: &mut impl FnMut(PathHash)) {
        let path = self.path_below(name);
        count(path);
        if self.open.len() < MAX_DEPTH {
            self.open.push(Open { name: hash_of(name), class: class_of(name), path });
        } else {
            self.deeper += 1;
        }
    }

    /// The path of an element that starts here.
    fn path_below(&self, name: &[u8]) -> PathHash {
        match self.open.last() {
            Some(deepest) if self.open.len() == MAX_DEPTH => deepest.path,
            Some(parent) => path_of(parent.path, name),
            None => path_of(ROOT, name),
        }
    }
}

fn path_of(parent: PathHash, name: &[u8]) -> PathHash {
    xxh3_64_with_seed(name, parent)
}

fn hash_of(name: &[u8]) -> u64 {
    path_of(ROOT, name)
}

fn is_foreign_root(name: &[u8]) -> bool {
    matches!(name, b"svg" | b"math")
}

fn is_foreign_hash(name: u64) -> bool {
    name == hash_of(b"svg") || name == hash_of(b"math")
}

fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"basefont"
            | b"bgsound"
            | b"br"
            | b"col"
            | b"embed"
            | b"frame"
            | b"hr"
            | b"img"
            | b"input"
            | b"keygen"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
    )
}

fn belongs_into_head(name: &[u8]) -> bool {
    matches!(
        name,
        b"base"
            | b"basefont"
            | b"bgsound"
            | b"link"
            | b"meta"
            | b"noscript"
            | b"script"
            | b"style"
            | b"template"
            | b"title"
    )
}

/// Whether an inline end tag stays inside it.
fn is_block(class: Class) -> bool {
    !matches!(class, Class::Inline | Class::Anchor)
}

fn closes_paragraph(class: Class) -> bool {
    let is_part = matches!(class, Class::Cell | Class::Row | Class::Section | Class::Option | Class::OptionGroup);
    is_block(class) && !is_part && class != Class::Select
}

fn is_of_table(class: Class) -> bool {
    matches!(class, Class::Cell | Class::Row | Class::Section | Class::Table)
}

fn class_of(name: &[u8]) -> Class {
    match name {
        b"li" => Class::Item,
        b"ul" | b"ol" | b"menu" | b"dir" => Class::List,
        b"dt" | b"dd" => Class::Term,
        b"dl" => Class::TermList,
        b"p" => Class::Paragraph,
        b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => Class::Heading,
        b"a" => Class::Anchor,
        b"td" | b"th" | b"caption" => Class::Cell,
        b"tr" => Class::Row,
        b"thead" | b"tbody" | b"tfoot" | b"colgroup" => Class::Section,
        b"table" => Class::Table,
        b"option" => Class::Option,
        b"optgroup" => Class::OptionGroup,
        b"select" | b"datalist" => Class::Select,
        b"address" | b"article" | b"aside" | b"blockquote" | b"body" | b"center" | b"details" | b"dialog" | b"div"
        | b"fieldset" | b"figcaption" | b"figure" | b"footer" | b"form" | b"frameset" | b"header" | b"hgroup"
        | b"hr" | b"html" | b"main" | b"nav" | b"pre" | b"search" | b"section" | b"summary" => Class::Block,
        _ => Class::Inline,
    }
}
