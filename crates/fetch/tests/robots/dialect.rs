//! How else could a robots.txt be read?
//!
//! A second reader, slow and written apart from ours, that decides as we do, and in which each way in which Protego
//! differs on these files is a switch. A difference is explained when one switch turns our verdict into Protego's.

use trodden_fetch::robots::ROBOTS_BYTES;

/// A way in which Protego reads otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reading {
    /// Lines such as `Crawl-delay` end the list of a group's agents. They must not.
    OtherRecords,
    /// A pattern with `$` is also read with `$` as itself. Only in the middle it is itself.
    DollarTwice,
    /// In a query `%2F` is not `/`. The RFC's own example has them equal.
    QuerySlash,
    /// Every escape but that of a slash is decoded. Those of reserved characters must not be.
    EveryEscape,
    /// Reserved characters count as three octets, as if escaped.
    EscapedLength,
    /// `/robots.txt?x` is allowed as robots.txt is. It is another URI.
    RobotsQuery,
    /// `/robots.tx%74` is not robots.txt. Escapes of unreserved characters are decoded first.
    RobotsEscaped,
    /// A user-agent line means its whole value. The token ends where the letters end.
    WholeAgent,
    /// A user-agent line also means crawlers whose names only start so.
    AgentStart,
    /// Only `index.html` is its folder, not `index.htm`.
    IndexHtml,
    /// Blanks of all of Unicode may stand around values.
    AnyBlank,
}

impl Reading {
    pub(crate) const ALL: [Self; 11] = [
        Self::OtherRecords,
        Self::DollarTwice,
        Self::QuerySlash,
        Self::EveryEscape,
        Self::EscapedLength,
        Self::RobotsQuery,
        Self::RobotsEscaped,
        Self::WholeAgent,
        Self::AgentStart,
        Self::IndexHtml,
        Self::AnyBlank,
    ];

    /// Which section decides, and for whom.
    pub(crate) fn section(self) -> &'static str {
        match self {
            Self::OtherRecords => "RFC 9309 2.2.4",
            Self::DollarTwice => "RFC 9309 2.2.3",
            Self::QuerySlash | Self::EveryEscape | Self::EscapedLength => "RFC 9309 2.2.2",
            Self::RobotsQuery | Self::RobotsEscaped => "RFC 9309 2.2.2",
            Self::WholeAgent | Self::AgentStart => "RFC 9309 2.2.1",
            Self::AnyBlank => "RFC 9309 2.2",
            Self::IndexHtml => "open in RFC 9309; as Google",
        }
    }
}

/// An octet of a pattern or a path; an escape is three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Octet {
    Plain(u8),
    Star,
    End,
}

struct Group {
    agents: Vec<String>,
    rules: Vec<Rule>,
}

#[derive(Clone)]
struct Rule {
    allows: bool,
    /// With the query opened, if it has one.
    octets: Vec<Octet>,
    has_query: bool,
    length: usize,
}

/// A file read in one way.
pub(crate) struct Dialect {
    reading: Option<Reading>,
    groups: Vec<Group>,
}

impl Dialect {
    pub(crate) fn read(robots: &[u8], reading: Option<Reading>) -> Self {
        let mut dialect = Self { reading, groups: Vec::new() };
        let robots = robots.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(robots);
        let mut lines: Vec<&[u8]> = robots.split(|byte| matches!(byte, b'\n' | b'\r')).collect();
        if robots.len() > ROBOTS_BYTES {
            let kept = &robots[..ROBOTS_BYTES];
            lines = kept.split(|byte| matches!(byte, b'\n' | b'\r')).collect();
            lines.pop();
        }
        let mut joins = false;
        for line in lines {
            let line = line.split(|byte| *byte == b'#').next().unwrap();
            let Some((field, value)) = dialect.field(dialect.trim(line)) else { continue };
            match field.as_str() {
                "user-agent" => {
                    if !joins {
                        dialect.groups.push(Group { agents: Vec::new(), rules: Vec::new() });
                        joins = true;
                    }
                    let agent = String::from_utf8_lossy(value).to_lowercase();
                    dialect.groups.last_mut().unwrap().agents.push(agent);
                }
                "allow" | "disallow" => {
                    joins = false;
                    let rules = dialect.rules(value, field == "allow");
                    dialect.groups.last_mut().into_iter().for_each(|group| group.rules.extend(rules.clone()));
                }
                "sitemap" | "host" => {}
                _ => joins &= !dialect.has(Reading::OtherRecords),
            }
        }
        dialect
    }

