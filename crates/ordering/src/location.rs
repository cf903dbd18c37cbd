//! How important does a page look by its URL alone? Location (WWW 1998, §2: IL).
//!
//! The paper names three signs and no formula: fewer slashes, certain endings of the host such as `.com`, and words such
//! as `home`. **\[ours\]**
//!
//! `IL = (1 + ½·[ending] + ½·[word]) / (1 + slashes)`
//!
//! - *slashes*: those of the path, the first and a last one left out, so that `http://a.com`, `http://a.com/` and
//!   `http://a.com/x` have none, and `http://a.com/x/y/` has one. A query and a fragment are not part of the path.
//! - *ending*: the last label of the host is one of [`Location::endings`].
//! - *word*: host, path or query hold one of [`Location::words`], in any case, be it inside a longer word.
//!
//! From above 0 to 2. A step for every byte and word.

/// What counts for a URL beside few slashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Last labels of hosts, in lower case, without the dot.
    pub endings: Vec<String>,
    /// Words, in lower case.
    pub words: Vec<String>,
}

impl Default for Location {
    /// `com` and `home`, the paper's examples.
    fn default() -> Self {
        Self { endings: vec!["com".into()], words: vec!["home".into()] }
    }
}

impl Location {
    /// IL of a URL.
    pub fn score(&self, url: &str) -> f64 {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let rest = rest.split('#').next().unwrap_or(rest);
        let (host_and_path, _) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = host_and_path.split_once('/').unwrap_or((host_and_path, ""));
        let slashes = path.strip_suffix('/').unwrap_or(path).matches('/').count();

        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let host = host.split_once(':').map_or(host, |(host, _)| host);
        let last_label = host.rsplit('.').next().unwrap_or(host);
        let ending = self.endings.iter().any(|ending| last_label.eq_ignore_ascii_case(ending));
        let word = self.words.iter().any(|word| holds(rest.as_bytes(), word.as_bytes()));

        let bonus = |sign: bool| if sign { 0.5 } else { 0.0 };
        (1.0 + bonus(ending) + bonus(word)) / (1.0 + slashes as f64)
    }
}

fn holds(text: &[u8], word: &[u8]) -> bool {
    !word.is_empty() && text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_fewer_slashes_a_good_ending_and_a_good_word_are_better() {
        let score = |url| Location::default().score(url);
        assert_eq!(score("http://a.org"), 1.0);
        assert_eq!(score("http://a.org/"), 1.0);
        assert_eq!(score("http://a.org/x?to=/y/z/w"), 1.0);
        assert_eq!(score("http://a.org/x/y/"), 0.5);
        assert_eq!(score("http://a.COM:8080/x/y"), 0.75);
        assert_eq!(score("http://u:p@a.com/HomePage.html#/a/b"), 2.0);
        assert_eq!(score("http://a.org/com/x/home"), 0.5);
        assert_eq!(score("/x/y"), 0.5, "a path alone has an empty host");
    }

    #[test]
    fn ours_an_empty_list_gives_nothing() {
        let none = Location { endings: Vec::new(), words: vec![String::new()] };
        assert_eq!(none.score("http://home.com/a"), 1.0);
    }
}
