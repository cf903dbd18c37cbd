//! What on a line of Rust is code, what is a comment, and what belongs to tests?
//!
//! Not a parser: a scanner that knows comments (nested), string literals (plain, raw, byte) and character literals
//! well enough to keep words inside them apart. Strings become empty in the code, so a check does not trip over its
//! own examples.

/// A Rust file by lines.
pub(super) struct Source {
    pub(super) lines: Vec<Line>,
}

/// One line of a Rust file.
#[derive(Default)]
pub(super) struct Line {
    /// Without comments and without the contents of literals.
    pub(super) code: String,
    /// The text of comments, slashes included.
    pub(super) comment: String,
    /// Part of an item under `#[cfg(test)]`.
    pub(super) test: bool,
}

/// Is this whole file tests? Files under `tests/`, and `tests.rs` of a module.
pub(super) fn is_test_path(path: &str) -> bool {
    path.split('/').any(|part| part == "tests" || part == "tests.rs")
}

/// Does `code` use `name` as a whole word (or path, or call)?
pub(super) fn names(code: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        let joined = before.is_some_and(is_word) || name.ends_with(is_word) && after.is_some_and(is_word);
        !joined
    })
}

enum State {
    Code,
    LineComment,
    BlockComment { depth: usize },
    Text,
    RawText { hashes: usize },
}

/// Splits a file into lines of code and comment, and marks the lines of tests.
pub(super) fn read(text: &str) -> Source {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut lines = vec![Line::default()];
    let mut state = State::Code;
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        if c == '\n' {
            lines.push(Line::default());
            if matches!(state, State::LineComment) {
                state = State::Code;
            }
            i += 1;
            continue;
        }
        let Some(line) = lines.last_mut() else { break };
        i += match state {
            State::Code if c == '/' && at(i + 1) == '/' => {
                line.comment.push_str("//");
                state = State::LineComment;
                2
            }
            State::Code if c == '/' && at(i + 1) == '*' => {
                line.comment.push_str("/*");
                state = State::BlockComment { depth: 1 };
                2
            }
            State::Code if c == '"' => {
                line.code.push('"');
                state = State::Text;
                1
            }
            State::Code if c == 'r' && raw_hashes(&chars, i).is_some() => {
                let hashes = raw_hashes(&chars, i).unwrap_or(0);
                line.code.push('"');
                state = State::RawText { hashes };
                hashes + 2
            }
            State::Code if c == '\'' => char_literal(&chars, i),
            State::Code => {
                line.code.push(c);
                1
            }
            State::LineComment => {
                line.comment.push(c);
                1
            }
            State::BlockComment { depth } => {
                line.comment.push(c);
                let (step, depth) = match (c, at(i + 1)) {
                    ('*', '/') => (2, depth - 1),
                    ('/', '*') => (2, depth + 1),
                    _ => (1, depth),
                };
                state = if depth == 0 { State::Code } else { State::BlockComment { depth } };
                step
            }
            // A backslash before the end of a line must not swallow the line end.
            State::Text if c == '\\' => 1 + usize::from(at(i + 1) != '\n'),
            State::Text if c == '"' => {
                line.code.push('"');
                state = State::Code;
                1
            }
            State::RawText { hashes } if c == '"' && (1..=hashes).all(|h| at(i + h) == '#') => {
                line.code.push('"');
                state = State::Code;
                1 + hashes
            }
            State::Text | State::RawText { .. } => 1,
        };
    }
    if text.ends_with('\n') {
        lines.pop();
    }
    mark_tests(&mut lines);
    Source { lines }
}

/// The number of `#` when a raw string starts at this `r`.
fn raw_hashes(chars: &[char], r: usize) -> Option<usize> {
    let is_word = |i: Option<usize>| i.is_some_and(|i| chars[i].is_alphanumeric() || chars[i] == '_');
    let before = r.checked_sub(1);
    let is_prefix = before.is_some_and(|b| matches!(chars[b], 'b' | 'c')) && !is_word(r.checked_sub(2));
    if is_word(before) && !is_prefix {
        return None;
    }
    let hashes = chars[r + 1..].iter().take_while(|c| **c == '#').count();
    (chars.get(r + 1 + hashes) == Some(&'"')).then_some(hashes)
}

/// How many characters to pass at a `'`: a whole character literal, or 1 for a lifetime.
fn char_literal(chars: &[char], quote: usize) -> usize {
    if chars.get(quote + 1) == Some(&'\\') {
        let end = chars[quote + 1..].iter().skip(2).position(|c| *c == '\'');
        return end.map_or(1, |end| end + 4);
    }
    if chars.get(quote + 2) == Some(&'\'') { 3 } else { 1 }
}

/// Marks each item under `#[cfg(test)]` from its attribute to its closing brace or semicolon.
fn mark_tests(lines: &mut [Line]) {
    let mut start = 0;
    while start < lines.len() {
        let code = lines[start].code.trim_start();
        let Some(attribute) = ["#[cfg(test)]", "#[cfg(all(test"].iter().find(|a| code.starts_with(**a)) else {
            start += 1;
            continue;
        };
        let skip = lines[start].code.len() - code.len() + attribute.len();
        let end = item_end(lines, start, skip);
        for line in &mut lines[start..=end] {
            line.test = true;
        }
        start = end + 1;
    }
}

fn item_end(lines: &[Line], start: usize, skip: usize) -> usize {
    let mut depth = 0_i32;
    for (number, line) in lines.iter().enumerate().skip(start) {
        let from = if number == start { skip } else { 0 };
        for c in line.code[from..].chars() {
            match c {
                '{' | '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                '}' => {
                    depth -= 1;
                    if depth <= 0 {
                        return number;
                    }
                }
                ';' if depth <= 0 => return number,
                _ => {}
            }
        }
    }
    lines.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<String> {
        read(text).lines.into_iter().map(|line| line.code).collect()
    }

    #[test]
    fn strings_and_comments_are_not_code() {
        assert_eq!(code("a(\"x // y\"); // z"), ["a(\"\"); "]);
        assert_eq!(code("r#\"a \" b\"# c"), ["\"\" c"]);
        assert_eq!(code("br\"x\" c"), ["b\"\" c"]);
        assert_eq!(code("a /* b /* c */ d */ e"), ["a  e"]);
        assert_eq!(code("'\"' '\\'' '\\u{1F600}' <'a> x"), ["   <a> x"]);
        assert_eq!(code("\"a\\\nb\" c"), ["\"", "\" c"]);
        assert_eq!(code("for_r\"x\""), ["for_r\"\""]);
    }

    #[test]
    fn comments_keep_their_words() {
        assert_eq!(read("a // later").lines[0].comment, "// later");
    }

    #[test]
    fn test_items_are_marked() {
        let source = read("fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() { let x = [0; 3]; }\n}\nfn c() {}\n");
        let marks: Vec<bool> = source.lines.iter().map(|line| line.test).collect();
        assert_eq!(marks, [false, true, true, true, true, false]);
        let source = read("#[cfg(test)]\nmod tests;\nfn c() {}\n");
        assert!(source.lines[1].test && !source.lines[2].test);
    }

    #[test]
    fn names_are_whole_words() {
        assert!(names("use tokio::net;", "tokio"));
        assert!(!names("my_tokio()", "tokio"));
        assert!(names("x = rand::rng();", "rand::rng("));
    }
}
