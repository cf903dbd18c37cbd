//! How often was which page viewed, and when? Tables that count, as analytics tools export them.
//!
//! A log has a line a request; many teams have no log, only an export of their analytics tool: URL, views, perhaps users,
//! perhaps a date. Such a table is read here, in either of two forms:
//!
//! - **long**: a row a page (and date), with columns that are found by their names ([`ViewsColumn`]): those of GA4, Matomo,
//!   Plausible, Cloudflare, and plain ones;
//! - **wide**: a row a page and a column a bin of time, named by its date or numbered.
//!
//! The life of a row: `text` makes UTF-8 of the file, `record` cuts it into records and cells (`parquet` has both already),
//! [`ViewsTable`] finds the header and makes a [`ViewsRow`] of each record, or a [`RowFault`] that is counted. [`export()`]
//! adds rows up and writes them as visits that count; `trodden temporal` makes series of them.
//!
//! Invariants: no bytes make a reader panic; a bad row costs an entry of the ledger, never the run; the result does not
//! depend on the order of rows.

mod column;
mod export;
mod parquet;
mod record;
mod row;
mod series;
mod table;
mod text;
mod value;
mod without_views;

pub use column::ViewsColumn;
pub use export::{Export, ExportReport, Scaled, export};
pub use row::{RowFault, ViewsRow, When};
pub use series::{PageViews, SeriesSettings, SeriesTable};
pub use table::{ViewsForm, ViewsTable};
pub use without_views::WithoutViews;
