//! Is a page well-formed, and what would a browser make of it?

use quick_xml::Reader;
use quick_xml::events::Event;

/// What a browser would show and run of a page that is well-formed: names of elements, and all text between them.
///
/// # Panics
/// If the page is not well-formed, or has a character reference that none of ours has.
#[must_use]
pub fn parsed(page: &str) -> (Vec<String>, String) {
    let mut reader = Reader::from_str(page);
    reader.config_mut().check_end_names = true;
    let (mut elements, mut text, mut open) = (Vec::new(), String::new(), 0_i32);
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error} at {}", reader.buffer_position())) {
            Event::Start(start) => {
                open += 1;
                start.attributes().for_each(|attribute| drop(attribute.expect("an attribute is well-formed")));
                elements.push(start.name().as_ref().to_owned());
            }
            Event::Empty(start) => {
                start.attributes().for_each(|attribute| drop(attribute.expect("an attribute is well-formed")));
                elements.push(start.name().as_ref().to_owned());
            }
            Event::End(_) => open -= 1,
            Event::Text(piece) => text.push_str(&piece),
            Event::GeneralRef(name) => text.push(match &*name {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "#39" => '\'',
                other => panic!("{other} is none of ours"),
            }),
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(open, 0, "every element is closed");
    (elements, text)
}
