//! The door of a server: where it listens, and what a browser must know to be let in.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs};

use crate::ServeError;
use crate::guard::Guard;

/// Shortest token that is accepted, in bytes: what a machine must not guess.
pub const SHORTEST_TOKEN: usize = 16;

/// Listens on a port of `host`, or of this machine alone if there is none. A token is needed wherever other machines can
/// reach the server; `ways` are the ways to give one.
pub(crate) fn open(
    host: Option<&str>,
    port: u16,
    token: Option<&str>,
    ways: &str,
) -> Result<(TcpListener, Guard), ServeError> {
    let wanted = addresses(host, port)?;
    if let Some(token) = token {
        if token.is_empty() {
            let why = format!("the token is empty; use {SHORTEST_TOKEN} or more letters and digits, or none at all");
            return Err(ServeError::Options(why));
        }
        if token.len() < SHORTEST_TOKEN {
            let (has, needs) = (token.len(), SHORTEST_TOKEN);
            return Err(ServeError::Options(format!("a token of {has} bytes can be guessed; use {needs} or more")));
        }
        if !token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte)) {
            let why = "a token is made of letters, digits and - _ . ~, so that it fits into an address";
            return Err(ServeError::Options(why.to_string()));
        }
    } else if wanted.iter().any(|address| !address.ip().is_loopback()) {
        let host = host.unwrap_or_default();
        return Err(ServeError::Options(format!(
            "other machines can reach {host}: give a secret of {SHORTEST_TOKEN} or more letters and digits with {ways}"
        )));
    }
    let listener = TcpListener::bind(&wanted[..]).map_err(|error| {
        let place = wanted.first().map_or_else(String::new, ToString::to_string);
        let hint = match error.kind() {
            std::io::ErrorKind::AddrInUse => "; choose another port, or 0 for any that is free",
            _ => "",
        };
        ServeError::System(format!("cannot listen on {place}: {error}{hint}"))
    })?;
    let system = |error: std::io::Error| ServeError::System(error.to_string());
    listener.set_nonblocking(true).map_err(system)?;
    let address = listener.local_addr().map_err(system)?;
    Ok((listener, Guard::new(address, host, token.map(str::to_string))))
}

/// The addresses that are meant.
fn addresses(host: Option<&str>, port: u16) -> Result<Vec<SocketAddr>, ServeError> {
    let Some(host) = host else {
        return Ok(vec![SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)]);
    };
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let found = (bare, port).to_socket_addrs();
    match found.map(Iterator::collect::<Vec<_>>) {
        Ok(all) if !all.is_empty() => Ok(all),
        _ => Err(ServeError::Options(format!(
            "{} is not an address or name of this machine; 127.0.0.1 is only this machine, 0.0.0.0 is every network",
            plyproof_engine::quoted(host)
        ))),
    }
}
