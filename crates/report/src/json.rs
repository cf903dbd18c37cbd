//! How is a value written for programs, yet so that people can look at it?
//!
//! Objects take a line a field, lists of numbers one line: a curve of a thousand points does not take four thousand.
//! What is no number is `null`.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// A value whose keys are texts as one JSON document, fields in the order of their declaration, with a line feed at its end.
#[must_use]
pub fn to_json(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Lines::default());
    value.serialize(&mut serializer).expect("its keys are texts, and memory takes every byte");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// What is open around the place where we write.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Object,
    ListInLine,
    ListOfObjects,
}

/// Lines for objects, none for lists of anything else.
#[derive(Default)]
struct Lines {
    open: Vec<Open>,
    empty: bool,
}

impl Lines {
    fn new_line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        let lines = self.open.iter().filter(|open| **open != Open::ListInLine).count();
        (0..lines).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open.push(Open::ListInLine);
        out.write_all(b"[")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b"," })
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.open.pop() == Some(Open::ListOfObjects) {
            self.new_line(out)?;
        }
        out.write_all(b"]")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if let Some(list @ (Open::ListInLine | Open::ListOfObjects)) = self.open.last_mut() {
            *list = Open::ListOfObjects;
            self.new_line(out)?;
        }
        self.open.push(Open::Object);
        self.empty = true;
        out.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        self.empty = false;
        self.new_line(out)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open.pop();
        if !self.empty {
            self.new_line(out)?;
        }
        self.empty = false;
        out.write_all(b"}")
    }
}
