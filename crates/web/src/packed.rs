//! Answers as gzip for browsers that take it: the page is many texts, and a third of their bytes is enough.

use std::io::Write;

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Whether who asks takes gzip. Without a word about it, or with a weight of 0, the answer is plain.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    let given = headers.get_all(ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    given.flat_map(|line| line.split(',')).any(|part| {
        let mut parts = part.split(';').map(str::trim);
        let refused =
            |rest: &str| rest.strip_prefix("q=").is_some_and(|q| q.trim().parse::<f32>().is_ok_and(|q| q <= 0.0));
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip")) && !parts.any(refused)
    })
}

/// `bytes` as gzip; none if that would not be shorter.
pub(crate) fn packed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish()).ok()?;
    (packed.len() < bytes.len()).then_some(packed)
}

/// An answer that is packed already.
pub(crate) fn answer(kind: &'static str, packed: impl IntoResponse) -> Response {
    ([(CONTENT_TYPE, kind), (CONTENT_ENCODING, "gzip"), (VARY, "accept-encoding")], packed).into_response()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for (given, takes) in [
            ("gzip, deflate, br, zstd", true),
            ("br, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("gzip; q=0.000", false),
            ("identity", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(given));
            assert_eq!(takes_gzip(&headers), takes, "{given}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn what_does_not_shrink_stays_as_it_is() {
        assert!(packed(b"ab").is_none());
        assert!(packed(&[7; 1000]).is_some_and(|packed| packed.len() < 100));
    }
}
