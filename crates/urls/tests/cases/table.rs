//! How is a table of cases read?
//!
//! CSV as RFC 4180 has it, without line breaks inside a field: commas, and quotation marks around a field that holds
//! one (doubled inside). The first row names the columns.

/// The rows of a table, without its head; every row must have `N` fields.
pub(crate) fn rows<const N: usize>(csv: &str) -> Vec<[String; N]> {
    csv.lines()
        .skip(1)
        .filter(|line| !line.is_empty())
        .map(|line| {
            let fields = fields(line);
            fields.try_into().unwrap_or_else(|fields: Vec<String>| panic!("{} fields, not {N}: {line}", fields.len()))
        })
        .collect()
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                fields.last_mut().expect("never empty").push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().expect("never empty").push(c),
        }
    }
    fields
}
