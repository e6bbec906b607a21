//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that appears under its name once it is complete: until then, what was there before stays.
pub struct OutputFile {
    path: PathBuf,
    target: Target,
}

enum Target {
    /// A regular file, written beside its place and then moved there.
    Regular(NamedTempFile),
    /// A device or a pipe, which cannot be replaced.
    Special(File),
}

impl OutputFile {
    /// Makes sure that a file at `path` can be written.
    pub fn create(path: &Path) -> Result<Self, String> {
        let special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        let target = if path.is_dir() {
            Err(io::Error::from(io::ErrorKind::IsADirectory))
        } else if special {
            File::options().write(true).open(path).map(Target::Special)
        } else {
            temporary_beside(path).map(Target::Regular)
        };
        let target = target.map_err(|error| unwritable(path, &error))?;
        Ok(Self { path: path.to_owned(), target })
    }

    /// Puts the complete file in its place.
    pub fn keep(self) -> Result<(), String> {
        match self.target {
            Target::Special(_) => Ok(()),
            // Through a link, to the file it points to.
            Target::Regular(file) => file
                .persist(fs::canonicalize(&self.path).unwrap_or(self.path.clone()))
                .map(drop)
                .map_err(|error| unwritable(&self.path, &error.error)),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Regular(file) => file.write(bytes),
            Target::Special(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Regular(file) => file.flush(),
            Target::Special(file) => file.flush(),
        }
    }
}

/// A temporary file in the folder where `path` will be, with the permissions that a new file there would have.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let place = fs::canonicalize(path).unwrap_or(path.to_owned());
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

pub fn unwritable(path: &Path, error: &io::Error) -> String {
    format!("{}: cannot be written: {error}", path.display())
}

/// Refuses outputs that would overwrite the input or each other.
pub fn refuse_conflicts(input: &Path, outputs: [Option<&Path>; 2]) -> Result<(), String> {
    for output in outputs.into_iter().flatten() {
        if is_same_file(input, output) {
            return Err(format!("{}: expected another file to write to than the scenario itself", output.display()));
        }
    }
    match outputs {
        [Some(a), Some(b)] if is_same_file(a, b) => {
            Err(format!("{}: expected different files for different outputs", a.display()))
        }
        _ => Ok(()),
    }
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        // A device may well take several outputs.
        (Ok(a), Ok(b)) => a == b && a.is_file(),
        _ => std::path::absolute(a).is_ok_and(|a| std::path::absolute(b).is_ok_and(|b| a == b)),
    }
}
