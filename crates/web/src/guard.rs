//! Who is let in: requests for this very server, from its own page, with the token where one is set.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Nothing but the server's own files: no inline script or style, no frames, no other place to send anything to.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const COOKIE_NAME: &str = "plyproof_token";

/// The names this server answers to, and the secret to know.
pub(crate) struct Guard {
    address: SocketAddr,
    /// The name it was given on the command line, in lower case, without brackets.
    host: Option<String>,
    token: Option<String>,
}

impl Guard {
    pub(crate) fn new(address: SocketAddr, host: Option<&str>, token: Option<String>) -> Self {
        let host = host.map(|host| host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase());
        Self { address, host, token }
    }

    /// Where the server listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to type into a browser on this machine.
    pub(crate) fn url(&self) -> String {
        let ip = self.address.ip();
        let name = match &self.host {
            Some(host) if !ip.is_unspecified() && host.contains(':') => format!("[{host}]"),
            Some(host) if !ip.is_unspecified() => host.clone(),
            _ => "127.0.0.1".to_string(),
        };
        let secret = self.token.as_ref().map_or_else(String::new, |token| format!("?token={token}"));
        format!("http://{name}:{}/{secret}", self.address.port())
    }

    /// Whether `authority`, as in `localhost:8080`, is this server. Another name means another page's trick.
    fn is_us(&self, authority: &str) -> bool {
        let authority = authority.to_ascii_lowercase();
        let (name, port) = match authority.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().unwrap_or(0)),
            _ => (authority.as_str(), 80),
        };
        let name = name.trim_start_matches('[').trim_end_matches(']');
        if port != self.address.port() {
            return false;
        }
        let ip: Option<IpAddr> = name.parse().ok();
        name == "localhost"
            || self.host.as_deref() == Some(name)
            || ip.is_some_and(|ip| ip.is_loopback() || ip == self.address.ip() || self.address.ip().is_unspecified())
    }

    /// Why a request is refused, if it is.
    fn refusal(&self, method: &Method, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        if ![Method::GET, Method::HEAD, Method::POST].contains(method) {
            return Some((StatusCode::METHOD_NOT_ALLOWED, "only GET and POST are understood here"));
        }
        if method == Method::POST && text(ORIGIN).is_none() {
            return Some((StatusCode::FORBIDDEN, "who posts must say from where (Origin)"));
        }
        if !text(HOST).is_some_and(|host| self.is_us(host)) {
            return Some((
                StatusCode::FORBIDDEN,
                "this server does not go by that name (Host); use the address it printed",
            ));
        }
        let origin_is_us = |origin: &str| origin.strip_prefix("http://").is_some_and(|host| self.is_us(host));
        if text(ORIGIN).is_some_and(|origin| !origin_is_us(origin)) {
            return Some((StatusCode::FORBIDDEN, "requests from other pages (Origin) are refused"));
        }
        let fetch = |name| text(HeaderName::from_static(name));
        if fetch("sec-fetch-site") == Some("cross-site") && fetch("sec-fetch-mode") != Some("navigate") {
            return Some((StatusCode::FORBIDDEN, "requests from other pages are refused"));
        }
        None
    }

    fn knows_token(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        // As programs give it that keep no cookies.
        let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        if bearer.is_some_and(|given| same(given, token)) {
            return true;
        }
        let cookies = headers.get_all(COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| name == COOKIE_NAME && same(value, token))
    }

    /// The answer to `/?token=T` with the right T: a cookie, and the page without the secret in its address.
    fn welcome(&self, request: &Request) -> Option<Response> {
        let token = self.token.as_ref()?;
        let query = request.uri().query()?;
        let given = query.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        if request.uri().path() != "/" || !same(given, token) {
            return None;
        }
        let cookie = format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict");
        Some((StatusCode::SEE_OTHER, [(SET_COOKIE, cookie), (LOCATION, "/".to_string())]).into_response())
    }
}