    fn has(&self, reading: Reading) -> bool {
        self.reading == Some(reading)
    }

    fn trim<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        match std::str::from_utf8(text) {
            Ok(text) if self.has(Reading::AnyBlank) => text.trim().as_bytes(),
            _ => text.trim_ascii(),
        }
    }

    fn field<'a>(&self, line: &'a [u8]) -> Option<(String, &'a [u8])> {
        let colon = line.iter().position(|byte| *byte == b':');
        let blank = line.iter().position(|byte| matches!(byte, b' ' | b'\t'));
        let at = colon.or_else(|| {
            let value = self.trim(&line[blank?..]);
            let is_one = !value.iter().any(|byte| matches!(byte, b' ' | b'\t'));
            if is_one { blank } else { None }
        })?;
        let key = String::from_utf8_lossy(self.trim(&line[..at])).to_lowercase();
        const NAMES: [(&str, &str); 11] = [
            ("useragent", "user-agent"),
            ("user agent", "user-agent"),
            ("user-agent", "user-agent"),
            ("disallow", "disallow"),
            ("dissallow", "disallow"),
            ("dissalow", "disallow"),
            ("disalow", "disallow"),
            ("diasllow", "disallow"),
            ("disallaw", "disallow"),
            ("allow", "allow"),
            ("sitemap", "sitemap"),
        ];
        let field =
            NAMES.iter().find(|(name, _)| key.starts_with(name)).map_or(key.clone(), |(_, field)| (*field).to_owned());
        Some((field, self.trim(&line[at + 1..])))
    }

    /// Does a user-agent line mean this crawler? The higher the better.
    fn names(&self, line: &str, agent: &str) -> usize {
        let token = line.split(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_')).next().unwrap_or("");
        let value = if self.has(Reading::WholeAgent) { line } else { token };
        if line == "*" || !self.has(Reading::WholeAgent) && line.starts_with("* ") {
            1
        } else if value == agent || self.has(Reading::AgentStart) && !value.is_empty() && agent.starts_with(value) {
            1 + value.len()
        } else {
            0
        }
    }

    /// May it be fetched?
    pub(crate) fn allows(&self, agent: &str, path: &str) -> bool {
        let whole = if self.has(Reading::RobotsQuery) { path.split('?').next().unwrap() } else { path };
        let is_robots = |path: &str| self.octets(path.as_bytes(), false, false) == b"/robots.txt".map(Octet::Plain);
        if whole == "/robots.txt" || !self.has(Reading::RobotsEscaped) && is_robots(whole) {
            return true;
        }
        let agent = agent.to_lowercase();
        let score = |group: &Group| group.agents.iter().map(|line| self.names(line, &agent)).max().unwrap_or(0);
        let best = self.groups.iter().map(score).max().unwrap_or(0);
        let [path, with_query] = [false, true].map(|opens| self.octets(path.as_bytes(), false, opens));
        let (mut allowed, mut disallowed) = (0, 0);
        for rule in self.groups.iter().filter(|group| best > 0 && score(group) == best).flat_map(|group| &group.rules) {
            let longest = if rule.allows { &mut allowed } else { &mut disallowed };
            if rule.length > *longest && matches(&rule.octets, if rule.has_query { &with_query } else { &path }) {
                *longest = rule.length;
            }
        }
        allowed >= disallowed
    }

    fn rules(&self, value: &[u8], allows: bool) -> Vec<Rule> {
        let has_query = value.contains(&b'?') && !self.has(Reading::QuerySlash);
        let [closed, open] = [false, has_query].map(|opens| self.patterns(value, allows, opens));
        let can_match = matches!(value.first(), Some(b'/' | b'*'));
        let lengths = closed.into_iter().filter(|_| can_match).map(|octets| self.length(&octets, value));
        lengths.zip(open).map(|(length, octets)| Rule { allows, octets, has_query, length }).collect()
    }

    /// The pattern, and what it means besides.
    fn patterns(&self, value: &[u8], allows: bool, opens: bool) -> Vec<Vec<Octet>> {
        let pattern = self.octets(value, true, opens);
        let mut patterns = Vec::new();
        if self.has(Reading::DollarTwice) && pattern.last() == Some(&Octet::End) {
            patterns.push([&pattern[..pattern.len() - 1], &b"%24".map(Octet::Plain)].concat());
        }
        if let Some(slash) = pattern.iter().rposition(|octet| *octet == Octet::Plain(b'/')).filter(|_| allows) {
            let page = b"/index.html".map(Octet::Plain);
            let is_index = match self.has(Reading::IndexHtml) {
                true => pattern[slash..] == page,
                false => pattern[slash..].starts_with(&page[..10]),
            };
            if is_index {
                patterns.push([&pattern[..=slash], &[Octet::End]].concat());
            }
        }
        patterns.push(pattern);
        patterns
    }

    /// With `opens`, slashes and question marks behind the first question mark are the same with and without escape.
    fn octets(&self, text: &[u8], is_pattern: bool, opens: bool) -> Vec<Octet> {
        let mut octets = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let digits = text.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
            let value = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let byte = text[at];
            let mut escape = |byte: u8| octets.extend(format!("%{byte:02X}").bytes().map(Octet::Plain));
            match (byte, value) {
                (b'%', Some(digits)) => {
                    at += 2;
                    let value = u8::from_str_radix(digits, 16).unwrap();
                    let is_free = value.is_ascii_alphanumeric() || b"-._~:@[]".contains(&value);
                    let is_opened = self.has(Reading::EveryEscape) && b"!&'()+,;=?".contains(&value)
                        || opens && text[..at].contains(&b'?') && b"/?".contains(&value);
                    if is_free || is_opened { octets.push(Octet::Plain(value)) } else { escape(value) }
                }
                (b'*', _) if is_pattern => octets.push(Octet::Star),
                (b'$', _) if is_pattern && at + 1 == text.len() => octets.push(Octet::End),
                _ if byte.is_ascii_alphanumeric() || b"-._~:@[]!&'()+,;=/?%".contains(&byte) => {
                    octets.push(Octet::Plain(byte));
                }
                _ => escape(byte),
            }
            at += 1;
        }
        octets
    }

    fn length(&self, pattern: &[Octet], value: &[u8]) -> usize {
        let one = |octet: &Octet| match octet {
            Octet::Plain(byte) if self.has(Reading::EscapedLength) => {
                if byte.is_ascii_alphanumeric() || b"-._~/=%".contains(byte) { 1 } else { 3 }
            }
            Octet::Plain(_) | Octet::Star | Octet::End => 1,
        };
        let length: usize = pattern.iter().map(one).sum();
        // A dollar in the middle is one octet, though it is compared as an escape.
        let inner = value.iter().rev().skip(1).filter(|byte| **byte == b'$').count();
        if self.has(Reading::EscapedLength) { length } else { length - 2 * inner }
    }
}

/// Keeps all places that the pattern so far can reach.
fn matches(pattern: &[Octet], path: &[Octet]) -> bool {
    let head = pattern.iter().position(|octet| matches!(octet, Octet::Star | Octet::End)).unwrap_or(pattern.len());
    if !path.starts_with(&pattern[..head]) {
        return false;
    }
    let mut reached = vec![false; path.len() + 1];
    reached[head] = true;
    for octet in &pattern[head..] {
        match octet {
            Octet::End => return reached[path.len()],
            Octet::Star => {
                let first = reached.iter().position(|is| *is).unwrap();
                reached[first..].fill(true);
            }
            Octet::Plain(_) => {
                for at in (0..path.len()).rev() {
                    reached[at + 1] = reached[at] && path[at] == *octet;
                }
                reached[0] = false;
                if !reached.contains(&true) {
                    return false;
                }
            }
        }
    }
    true
}
