//! Visits that somebody else holds in memory, as Arrow batches.

use std::sync::Arc;

use arrow_array::{ArrayRef, LargeStringArray, RecordBatch, StringArray, StringViewArray, UInt64Array};
use arrow_schema::{Field, Schema};
use trodden_urls::SiteGrouping;

use super::files::{Files, batch_of};
use super::simple::many;
use super::{fill, fill_from, settings};
use crate::error::Error;
use crate::visits::VisitBatches;

#[test]
fn ours_batches_fill_the_tables_that_files_of_the_same_rows_fill() {
    let (rows, files) = (many(), Files::new());
    files.write("a.parquet", &rows);
    for last_days in [None, Some(20)] {
        let settings = super::TableSettings { last_days, ..settings() };
        let (of_files, filled) = fill(&files, &settings);
        for pieces in [1, 700, rows.len()] {
            let batches: Vec<RecordBatch> = rows.chunks(rows.len() / pieces).map(|rows| batch_of(true, rows)).collect();
            let batches = VisitBatches::new(&batches, SiteGrouping::Host).unwrap();
            for (memory, threads) in [(1 << 30, 2), (1, 3)] {
                let (got, all) =
                    fill_from(batches.clone(), &super::TableSettings { memory, threads, ..settings.clone() });
                assert!(got == of_files, "{pieces} pieces, {memory} bytes, {threads} threads");
                assert_eq!(all, filled);
            }
        }
    }
}

/// The batch with another column of that name.
fn with(batch: &RecordBatch, name: &str, column: ArrayRef) -> RecordBatch {
    let at = batch.schema().index_of(name).unwrap();
    let (mut fields, mut columns) = (batch.schema().fields().to_vec(), batch.columns().to_vec());
    fields[at] = Arc::new(Field::new(name, column.data_type().clone(), true));
    columns[at] = column;
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap()
}

#[test]
fn ours_texts_and_users_count_alike_in_whatever_columns_programs_have_them() {
    let rows = many();
    let plain = batch_of(true, &rows);
    let tables =
        |batch: RecordBatch| fill_from(VisitBatches::new(&[batch], SiteGrouping::Host).unwrap(), &settings()).0;
    let expected = tables(plain.clone());
    let targets: Vec<Option<&str>> = rows.iter().map(|row| row.target.as_deref()).collect();
    let users: Vec<Option<u64>> = rows.iter().map(|row| row.user.map(i64::cast_unsigned)).collect();
    for (name, column) in [
        ("target", Arc::new(LargeStringArray::from(targets.clone())) as ArrayRef),
        ("target", Arc::new(StringViewArray::from(targets.clone()))),
        ("target", Arc::new(StringArray::from(targets))),
        ("user", Arc::new(UInt64Array::from(users))),
    ] {
        let kind = column.data_type().clone();
        assert!(tables(with(&plain, name, column)) == expected, "{name} as {kind}");
    }
}

#[test]
fn ours_batches_that_are_no_visits_say_what_they_lack() {
    let batch = batch_of(true, &many()[..3]);
    let without = batch.project(&[0, 1, 2, 4]).unwrap();
    let refused = |batch: RecordBatch| {
        let error = VisitBatches::new(&[batch], SiteGrouping::Host).unwrap_err();
        assert!(matches!(error, Error::NotVisits { .. }));
        error.to_string()
    };
    assert!(refused(without).contains("no column \"target\""));
    let numbers: ArrayRef = Arc::new(UInt64Array::from(vec![1, 2, 3]));
    assert!(refused(with(&batch, "target", numbers)).contains("not text"));
}
