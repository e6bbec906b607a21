//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

/// A file that appears under its name once it is complete: until then, what was there before stays.
pub struct OutputFile {
    path: PathBuf,
    target: Target,
}

enum Target {
    /// A regular file, written beside its place and then moved there.
    Regular { temporary: NamedTempFile, place: PathBuf },
    /// A device or a pipe, which cannot be replaced.
    Special(File),
    /// `/dev/stdout`, which may stand for a file that must not be replaced either.
    StandardOutput,
}

impl OutputFile {
    /// Makes sure that a file at `path` can be written.
    pub fn create(path: &Path) -> Result<Self, String> {
        let target = Target::open(path).map_err(|error| unwritable(path, &error))?;
        Ok(Self { path: path.to_owned(), target })
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the complete file in its place.
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

/// Where `path` leads, whether or not there is a file yet: through links, to a name in a folder that exists.
fn place_of(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(place) => Ok(place),
        Err(_) if fs::symlink_metadata(path).is_ok() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link that leads nowhere"))
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

/// A temporary file in `folder`, with the permissions that a new file there would have.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The message of the error itself names a file that nobody has heard of.
    let temporary = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    unfinished().push(temporary.path().to_owned());
    Ok(temporary)
}

/// Temporary files, to be removed if the process is told to stop. Those that have been kept are no longer there.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> impl std::ops::DerefMut<Target = Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// When told to stop (as with Ctrl-C), the process leaves no unfinished files behind.
pub fn clean_up_when_stopped() {
    // Where no handler can be set, stopping works as always, but for the cleaning up.
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

/// Refuses outputs that would overwrite the input or each other.
pub fn refuse_conflicts(input: &Path, outputs: [Option<&Path>; 4]) -> Result<(), String> {
    let outputs: Vec<&Path> = outputs.into_iter().flatten().collect();
    for (index, output) in outputs.iter().enumerate() {
        if is_same_file(input, output) {
            return Err(format!("{}: expected another file to write to than the scenario itself", output.display()));
        }
        if outputs[..index].iter().any(|earlier| is_same_file(earlier, output)) {
            return Err(format!("{}: expected different files for different outputs", output.display()));
        }
    }
    Ok(())
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (place_of(a), place_of(b)) {
        // A device may well take several outputs.
        (Ok(a), Ok(b)) => a == b && (a.is_file() || !a.exists()),
        _ => false,
    }
}
