//! From the tokens of an expression to its meaning.

use regex::RegexBuilder;

use super::expression::Expression;
use super::fault::PredicateFault;
use super::scan::{Placed, Token, scan};
use super::term::{Phrase, RegexField, Term, TextField};
use super::words::{Stemming, hashes, words};
use super::{FindLikeness, HOT_WORDS, MOST_ANCHORS, MOST_BYTES, MOST_NESTED, MOST_TERMS, language};

/// Bytes that a compiled regular expression may take.
const REGEX_BYTES: usize = 1 << 20;
/// The fields, as messages list them.
const FIELDS: &str = "title, body, anchor, url, host, lang, category, like";

/// Reads an expression.
pub(super) fn parse(
    text: &str,
    stemming: Stemming,
    find: &mut FindLikeness<'_>,
) -> Result<(Expression, Vec<Term>), PredicateFault> {
    if text.len() > MOST_BYTES {
        return Err(PredicateFault::new(text, MOST_BYTES, format!("an expression has at most {MOST_BYTES} bytes")));
    }
    let tokens = scan(text).map_err(|at| PredicateFault::new(text, at, "this quote is not closed"))?;
    let mut parser =
        Parser { text, tokens: &tokens, next: 0, nested: 0, stemming, find, terms: Vec::new(), anchors: 0 };
    let expression = match parser.list() {
        Some(list) => list?,
        None => parser.whole()?,
    };
    Ok((expression, parser.terms))
}

struct Parser<'p, 'f> {
    text: &'p str,
    tokens: &'p [Placed<'p>],
    next: usize,
    nested: usize,
    stemming: Stemming,
    find: &'p mut FindLikeness<'f>,
    terms: Vec<Term>,
    anchors: u32,
}

type Parsed = Result<Expression, PredicateFault>;

impl Parser<'_, '_> {
    /// Plain words without any sign: any of them counts, together.
    fn list(&mut self) -> Option<Parsed> {
        let is_plain =
            |(at, token): &Placed<'_>| matches!(token, Token::Plain(_)) && !self.text[*at..].starts_with('"');
        if self.tokens.is_empty() || !self.tokens.iter().all(is_plain) {
            return None;
        }
        let phrases: Vec<Phrase> = words(self.text).map(|word| self.phrase(word)).collect();
        if phrases.is_empty() {
            return Some(Err(self.fault(0, "there is no word in it")));
        }
        Some(self.term(0, Term::Words { field: TextField::TitleOrBody, phrases, at_least: HOT_WORDS }))
    }

    fn whole(&mut self) -> Parsed {
        let expression = self.any()?;
        match self.tokens.get(self.next) {
            None => Ok(expression),
            Some((at, Token::Close)) => Err(self.fault(*at, "there is no ( to this )")),
            Some((at, _)) => Err(self.fault(*at, "write and or or before this")),
        }
    }

    fn any(&mut self) -> Parsed {
        let mut parts = vec![self.all()?];
        while self.take(&Token::Or) {
            parts.push(self.all()?);
        }
        Ok(joined(parts, Expression::Any))
    }

    fn all(&mut self) -> Parsed {
        let mut parts = vec![self.one()?];
        while self.take(&Token::And) {
            parts.push(self.one()?);
        }
        Ok(joined(parts, Expression::All))
    }

    fn one(&mut self) -> Parsed {
        let Some((at, token)) = self.tokens.get(self.next).cloned() else {
            let what = if self.tokens.is_empty() { "there is no word in it" } else { "a word is missing at the end" };
            return Err(self.fault(self.text.len(), what));
        };
        self.next += 1;
        match token {
            Token::Not => {
                self.enter(at)?;
                let inner = self.one()?;
                self.nested -= 1;
                Ok(Expression::Not(Box::new(inner)))
            }
            Token::Open => {
                self.enter(at)?;
                let inner = self.any()?;
                if !self.take(&Token::Close) {
                    return Err(self.fault(at, "this ( is not closed"));
                }
                self.nested -= 1;
                Ok(inner)
            }
            Token::Plain(word) => {
                let phrases = vec![self.checked_phrase(at, word)?];
                self.term(at, Term::Words { field: TextField::TitleOrBody, phrases, at_least: HOT_WORDS })
            }
            Token::Field { field, value, at_least, value_at } => {
                let at_least = at_least.map(|number| self.number(at, number)).transpose()?;
                let term = self.field(at, field, value, at_least, value_at)?;
                self.term(at, term)
            }
            Token::Regex { field, value, value_at } => {
                let term = self.regex(at, field, value, value_at)?;
                self.term(at, term)
            }
            Token::And | Token::Or => Err(self.fault(at, "a word is missing before this")),
            Token::Close => Err(self.fault(at, "a word is missing before this )")),
        }
    }

