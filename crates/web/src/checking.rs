//! Certificates that are posted to be checked. Memory is lent for one before any of it is read, so that a flood of them
//! takes no more than the budget.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::StatusCode;
use axum::http::header::EXPECT;
use axum::response::Response;
use plyproof_engine::certificate::{self, Limits as CheckLimits};
use plyproof_tab::registry_with;
use serde::{Deserialize, Serialize};
use tokio::time::{self, timeout, timeout_at};

use crate::Shared;
use crate::http::{json, refuse};
use crate::lease::Lease;
use crate::limits::Limits;
use crate::solving::LARGEST;

/// Bytes of rules before a certificate at most.
const MOST_RULES: usize = plyproof_engine::rules::LONGEST as usize;

/// What is lent to a certificate that does not say how large it is, to begin with.
const FIRST: u64 = 1 << 20;

/// What came of checking a certificate.
#[derive(Serialize)]
struct Checked {
    /// What is proven, in words; none if the certificate does not hold.
    claim: Option<String>,
    entries: u64,
    seconds: f64,
    error: Option<String>,
}

/// Why a certificate is not checked.
type Refusal = (StatusCode, String);

/// Checks a certificate that is posted, plain or gzipped.
pub(crate) async fn verify(
    State(shared): State<Arc<Shared>>,
    rules: Result<Query<RulesBefore>, QueryRejection>,
    request: Request,
) -> Response {
    let (head, mut body) = request.into_parts();
    let Ok(Query(rules)) = rules else {
        return refuse(StatusCode::BAD_REQUEST, "expected ?game=NAME&rules=BYTES, or neither");
    };
    match receive_and_check(&shared, &rules, &mut body).await {
        Ok(checked) => json(&checked),
        Err((status, why)) => {
            // Browsers do not listen before they have sent everything. Who asks first, or is too slow, need not.
            if !head.headers.contains_key(EXPECT) && status != StatusCode::REQUEST_TIMEOUT {
                let _ = timeout(shared.limits.body, discard(&mut body)).await;
            }
            refuse(status, &why)
        }
    }
}

/// The rules of the game that a certificate is about, if the page has sent them: their text is the beginning of the body.
#[derive(Deserialize)]
pub(crate) struct RulesBefore {
    /// The game that they are the rules of.
    #[serde(default)]
    game: String,
    /// Bytes of the text.
    #[serde(default)]
    rules: usize,
}

async fn receive_and_check(shared: &Shared, rules: &RulesBefore, body: &mut Body) -> Result<Checked, Refusal> {
    let before = rules.rules;
    let length = body.size_hint().exact();
    if before > MOST_RULES {
        return Err((StatusCode::PAYLOAD_TOO_LARGE, format!("rules of {before} bytes: expected at most {MOST_RULES}")));
    }
    if length.is_some_and(|length| length > LARGEST as u64) {
        return Err(too_large());
    }
    let busy = |why: String| (StatusCode::SERVICE_UNAVAILABLE, why);
    let Ok(Ok(turn)) = timeout(shared.limits.wait, Arc::clone(&shared.checks).acquire_owned()).await else {
        let most = shared.limits.checks;
        return Err(busy(format!("{most} certificates are being checked already; try again when they are done")));
    };
    let lease = shared.pool.lend().map_err(busy)?;
    let mut room = shared.pool.lend_bytes(length.unwrap_or(FIRST)).map_err(busy)?;
    let mut bytes = Bytes::from(receive(body, &mut room, &shared.limits).await?);
    let text = bytes.split_to(before.min(bytes.len()));
    // Raised when whoever asked is gone, or the time is up.
    let stop = Arc::new(AtomicBool::new(false));
    let _ends = Raise(Arc::clone(&stop));
    let registry = shared.registry.clone();
    let game = rules.game.clone();
    let work = move || {
        let began = Instant::now();
        let text = (!text.is_empty()).then(|| String::from_utf8_lossy(&text).into_owned());
        let registry = match registry_with(&registry, &game, text.as_deref()) {
            Ok(registry) => registry,
            Err(error) => return Checked { claim: None, entries: 0, seconds: 0.0, error: Some(error) },
        };
        let limits = CheckLimits { memory: lease.bytes(), stop: &stop, progress: &mut |_| {} };
        let checked = certificate::verify_bytes(&registry, &bytes, limits);
        let seconds = began.elapsed().as_secs_f64();
        // The next one has its turn when nothing is left of this one.
        drop(bytes);
        drop((lease, room, turn));
        match checked {
            Ok(checked) => {
                Checked { claim: Some(checked.header.claim()), entries: checked.verified.entries, seconds, error: None }
            }
            Err(error) => Checked { claim: None, entries: 0, seconds, error: Some(error.to_string()) },
        }
    };
    match timeout(shared.limits.search, tokio::task::spawn_blocking(work)).await {
        Ok(Ok(checked)) => Ok(checked),
        Ok(Err(_)) => {
            let why = "that failed inside the server; please report it";
            Err((StatusCode::INTERNAL_SERVER_ERROR, why.to_string()))
        }
        Err(_) => {
            let why = "checking it takes too long here; use plyproof verify";
            Err((StatusCode::REQUEST_TIMEOUT, why.to_string()))
        }
    }
}

