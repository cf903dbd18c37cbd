//! Which pages belong together: those of a site, a folder, a pattern.

use hashbrown::HashMap;

/// The folder of a page (host and path): the host with so many segments, each with its slash. A page that lies higher is in
/// the deepest folder that it has.
#[must_use]
pub fn folder_of(page: &str, depth: usize) -> &str {
    let path = page.split(['?', '#']).next().unwrap_or(page);
    let slashes = path.match_indices('/').map(|(at, _)| at);
    slashes.take(depth + 1).last().map_or(page, |end| &page[..=end])
}

/// Names of groups, each with a number, in the order of their first page.
#[derive(Clone, Debug, Default)]
pub struct GroupNames {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl GroupNames {
    /// The number of a group.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The number of a group that is there.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The names, by number.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_folders_are_prefixes_of_whole_segments() {
        for (page, depth, folder) in [
            ("x.org/news/2024/a.html", 1, "x.org/news/"),
            ("x.org/news/2024/a.html", 2, "x.org/news/2024/"),
            ("x.org/news/2024/a.html", 9, "x.org/news/2024/"),
            ("x.org/a.html", 1, "x.org/"),
            ("x.org/a?b=/c/d", 2, "x.org/"),
            ("a name", 1, "a name"),
        ] {
            assert_eq!(folder_of(page, depth), folder, "{page} {depth}");
        }
        let mut names = GroupNames::default();
        assert_eq!((names.number("a"), names.number("b"), names.number("a")), (0, 1, 0));
        assert_eq!((names.find("b"), names.find("c")), (Some(1), None));
    }
}