    fn field(
        &mut self,
        at: usize,
        field: &str,
        value: &str,
        at_least: Option<u32>,
        value_at: usize,
    ) -> Result<Term, PredicateFault> {
        if at_least.is_some() && !matches!(field, "title" | "body") {
            return Err(self.fault(at, "only title and body can be counted (>=)"));
        }
        if value.trim().is_empty() {
            return Err(self.fault(value_at, format!("{field}: needs a value")));
        }
        let in_text = |field, phrase| Term::Words { field, phrases: vec![phrase], at_least: at_least.unwrap_or(1) };
        Ok(match field {
            "title" => in_text(TextField::Title, self.checked_phrase(value_at, value)?),
            "body" => in_text(TextField::Body, self.checked_phrase(value_at, value)?),
            "anchor" => {
                let phrase = self.checked_phrase(value_at, value)?;
                let bit = self.anchors;
                if bit as usize >= MOST_ANCHORS {
                    return Err(self.fault(at, format!("an expression has at most {MOST_ANCHORS} terms over anchors")));
                }
                self.anchors += 1;
                Term::Anchor { phrase, bit }
            }
            "url" if value.chars().all(char::is_alphanumeric) => in_text(TextField::Url, self.phrase(value)),
            "url" => Term::UrlPart(value.to_lowercase()),
            "host" => Term::Host(value.trim_start_matches('.').to_lowercase()),
            "lang" => {
                let known = language::code(value);
                let what = || format!("no language is called {value:?}; write it as de or deu");
                Term::Language(known.ok_or_else(|| self.fault(value_at, what()))?)
            }
            "category" => Term::Category(value.to_owned()),
            "like" => match (self.find)(value) {
                Ok(model) => Term::Like(model),
                Err(why) => return Err(self.fault(value_at, why)),
            },
            _ => return Err(self.fault(at, format!("no field is called {field:?}; there are {FIELDS}"))),
        })
    }

    fn regex(&self, at: usize, field: &str, value: &str, value_at: usize) -> Result<Term, PredicateFault> {
        let field = match field {
            "title" => RegexField::Title,
            "body" => RegexField::Body,
            "url" => RegexField::Url,
            "host" => RegexField::Host,
            _ => return Err(self.fault(at, "only title, body, url and host can be matched (~)")),
        };
        let built = RegexBuilder::new(value).size_limit(REGEX_BYTES).dfa_size_limit(REGEX_BYTES).build();
        let regex = built.map_err(|why| {
            // The last line of the message is its gist; those above draw the expression.
            let why = why.to_string();
            let gist = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            self.fault(value_at, format!("this is no regular expression: {gist}"))
        })?;
        Ok(Term::Matches { field, regex })
    }

    fn number(&self, at: usize, digits: &str) -> Result<u32, PredicateFault> {
        match digits.parse() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(self.fault(at, "after >= comes a number of 1 or more")),
        }
    }

    fn phrase(&self, text: &str) -> Phrase {
        Phrase { text: text.to_owned(), words: hashes(text, self.stemming).collect() }
    }

    fn checked_phrase(&self, at: usize, text: &str) -> Result<Phrase, PredicateFault> {
        let phrase = self.phrase(text);
        if phrase.words.is_empty() { Err(self.fault(at, "there is no letter or digit in it")) } else { Ok(phrase) }
    }

    fn term(&mut self, at: usize, term: Term) -> Parsed {
        if self.terms.len() >= MOST_TERMS {
            return Err(self.fault(at, format!("an expression has at most {MOST_TERMS} terms")));
        }
        self.terms.push(term);
        Ok(Expression::Term(self.terms.len() - 1))
    }

    fn enter(&mut self, at: usize) -> Result<(), PredicateFault> {
        self.nested += 1;
        if self.nested > MOST_NESTED {
            return Err(self.fault(at, format!("parentheses and not nest at most {MOST_NESTED} deep")));
        }
        Ok(())
    }

    fn take(&mut self, wanted: &Token<'_>) -> bool {
        let is_next = self.tokens.get(self.next).is_some_and(|(_, token)| token == wanted);
        self.next += usize::from(is_next);
        is_next
    }

    fn fault(&self, at: usize, what: impl Into<String>) -> PredicateFault {
        PredicateFault::new(self.text, at, what)
    }
}

fn joined(mut parts: Vec<Expression>, join: impl Fn(Vec<Expression>) -> Expression) -> Expression {
    if parts.len() == 1 { parts.remove(0) } else { join(parts) }
}