/// Raises a flag when it is dropped.
struct Raise(Arc<AtomicBool>);

impl Drop for Raise {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The whole body, in no more memory than `room` has or can get, and no slower than the limits allow.
async fn receive(body: &mut Body, room: &mut Lease, limits: &Limits) -> Result<Vec<u8>, Refusal> {
    let busy = |why: String| (StatusCode::SERVICE_UNAVAILABLE, why);
    let began = time::Instant::now();
    let mut bytes = Vec::new();
    // Pages that nothing is written to take no memory, and a block of this size goes back to the system as soon as it is
    // freed, where many small ones would stay with the allocator.
    bytes.try_reserve_exact(LARGEST).map_err(|_| busy("the system has no memory for it now".to_string()))?;
    loop {
        let earned = Duration::from_secs_f64(bytes.len() as f64 / limits.rate.max(1) as f64);
        let part = match timeout_at(began + limits.body + earned, next_part(body)).await {
            Ok(Some(Ok(part))) => part,
            Ok(Some(Err(_))) => {
                return Err((StatusCode::BAD_REQUEST, "the certificate did not arrive in full".to_string()));
            }
            Ok(None) => return Ok(bytes),
            Err(_) => {
                let why = format!("the certificate arrives too slowly: after {} bytes", bytes.len());
                return Err((StatusCode::REQUEST_TIMEOUT, why));
            }
        };
        let length = bytes.len() + part.len();
        if length > LARGEST {
            return Err(too_large());
        }
        let needed = (length as u64).saturating_sub(room.bytes());
        if needed > 0 {
            let most = LARGEST as u64 - room.bytes();
            room.grow(needed.max(room.bytes()).min(most)).map_err(busy)?;
        }
        bytes.extend_from_slice(&part);
    }
}

fn too_large() -> Refusal {
    let most = LARGEST >> 20;
    let why = format!("a certificate of more than {most} MB is not checked here; use plyproof verify");
    (StatusCode::PAYLOAD_TOO_LARGE, why)
}

/// The next bytes of a body; none at its end.
async fn next_part(body: &mut Body) -> Option<Result<Bytes, axum::Error>> {
    loop {
        match poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await? {
            // Anything else is a trailer, which says nothing here.
            Ok(frame) => {
                if let Ok(part) = frame.into_data() {
                    return Some(Ok(part));
                }
            }
            Err(error) => return Some(Err(error)),
        }
    }
}

/// Reads what is left of a body that is not wanted, unless it is endless.
async fn discard(body: &mut Body) {
    let mut left = LARGEST;
    while let Some(Ok(part)) = next_part(body).await {
        match left.checked_sub(part.len()) {
            Some(less) => left = less,
            None => return,
        }
    }
}
