//! Tables of page views: any bytes, as a file.

use trodden_logs::input::InputCaps;
use trodden_logs::views::{ViewsRow, ViewsTable};

use super::scratch;

/// More rows than bytes come from no table.
pub(super) fn table(input: &[u8]) {
    let file = scratch(input);
    let Ok(Some(table)) = ViewsTable::recognize(file.path(), &InputCaps::default()) else { return };
    assert!(!table.in_words().is_empty());
    let mut rows = 0_usize;
    let _ = table.each(|line, row| {
        rows += 1;
        assert!(line > 0, "lines are counted from one");
        if let Ok(row) = row {
            assert!(!row.page.is_empty());
            assert!((0.0..=ViewsRow::MOST_VIEWS).contains(&row.views), "{}", row.views);
        }
    });
    assert!(rows <= 1 + input.len(), "{rows} rows of {} bytes", input.len());
}
