//! Does a URL repeat itself?
//!
//! A relative link on a page that answers under every path appends to itself without end: `/a/b/a/b/a/b/…`. No page is meant
//! by that. A run of segments that follows itself so often that there are [`TIMES`] of it is taken for such a trap, and so is a
//! parameter that is there so often with the same value. **\[ours\]** Numbers may repeat once more: `/2011/11/11/11` is a
//! day and an hour.

use smallvec::SmallVec;

/// So many of the same run in a row are a trap.
const TIMES: usize = 3;
/// So many of the same number.
const NUMBERS: usize = 5;
/// Longer runs are not looked for: a path may have thousands of segments.
const LONGEST_RUN: usize = 16;

/// Paths of so many segments need no memory of their own.
const USUAL_SEGMENTS: usize = 16;

/// Whether a path and query repeats itself. Called for every link of every page.
#[must_use]
pub fn repeats_itself(path_and_query: &str) -> bool {
    let bytes = path_and_query.as_bytes();
    let end = memchr::memchr(b'?', bytes).unwrap_or(bytes.len());
    let (path, query) = path_and_query.split_at(end);
    path_repeats(path.as_bytes()) || (query.len() > 2 * TIMES && query_repeats(&query[1..]))
}

fn path_repeats(path: &[u8]) -> bool {
    let mut segments: SmallVec<[&[u8]; USUAL_SEGMENTS]> = SmallVec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'/', path).chain([path.len()]) {
        if end > start {
            segments.push(&path[start..end]);
        }
        start = end + 1;
    }
    (1..=(segments.len() / TIMES).min(LONGEST_RUN)).any(|run| {
        let mut same = 0;
        (run..segments.len()).any(|at| {
            let first = segments[at - run];
            same = if first == segments[at] { same + 1 } else { 0 };
            // Most have no two alike.
            same >= run * (TIMES - 1) && {
                let number = run == 1 && first.iter().all(u8::is_ascii_digit);
                same >= run * (if number { NUMBERS } else { TIMES } - 1)
            }
        })
    })
}

fn query_repeats(query: &str) -> bool {
    let mut parameters: Vec<&str> = query.split('&').filter(|parameter| parameter.contains('=')).collect();
    if parameters.len() < TIMES {
        return false;
    }
    parameters.sort_unstable();
    parameters.windows(TIMES).any(|window| window.iter().all(|parameter| *parameter == window[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_urls_that_append_to_themselves_are_traps() {
        for trap in [
            "/a/b/a/b/a/b/",
            "/x/a/a/a",
            "/shop/cart/add/shop/cart/add/shop/cart/add/x.html",
            "/start/a/b/a/b/a/b?x=1",
            "/1/1/1/1/1",
            "/?a=1&b=2&a=1&a=1",
        ] {
            assert!(repeats_itself(trap), "{trap}");
        }
        for page in [
            "/",
            "/a/b/a/b",
            "/2011/11/11/11",
            "/news/2024/02/02/title",
            "/a/b/c/a/b/c",
            "/boston/boston",
            "/?tag=a&tag=b&tag=c&tag=d",
            "/?a=1&a=1",
            "/wiki/New_York,_New_York/New_York/x",
            "",
        ] {
            assert!(!repeats_itself(page), "{page}");
        }
    }

    #[test]
    fn ours_long_paths_cost_little() {
        let path: String = (0..2_000).map(|n| format!("/{}", n % 997)).collect();
        assert!(!repeats_itself(&path));
    }
}
