//! Output files that are written completely or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

/// A file that appears under its name once it is complete. Until then, any previous file stays in place.
pub struct OutputFile {
    path: PathBuf,
    target: Target,
}

enum Target {
    /// A regular file, written to a temporary file in the same folder and then moved to its place.
    Regular { temporary: NamedTempFile, place: PathBuf },
    /// A device or a pipe, which cannot be replaced.
    Special(File),
    /// `/dev/stdout`, which may refer to a regular file that must not be replaced either.
    StandardOutput,
}

impl OutputFile {
    /// Prepares a file at `path`. Fails if it cannot be written.
    pub fn create(path: &Path) -> Result<Self, String> {
        let target = Target::open(path).map_err(|error| unwritable(path, &error))?;
        Ok(Self { path: path.to_owned(), target })
    }

    /// The path of the complete file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the complete file to its place.
    pub fn keep(self) -> Result<(), String> {
        match self.target {
            Target::Special(_) | Target::StandardOutput => Ok(()),
            Target::Regular { temporary, place } => {
                temporary.persist(place).map(drop).map_err(|error| unwritable(&self.path, &error.error))
            }
        }
    }
}

impl Target {
    fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new("/dev/stdout") {
            return Ok(Self::StandardOutput);
        }
        let place = place_of(path)?;
        match fs::metadata(&place) {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => File::options().write(true).open(place).map(Self::Special),
            existing => {
                let temporary = temporary_in(place.parent().unwrap_or(Path::new(".")))?;
                if let Ok(metadata) = existing {
                    fs::set_permissions(temporary.path(), metadata.permissions())?;
                }
                Ok(Self::Regular { temporary, place })
            }
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Regular { temporary, .. } => temporary.write(bytes),
            Target::Special(file) => file.write(bytes),
            Target::StandardOutput => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Regular { temporary, .. } => temporary.flush(),
            Target::Special(file) => file.flush(),
            Target::StandardOutput => io::stdout().flush(),
        }
    }
}

/// Resolves the links in `path`. The file itself need not exist, but its folder must.
fn place_of(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(place) => Ok(place),
        Err(_) if fs::symlink_metadata(path).is_ok() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a broken link"))
        }
        Err(_) => {
            let names_a_file = !path.as_os_str().as_encoded_bytes().ends_with(b"/");
            let (Some(name), true) = (path.file_name(), names_a_file) else {
                return Err(io::ErrorKind::IsADirectory.into());
            };
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Ok(fs::canonicalize(folder)?.join(name))
        }
    }
}

/// A temporary file in `folder` with the default permissions of a new file.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The error's own message would name the temporary file.
    let temporary = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    unfinished().push(temporary.path().to_owned());
    Ok(temporary)
}

/// The paths of temporary files, to be removed if the process is interrupted. Some may have been moved already.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> impl std::ops::DerefMut<Target = Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes unfinished files if the process is interrupted, for instance by Ctrl-C.
pub fn clean_up_when_stopped() {
    // Without a handler the process still stops, but leaves temporary files behind.
    let _ = ctrlc::set_handler(|| {
        for path in unfinished().drain(..) {
            let _ = fs::remove_file(path);
        }
        std::process::exit(130);
    });
}

pub fn unwritable(path: &Path, error: &io::Error) -> String {
    format!("{}: cannot be written: {error}", path.display())
}

/// Rejects outputs that would overwrite the input or each other.
pub fn refuse_conflicts(input: &Path, outputs: [Option<&Path>; 4]) -> Result<(), String> {
    let outputs: Vec<&Path> = outputs.into_iter().flatten().collect();
    for (index, output) in outputs.iter().enumerate() {
        if is_same_file(input, output) {
            return Err(format!("{}: expected an output file other than the scenario itself", output.display()));
        }
        if outputs[..index].iter().any(|earlier| is_same_file(earlier, output)) {
            return Err(format!("{}: expected different files for different outputs", output.display()));
        }
    }
    Ok(())
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (place_of(a), place_of(b)) {
        // Several outputs may go to the same device.
        (Ok(a), Ok(b)) => a == b && (a.is_file() || !a.exists()),
        _ => false,
    }
}
