//! Name servers: one that changes its mind, one that never answers.

use std::net::IpAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use trodden_fetch::dns::{DnsFault, Resolve, Resolving};

/// Gives another answer each time; the last one for ever.
#[derive(Debug)]
pub struct Fickle {
    answers: Mutex<Vec<Vec<IpAddr>>>,
    asked: AtomicUsize,
}

impl Fickle {
    pub fn new(answers: &[&[IpAddr]]) -> Self {
        let answers = answers.iter().rev().map(|answer| answer.to_vec()).collect();
        Self { answers: Mutex::new(answers), asked: AtomicUsize::new(0) }
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Resolve for Fickle {
    fn resolve<'a>(&'a self, _: &'a str) -> Resolving<'a> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop() } else { answers.last().cloned() };
        Box::pin(std::future::ready(answer.ok_or(DnsFault::NotFound)))
    }
}

/// Never answers.
#[derive(Debug)]
pub struct Mute;

impl Resolve for Mute {
    fn resolve<'a>(&'a self, _: &'a str) -> Resolving<'a> {
        Box::pin(std::future::pending())
    }
}
