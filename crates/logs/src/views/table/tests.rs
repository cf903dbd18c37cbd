//! Are the tables of known tools read, and other files left alone?

use std::io::Write as _;
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use arrow_array::{ArrayRef, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray};

use super::*;

/// Rows as texts, so that tables of cases can be compared.
fn rows(bytes: &[u8]) -> Option<Vec<String>> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let table = ViewsTable::recognize(file.path(), &InputCaps::default()).unwrap()?;
    Some(rows_of(&table))
}

fn rows_of(table: &ViewsTable) -> Vec<String> {
    let mut out = Vec::new();
    table
        .each(|line, row| {
            out.push(match row {
                Ok(row) => {
                    let when = match row.when {
                        When::Time(ms) => format!("@{}", ms / 1_000),
                        When::Bin(bin) => format!("#{bin}"),
                        When::Unknown => String::new(),
                    };
                    let users = row.users.map_or(String::new(), |users| format!(" by {users}"));
                    format!("{}{} {}{users}{when}", row.host.unwrap_or(""), row.page, row.views)
                }
                Err(fault) => format!("{line}: {}", fault.as_str()),
            });
        })
        .unwrap();
    out
}

#[test]
fn ours_exports_of_known_tools_are_read() {
    let ga4 = "# ----\n# Pages and screens\n# Start date: 20240101\n# End date: 20240131\n\n\
        Page path and screen class,Views,Total users\n/,\"1,200\",800\n/a?x=1,30,20\n,1230,810,Grand total\n(other),5,5\n";
    assert_eq!(rows(ga4.as_bytes()).unwrap(), ["/ 1200 by 800", "/a?x=1 30 by 20", "9: total", "10: others"]);
    let matomo: Vec<u8> = "\u{feff}label,nb_visits,nb_hits,nb_uniq_visitors\n/blog/,10,15,9\n/über,1,2,1\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(rows(&matomo).unwrap(), ["/blog/ 15 by 9", "/über 2 by 1"]);
    let plausible = "name,visitors,pageviews,bounce_rate,time_on_page\n/,5,9,40,12\n";
    assert_eq!(rows(plausible.as_bytes()).unwrap(), ["/ 9 by 5"]);
    let cloudflare = "date;clientRequestHTTPHost;clientRequestPath;count\n2024-01-31;www.x.org;/a;7\n";
    assert_eq!(rows(cloudflare.as_bytes()).unwrap(), ["www.x.org/a 7@1706659200"]);
    let plain = "url\tviews\tdate\nhttps://x.org/\t3\t20240131\n";
    assert_eq!(rows(plain.as_bytes()).unwrap(), ["https://x.org/ 3@1706659200"]);
}

#[test]
fn ours_wide_tables_have_a_row_a_bin_and_gaps_are_no_rows() {
    let dated = "Page,2024-01-30,2024-01-31\nx.org/a,1.0,2.0\nx.org/b,,4\n";
    assert_eq!(
        rows(dated.as_bytes()).unwrap(),
        ["x.org/a 1@1706572800", "x.org/a 2@1706659200", "x.org/b 4@1706659200"]
    );
    let numbered = "\"IDLink\",\"TS1\",\"TS2\",\"TS3\"\n7,-1,0,5\n8,1,-4,1\n9,1\n";
    assert_eq!(rows(numbered.as_bytes()).unwrap(), ["7 0#1", "7 5#2", "8 1#0", "3: negative", "8 1#2", "4: malformed"]);
}

#[test]
fn ours_logs_and_other_texts_are_no_tables_of_views() {
    for text in [
        "time,user,url,referrer\n2024-01-31,u,https://x.org/,\n",
        "127.0.0.1 - - [31/Jan/2024:00:00:00 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"x\"\n",
        "views\n3\n",
        "a,b,c\n1,2,3\n",
        "",
        "\n\n\n",
    ] {
        assert_eq!(rows(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn ours_bad_rows_cost_an_entry_each() {
    let text = "url,views\nhttps://x.org/a,-5\nhttps://x.org/b,NaN\nhttps://x.org/c,1e15\nhttps://x.org/d\n\
        \"https://x.org/e,7\nhttps://x.org/f,8\n";
    assert_eq!(
        rows(text.as_bytes()).unwrap(),
        ["2: negative", "3: not-a-number", "4: too-many", "5: malformed", "6: malformed"]
    );
}

#[test]
fn ours_parquet_has_the_same_rows_as_text() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let columns: [(&str, ArrayRef); 4] = [
        ("day", Arc::new(Date32Array::from(vec![Some(19_753), None]))),
        ("url", Arc::new(StringArray::from(vec!["https://x.org/", "/b"]))),
        ("views", Arc::new(Int64Array::from(vec![3, -4]))),
        ("users", Arc::new(Float64Array::from(vec![Some(2.0), None]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = ArrowWriter::try_new(file.reopen().unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let table = ViewsTable::recognize(file.path(), &InputCaps::default()).unwrap().unwrap();
    assert_eq!(table.in_words(), "page views (Parquet)");
    assert_eq!(rows_of(&table), ["https://x.org/ 3 by 2@1706659200", "2: negative"]);
}
