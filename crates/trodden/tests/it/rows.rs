//! The rows of a visits directory, read with the Parquet library alone.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, TimestampMillisecondType};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// One visit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    pub(crate) time_ms: i64,
    pub(crate) site: String,
    pub(crate) user: Option<i64>,
    pub(crate) target: String,
    pub(crate) referrer: Option<String>,
}

/// All files below a folder, hidden ones too, by name.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The Parquet files of a visits directory.
pub(crate) fn parquet_files(visits: &Path) -> Vec<PathBuf> {
    files_below(visits).into_iter().filter(|p| p.extension().is_some_and(|e| e == "parquet")).collect()
}

/// Names of the Parquet files, which say what is in them.
pub(crate) fn parquet_names(visits: &Path) -> Vec<String> {
    parquet_files(visits).iter().map(|p| p.strip_prefix(visits).unwrap().display().to_string()).collect()
}

/// All rows, in an order of their own.
pub(crate) fn rows(visits: &Path) -> Vec<Row> {
    let mut rows = Vec::new();
    for file in parquet_files(visits) {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(file).unwrap()).unwrap().build().unwrap();
        for batch in reader {
            let batch = batch.unwrap();
            let column = |name: &str| batch.column_by_name(name).unwrap().clone();
            let (time, site, user) = (column("time"), column("site"), column("user"));
            let (target, referrer) = (column("target"), column("referrer"));
            for i in 0..batch.num_rows() {
                let text = |array: &arrow_array::ArrayRef| array.as_string::<i32>().value(i).to_owned();
                rows.push(Row {
                    time_ms: time.as_primitive::<TimestampMillisecondType>().value(i),
                    site: text(&site),
                    user: (!user.is_null(i)).then(|| user.as_primitive::<Int64Type>().value(i)),
                    target: text(&target),
                    referrer: (!referrer.is_null(i)).then(|| text(&referrer)),
                });
            }
        }
    }
    rows.sort();
    rows
}