/// Whether two secrets are equal, in a time that does not tell where they differ.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

/// Refuses what is not ours to answer, and marks every answer with what a browser may do with it.
pub(crate) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.refusal(request.method(), request.headers()) {
        Some((status, why)) => (status, format!("{why}\n")).into_response(),
        None => match guard.welcome(&request) {
            Some(welcome) => welcome,
            None if guard.knows_token(request.headers()) => next.run(request).await,
            None => {
                let why = "this server asks for its token: open the address it printed, with ?token= at the end\n";
                (StatusCode::UNAUTHORIZED, why).into_response()
            }
        },
    };
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str, host: Option<&str>, token: Option<&str>) -> Guard {
        Guard::new(address.parse().expect("an address"), host, token.map(str::to_string))
    }

    fn answer(guard: &Guard, pairs: &[(&'static str, &str)]) -> Option<u16> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_str(value).expect("a header"));
        }
        guard.refusal(&Method::GET, &headers).map(|(status, _)| status.as_u16())
    }

    #[test]
    fn only_its_own_names_and_pages_reach_a_loopback_server() {
        let local = guard("127.0.0.1:8712", None, None);
        for host in ["localhost:8712", "127.0.0.1:8712", "[::1]:8712", "LOCALHOST:8712"] {
            assert_eq!(answer(&local, &[("host", host)]), None, "{host}");
            let origin = format!("http://{host}");
            assert_eq!(answer(&local, &[("host", host), ("origin", &origin)]), None, "{host}");
        }
        for host in
            ["evil.example:8712", "localhost", "localhost:80", "127.0.0.1.evil.example:8712", "192.168.1.2:8712", ""]
        {
            assert_eq!(answer(&local, &[("host", host)]), Some(403), "{host}");
        }
        for origin in
            ["http://evil.example", "https://localhost:8712", "null", "http://localhost:9000", "http://localhost"]
        {
            assert_eq!(answer(&local, &[("host", "localhost:8712"), ("origin", origin)]), Some(403), "{origin}");
        }
        assert_eq!(answer(&local, &[]), Some(403));
        let image = [("host", "localhost:8712"), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")];
        assert_eq!(answer(&local, &image), Some(403));
        let link = [("host", "localhost:8712"), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
        assert_eq!(answer(&local, &link), None);
    }

    #[test]
    fn a_server_for_others_goes_by_its_addresses_and_its_name() {
        let open = guard("0.0.0.0:80", Some("0.0.0.0"), Some("0123456789abcdef"));
        assert_eq!(answer(&open, &[("host", "10.1.2.3")]), None);
        assert_eq!(answer(&open, &[("host", "rebound.example")]), Some(403));
        let named = guard("10.1.2.3:9000", Some("Box.Local"), Some("0123456789abcdef"));
        assert_eq!(answer(&named, &[("host", "box.local:9000")]), None);
        assert_eq!(named.url(), "http://box.local:9000/?token=0123456789abcdef");
        assert_eq!(open.url(), "http://127.0.0.1:80/?token=0123456789abcdef");
    }

    #[test]
    fn a_token_is_known_from_its_cookie_or_as_a_bearer() {
        let guard = guard("127.0.0.1:9", None, Some("0123456789abcdef"));
        let knows = |cookie: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(COOKIE, HeaderValue::from_str(cookie).expect("a header"));
            guard.knows_token(&headers)
        };
        assert!(knows("a=b; plyproof_token=0123456789abcdef"));
        assert!(!knows("plyproof_token=0123456789abcdeF") && !knows("plyproof_token=") && !knows("x"));
        assert!(!guard.knows_token(&HeaderMap::new()));
        let bears = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, HeaderValue::from_str(value).expect("a header"));
            guard.knows_token(&headers)
        };
        assert!(bears("Bearer 0123456789abcdef"));
        assert!(!bears("Bearer 0123456789abcdeF") && !bears("0123456789abcdef") && !bears("Bearer "));
    }
}
