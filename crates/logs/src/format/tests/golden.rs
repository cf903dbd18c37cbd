//! Every fixture, field by field. The expected fields stand in `snapshots/`.

use super::{FIXTURES, render};

#[test]
fn ours_every_fixture_reads_as_its_golden_file_says() {
    let mut settings = insta::Settings::new();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for fixture in FIXTURES {
            let format = fixture.format();
            let head = format!("{}, host: {}, sequential: {}", format.name(), format.has_host(), format.sequential());
            let text = fixture.text.strip_suffix(b"\n").unwrap_or(fixture.text);
            insta::assert_snapshot!(fixture.name, format!("{head}\n{}", render(format, text)));
        }
    });
}

#[test]
fn ours_carriage_returns_change_nothing() {
    for fixture in FIXTURES {
        let text = String::from_utf8_lossy(fixture.text);
        let windows = text.replace('\n', "\r\n");
        let format = fixture.format();
        assert_eq!(render(format.clone(), text.as_bytes()), render(format, windows.as_bytes()), "{}", fixture.name);
    }
}
