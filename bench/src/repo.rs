//! Where are we? The root of the workspace, its target folder, its data, and the program under test.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The root of the workspace. This program is always built from it, one level down.
pub(crate) fn root() -> Result<PathBuf> {
    let here =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let root = here.parent().context("this program was built in no folder of the workspace")?;
    Ok(root.to_path_buf())
}

/// Cargo's target folder, wherever the configuration puts it.
pub(crate) fn target_dir() -> Result<PathBuf> {
    let output = Command::new("cargo")
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root()?)
        .output()
        .context("could not start cargo; is it on the PATH?")?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr).trim()))?;
    let target = metadata["target_directory"].as_str().context("cargo metadata names no target folder")?;
    Ok(PathBuf::from(target))
}

/// Where real data is kept: `$TRODDEN_DATA`, else `../shared/data` beside the root. It may be missing.
pub(crate) fn data_folder() -> Result<PathBuf> {
    match std::env::var_os("TRODDEN_DATA") {
        Some(data) => Ok(PathBuf::from(data)),
        None => Ok(root()?.join("../shared/data")),
    }
}

/// Real data, if it is there.
pub(crate) fn real_data(name: &str) -> Result<Option<PathBuf>> {
    Ok(Some(data_folder()?.join(name)).filter(|path| path.exists()))
}

/// The folder of real logs, if there is one.
pub(crate) fn real_logs() -> Result<Option<PathBuf>> {
    Ok(real_data("logs")?.filter(|folder| folder.is_dir()))
}

/// Builds `trodden` in the dist profile and returns the path of the program.
pub(crate) fn build_trodden() -> Result<PathBuf> {
    build_trodden_in("dist")
}

/// Builds `trodden` in a profile and returns the path of the program.
pub(crate) fn build_trodden_in(profile: &str) -> Result<PathBuf> {
    eprintln!("building trodden ({profile})");
    let status = Command::new("cargo")
        .args(["build", "--profile", profile, "--locked", "--package", "trodden", "--bin", "trodden"])
        .current_dir(root()?)
        .status()
        .context("could not start cargo; is it on the PATH?")?;
    if !status.success() {
        bail!("trodden does not build; mend that first");
    }
    let program = target_dir()?.join(profile).join("trodden");
    if !program.is_file() {
        bail!("cargo built no program at {}", program.display());
    }
    Ok(program)
}

/// Is `program` on the `PATH`?
pub(crate) fn on_path(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|paths| std::env::split_paths(&paths).any(|folder| folder.join(program).is_file()))
}
