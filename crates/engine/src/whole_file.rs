//! Files that are there in full or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is written beside its place and takes it when it is complete. Dropped before, it leaves nothing behind.
pub struct WholeFile {
    file: File,
    part: PathBuf,
    path: PathBuf,
}

impl WholeFile {
    /// Begins the file that `path` leads to.
    pub fn create(path: &Path) -> io::Result<Self> {
        let path = place(path)?;
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        Ok(Self { file: File::create(&part)?, part, path })
    }

    /// Puts it in its place.
    pub fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.part, &self.path)
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        // After `finish` there is nothing of that name.
        let _ = fs::remove_file(&self.part);
    }
}

/// Whether a certificate or a table could be written to `path`: to be found out before the work that fills it.
pub fn writable(path: &Path) -> io::Result<()> {
    WholeFile::create(path).map(drop)
}

/// The place that `path` leads to, links followed. What is there and is no regular file must not be replaced by one.
fn place(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(there) if fs::metadata(&there)?.is_file() => Ok(there),
        Ok(there) if there.is_dir() => Err(io::Error::other("it is a folder; give the name of a file")),
        Ok(_) => Err(io::Error::other("it is not a regular file; give the name of a regular file or of a new file")),
        // A link that leads nowhere: the file is made where it points to.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(match fs::read_link(path) {
            Ok(to) => path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => path.to_path_buf(),
        }),
        Err(error) => Err(error),
    }
}
