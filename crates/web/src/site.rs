//! The workbench as a folder of files for any web server: the page, what there is to choose from, and the engine as a
//! WebAssembly module in place of a server.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use plyproof_engine::Registry;

use crate::assets::FILES;
use crate::engines::Engines;
use crate::http::catalogue;
use crate::limits::Limits;

/// What a browser may do with the page: nothing but load and run the files beside it.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

/// Why the folder could not be written.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteError(String);

impl fmt::Display for SiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SiteError {}

/// Writes the static site into `folder`, with `module`, the bytes of the WebAssembly module. Returns how many files and
/// bytes these are. Files of the same names are replaced; others are left alone.
pub fn write_site(registry: &Registry, module: &[u8], folder: &Path) -> Result<(usize, u64), SiteError> {
    let module = stripped(module)
        .ok_or_else(|| SiteError("the engine is not a WebAssembly module, or not all of one".to_string()))?;
    let (_, index) =
        FILES.iter().find(|(name, _)| *name == "index.html").ok_or_else(|| SiteError("no page".to_string()))?;
    let index = String::from_utf8_lossy(index);
    // The page asks this mark where its answers come from. A policy in the page serves where nobody can set headers.
    let head = format!("<head>\n  <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    let index =
        index.replacen("<head>", &head, 1).replacen("<html lang=\"en\">", "<html lang=\"en\" data-engine=\"wasm\">", 1);
    let listed = catalogue(registry, &Engines::new(), false, &Limits::default());
    let listed = serde_json::to_vec(&listed).map_err(|error| SiteError(error.to_string()))?;
    let mut files: Vec<(&str, &[u8])> = FILES.iter().copied().filter(|(name, _)| *name != "index.html").collect();
    files.extend([("index.html", index.as_bytes()), ("catalogue.json", &listed), ("plyproof.wasm", &module)]);
    for (name, bytes) in &files {
        let path: PathBuf = folder.join(name);
        let failed = |error: std::io::Error| SiteError(format!("{}: {error}", path.display()));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::write(&path, bytes).map_err(failed)?;
    }
    Ok((files.len(), files.iter().map(|(_, bytes)| bytes.len() as u64).sum()))
}

/// A WebAssembly module without its custom sections, which hold names and line numbers for debuggers; none if it is no
/// module. A section is its kind, one byte, its length as LEB128, and so many bytes.
fn stripped(module: &[u8]) -> Option<Vec<u8>> {
    const CUSTOM: u8 = 0;
    let (head, mut rest) = module.split_at_checked(8)?;
    if !head.starts_with(b"\0asm") {
        return None;
    }
    let mut kept = head.to_vec();
    while let Some((&kind, after)) = rest.split_first() {
        let digits = after.iter().position(|byte| byte & 0x80 == 0)? + 1;
        if digits > 5 {
            return None;
        }
        let length = after[..digits].iter().rev().fold(0u64, |sum, byte| sum << 7 | u64::from(byte & 0x7f));
        let whole = usize::try_from(length).ok()?.checked_add(1 + digits)?;
        let (section, next) = rest.split_at_checked(whole)?;
        if kind != CUSTOM {
            kept.extend_from_slice(section);
        }
        rest = next;
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_the_page_the_catalogue_and_the_module_and_a_strict_policy() {
        let folder = std::env::temp_dir().join(format!("plyproof-site-{}", std::process::id()));
        let registry = Registry::builtin();
        let (files, bytes) =
            write_site(&registry, b"\0asm\x01\0\0\0\0\x02\x01n\x01\x01\0", &folder).expect("a writable folder");
        assert_eq!(files, FILES.len() + 2);
        assert!(bytes > 100_000);
        let index = fs::read_to_string(folder.join("index.html")).expect("a page");
        assert!(index.contains("data-engine=\"wasm\"") && index.contains("default-src 'none'"));
        let listed = fs::read_to_string(folder.join("catalogue.json")).expect("a list");
        assert!(listed.contains("\"levels\"") && listed.contains("Lines of Action"));
        assert_eq!(
            fs::read(folder.join("plyproof.wasm")).expect("a module"),
            b"\0asm\x01\0\0\0\x01\x01\0",
            "without names"
        );
        for bad in [&b"ELF"[..], b"\0asm\x01\0\0\0\x01\x05\0", b"\0asm\x01\0\0\0\x01\xff\xff\xff\xff\xff\x01"] {
            assert!(write_site(&registry, bad, &folder).is_err());
        }
        fs::remove_dir_all(folder).expect("a folder of ours");
    }
}
