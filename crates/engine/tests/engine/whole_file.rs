//! Files that are written completely or not at all.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use plyproof_engine::{WholeFile, writable};

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
    assert_eq!((fs::read_to_string(&path).expect("text"), names(&folder)), ("old".to_string(), vec!["a".to_string()]));
    let mut file = WholeFile::create(&path).expect("a file");
    file.write_all(b"new").expect("written");
    file.finish().expect("in place");
    assert_eq!((fs::read_to_string(&path).expect("text"), names(&folder)), ("new".to_string(), vec!["a".to_string()]));
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
