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

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("plyproof-whole-file-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_there_in_full_or_not_at_all() {
        let folder = folder("full");
        let path = folder.join("a");
        fs::write(&path, "old").expect("written");
        let mut file = WholeFile::create(&path).expect("a file");
        file.write_all(b"new").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("text"), "old");
        drop(file);
        assert_eq!(
            (fs::read_to_string(&path).expect("text"), names(&folder)),
            ("old".to_string(), vec!["a".to_string()])
        );
        let mut file = WholeFile::create(&path).expect("a file");
        file.write_all(b"new").expect("written");
        file.finish().expect("in place");
        assert_eq!(
            (fs::read_to_string(&path).expect("text"), names(&folder)),
            ("new".to_string(), vec!["a".to_string()])
        );
        assert!(writable(&folder.join("b")).is_ok() && writable(&folder.join("none").join("b")).is_err());
        assert_eq!(names(&folder), ["a"]);
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_what_is_no_file_is_left_alone() {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;
        let folder = folder("links");
        fs::write(folder.join("real"), "old").expect("written");
        for (link, to) in [("link", "real"), ("nowhere", "made")] {
            symlink(to, folder.join(link)).expect("a link");
            let mut file = WholeFile::create(&folder.join(link)).expect("a file");
            file.write_all(b"new").expect("written");
            file.finish().expect("in place");
            assert!(folder.join(link).is_symlink());
            assert_eq!(fs::read_to_string(folder.join(to)).expect("text"), "new");
        }
        let _socket = UnixListener::bind(folder.join("socket")).expect("a socket");
        let told = |name: &str| writable(&folder.join(name)).expect_err("no file").to_string();
        assert!(told("socket").contains("not a regular file") && told(".").contains("folder"));
        assert_eq!(names(&folder), ["link", "made", "nowhere", "real", "socket"]);
        fs::remove_dir_all(&folder).expect("removed");
    }
}
