//! Do the three forms hold the same values, and can none of them do harm?

use std::fs;

use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, TimestampMillisecondType, UInt64Type};

use super::*;

const COLUMNS: &[TableColumn] = &[
    TableColumn { name: "url", kind: ColumnKind::Text },
    TableColumn { name: "bytes", kind: ColumnKind::Count },
    TableColumn { name: "expected", kind: ColumnKind::Real },
    TableColumn { name: "time", kind: ColumnKind::Time },
];

fn write(name: &str, rows: &[[TableCell<'_>; 4]]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let mut table = TableFile::create(&path, COLUMNS, FileReaders::Owner).unwrap();
    rows.iter().for_each(|row| table.row(row).unwrap());
    assert!(!path.exists(), "nothing is there before all of it is");
    assert_eq!(table.finish().unwrap(), rows.len() as u64);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    fs::read(&path).unwrap()
}

fn moment(ms: u64, text: &str) -> TableTime {
    TableTime { ms, text: text.to_owned() }
}

fn moments() -> [TableTime; 2] {
    [moment(1_760_000_000_123, "2025-10-09T08:53:20.123Z"), moment(0, "1970-01-01T00:00:00.000Z")]
}

fn rows([first, second]: &[TableTime; 2]) -> [[TableCell<'_>; 4]; 3] {
    use TableCell::{Count, Empty, Real, Text, Time};
    [
        [Text("http://a.example/x,\"y\""), Count(7), Real(0.25), Time(first)],
        [Text("=HYPERLINK(\"http://evil\")"), Empty, Real(f64::NAN), Empty],
        [Text("a\u{1b}[31m\r\n\u{9b}b"), Count(u64::MAX), Empty, Time(second)],
    ]
}

#[test]
fn ours_csv_is_quoted_calculates_nothing_and_rules_no_terminal() {
    let text = String::from_utf8(write("t.csv", &rows(&moments()))).unwrap();
    assert_eq!(
        text,
        "url,bytes,expected,time\n\
         \"http://a.example/x,\"\"y\"\"\",7,0.25,2025-10-09T08:53:20.123Z\n\
         \"'=HYPERLINK(\"\"http://evil\"\")\",,,\n\
         a?[31m???b,18446744073709551615,,1970-01-01T00:00:00.000Z\n"
    );
    for text in ["+1", "-1", "@x"] {
        let row = [TableCell::Text(text), TableCell::Empty, TableCell::Empty, TableCell::Empty];
        let text = format!("url,bytes,expected,time\n'{text},,,\n");
        assert_eq!(write("t.csv", &[row]), text.as_bytes());
    }
}

#[test]
fn ours_a_line_of_json_has_every_column() {
    let text = String::from_utf8(write("t.jsonl", &rows(&moments()))).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        r#"{"url":"http://a.example/x,\"y\"","bytes":7,"expected":0.25,"time":"2025-10-09T08:53:20.123Z"}"#
    );
    assert_eq!(lines[1], r#"{"url":"=HYPERLINK(\"http://evil\")","bytes":null,"expected":null,"time":null}"#);
    assert_eq!(lines.len(), 3);
}

#[test]
fn ours_parquet_has_the_same_values_with_their_types() {
    let bytes = bytes::Bytes::from(write("t.parquet", &rows(&moments())));
    let batches: Vec<RecordBatch> =
        ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap().build().unwrap().map(Result::unwrap).collect();
    let [batch] = &batches[..] else { panic!("one batch") };
    let urls: Vec<_> = batch.column(0).as_string::<i32>().iter().flatten().collect();
    assert_eq!(urls, ["http://a.example/x,\"y\"", "=HYPERLINK(\"http://evil\")", "a?[31m???b"]);
    let counts: Vec<_> = batch.column(1).as_primitive::<UInt64Type>().iter().collect();
    assert_eq!(counts, [Some(7), None, Some(u64::MAX)]);
    let reals: Vec<_> = batch.column(2).as_primitive::<Float64Type>().iter().collect();
    assert_eq!(reals, [Some(0.25), None, None]);
    let times: Vec<_> = batch.column(3).as_primitive::<TimestampMillisecondType>().iter().collect();
    assert_eq!(times, [Some(1_760_000_000_123), None, Some(0)]);
}

#[test]
fn ours_a_table_that_is_never_finished_leaves_nothing_and_an_unknown_ending_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["t.csv", "t.jsonl", "t.parquet"] {
        let mut table = TableFile::create(&folder.path().join(name), COLUMNS, FileReaders::Everybody).unwrap();
        table.row(&rows(&moments())[0]).unwrap();
    }
    let why = TableFile::create(&folder.path().join("t.xlsx"), COLUMNS, FileReaders::Everybody).err().unwrap();
    assert!(why.to_string().contains(".parquet"), "{why}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
