//! Which pages can reach each other? Strongly connected components, in an order in which scores can be settled.
//!
//! Two pages are in one component if links lead from each to the other. Components are listed such that links between
//! them lead from earlier to later ones only; so whatever flows along links can be settled component by component.
//! Within a component pages come in the order in which a depth-first search against the links leaves them: most
//! sources of a page stand before it. A solver that works in place needs fewer sweeps in that order.
//!
//! Method: Pearce's form of Tarjan's search (one number a page), over the reversed links, without recursion. One step
//! a page and a link.

use super::Rows;

/// All pages, by component.
#[derive(Debug)]
pub(super) struct Components {
    /// Pages in order.
    pub(super) order: Vec<u32>,
    /// Where each component ends in `order`.
    pub(super) ends: Vec<u32>,
}

/// A page on the way of the search, and the next of its links to look at.
struct Step {
    page: u32,
    next: u32,
    end: u32,
    /// Whether no page that was entered before it has been met again.
    root: bool,
}

impl Components {
    /// Finds them. `backward` are the links by the page they lead to.
    pub(super) fn of(backward: &Rows<'_>) -> Self {
        let pages = backward.pages();
        let mut search = Search {
            mark: vec![UNSEEN; pages],
            entered: 1,
            waiting: Vec::new(),
            found: Self { order: Vec::with_capacity(pages), ends: Vec::new() },
        };
        let mut way = Vec::new();
        for page in 0..pages as u32 {
            if search.mark[page as usize] == UNSEEN {
                search.from(page, backward, &mut way);
            }
        }
        search.found
    }
}

/// A page not yet entered.
const UNSEEN: u32 = 0;
/// A page whose component is settled.
const SETTLED: u32 = u32::MAX;

struct Search {
    /// By page: when the earliest page known to share its component was entered; counted from 1.
    mark: Vec<u32>,
    entered: u32,
    /// Pages that were left and whose component is still open, in that order.
    waiting: Vec<u32>,
    found: Components,
}

impl Search {
    fn enter(&mut self, page: u32, backward: &Rows<'_>) -> Step {
        self.mark[page as usize] = self.entered;
        self.entered += 1;
        let at = page as usize;
        Step { page, next: backward.offsets[at], end: backward.offsets[at + 1], root: true }
    }

    fn from(&mut self, start: u32, backward: &Rows<'_>, way: &mut Vec<Step>) {
        let mut here = self.enter(start, backward);
        loop {
            let mut mark = self.mark[here.page as usize];
            let mut unseen = None;
            while here.next < here.end {
                let to = backward.targets[here.next as usize];
                let seen = self.mark[to as usize];
                if seen == UNSEEN {
                    unseen = Some(to);
                    break;
                }
                here.next += 1;
                if seen < mark {
                    mark = seen;
                    here.root = false;
                }
            }
            self.mark[here.page as usize] = mark;
            if let Some(to) = unseen {
                // `next` stays: back here, the link is looked at again, now with a mark.
                let step = self.enter(to, backward);
                way.push(std::mem::replace(&mut here, step));
                continue;
            }
            self.leave(&here);
            match way.pop() {
                Some(before) => here = before,
                None => return,
            }
        }
    }

    fn leave(&mut self, step: &Step) {
        if !step.root {
            self.waiting.push(step.page);
            return;
        }
        let mark = self.mark[step.page as usize];
        let members = self.waiting.iter().rev().take_while(|&&page| self.mark[page as usize] >= mark).count();
        let from = self.waiting.len() - members;
        for &page in &self.waiting[from..] {
            self.mark[page as usize] = SETTLED;
        }
        self.mark[step.page as usize] = SETTLED;
        self.found.order.extend(self.waiting.drain(from..));
        self.found.order.push(step.page);
        self.found.ends.push(self.found.order.len() as u32);
    }
}
