//! The addresses the server answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::rejection::QueryRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use plyproof_lab::certificate::{self, Limits};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::runs::{Found, Refused, Runs};
use crate::{Shared, assets, catalogue, guard, socket, solving};

/// Everything there is, behind the guard.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/socket", get(open_socket))
        .route("/api/catalogue", get(list))
        .route("/api/certificate", get(fetch_certificate))
        .route("/api/verify", post(verify).layer(DefaultBodyLimit::max(solving::LARGEST)))
        .route("/api/runs", get(list_runs))
        .route("/api/runs/match", get(show_match))
        .route("/api/runs/file", get(show_file))
        .fallback(page)
        .layer(from_fn_with_state(Arc::clone(&shared), guard::check))
        .with_state(shared)
}

async fn open_socket(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    let most = shared.limits.message;
    upgrade
        .max_message_size(most)
        .max_frame_size(most)
        .max_write_buffer_size(8 << 20)
        .on_upgrade(move |socket| socket::serve(socket, shared))
}

async fn page(uri: Uri) -> Response {
    match assets::find(uri.path()) {
        Some((kind, bytes)) => ([(CONTENT_TYPE, kind)], bytes).into_response(),
        None => refuse(StatusCode::NOT_FOUND, "there is nothing at this address"),
    }
}

async fn list(State(shared): State<Arc<Shared>>) -> Response {
    json(&catalogue::catalogue(shared.runs.is_some(), &shared.limits))
}

#[derive(Deserialize)]
struct Wanted {
    path: String,
}

type Asked = Result<Query<Wanted>, QueryRejection>;

#[derive(Deserialize)]
struct Key {
    key: String,
}

/// A certificate that a proof in an open tab has come to.
async fn fetch_certificate(State(shared): State<Arc<Shared>>, key: Result<Query<Key>, QueryRejection>) -> Response {
    let found = key.ok().and_then(|Query(Key { key })| shared.archive.find(&key));
    let Some(found) = found else {
        return refuse(
            StatusCode::NOT_FOUND,
            "there is no such certificate; it goes when its tab is closed or proves another position",
        );
    };
    let headers = [
        (CONTENT_TYPE, "application/gzip".to_string()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", found.name)),
    ];
    (headers, found.bytes.clone()).into_response()
}

/// What came of checking a certificate.
#[derive(Serialize)]
struct Checked {
    /// What is proven, in words; none if the certificate does not hold.
    claim: Option<String>,
    entries: u64,
    seconds: f64,
    error: Option<String>,
}

/// Checks a certificate that is posted, plain or gzipped.
async fn verify(State(shared): State<Arc<Shared>>, body: Result<Bytes, BytesRejection>) -> Response {
    let Ok(body) = body else {
        let most = solving::LARGEST >> 20;
        return refuse(
            StatusCode::PAYLOAD_TOO_LARGE,
            &format!("a certificate of more than {most} MB is not checked here; use plyproof verify"),
        );
    };
    let Ok(_turn) = shared.checks.acquire().await else {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, "the server is about to end");
    };
    let lease = match shared.pool.lend() {
        Ok(lease) => lease,
        Err(why) => return refuse(StatusCode::SERVICE_UNAVAILABLE, &why),
    };
    // Raised when whoever asked is gone, or the time is up.
    let stop = Arc::new(AtomicBool::new(false));
    let _ends = Raise(Arc::clone(&stop));
    let raised = Arc::clone(&stop);
    let work = move || {
        let began = Instant::now();
        let bytes: Arc<[u8]> = Arc::from(&body[..]);
        let limits = Limits { memory: lease.bytes(), stop: &raised, progress: &mut |_| {} };
        let checked = certificate::verify_bytes(&bytes, limits);
        let seconds = began.elapsed().as_secs_f64();
        match checked {
            Ok(checked) => {
                Checked { claim: Some(checked.header.claim()), entries: checked.verified.entries, seconds, error: None }
            }
            Err(error) => Checked { claim: None, entries: 0, seconds, error: Some(error.to_string()) },
        }
    };
    match timeout(shared.limits.search, tokio::task::spawn_blocking(work)).await {
        Ok(Ok(checked)) => json(&checked),
        Ok(Err(_)) => refuse(StatusCode::INTERNAL_SERVER_ERROR, "that failed inside the server; please report it"),
        Err(_) => refuse(StatusCode::REQUEST_TIMEOUT, "checking it takes too long here; use plyproof verify"),
    }
}

/// Raises a flag when it is dropped.
struct Raise(Arc<AtomicBool>);

impl Drop for Raise {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

async fn list_runs(State(shared): State<Arc<Shared>>) -> Response {
    with_runs(shared, |runs| runs.list().map(|listed| json(&listed))).await
}

async fn show_match(State(shared): State<Arc<Shared>>, wanted: Asked) -> Response {
    let Ok(Query(Wanted { path })) = wanted else { return refuse(StatusCode::BAD_REQUEST, NO_PATH) };
    with_runs(shared, move |runs| runs.read_match(&path).map(|shown| json(&shown))).await
}

async fn show_file(State(shared): State<Arc<Shared>>, wanted: Asked) -> Response {
    let Ok(Query(Wanted { path })) = wanted else { return refuse(StatusCode::BAD_REQUEST, NO_PATH) };
    let show = |Found { kind, bytes }: Found| {
        // A figure opened by itself is a page too: it may show itself and nothing else.
        let headers =
            [(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox")];
        (headers, bytes).into_response()
    };
    with_runs(shared, move |runs| runs.read_file(&path).map(show)).await
}

const NO_PATH: &str = "say which file: ?path=FOLDER/FILE, as /api/runs lists them";

/// Reads from the folder of recorded matches where it holds up nobody else.
async fn with_runs(
    shared: Arc<Shared>,
    read: impl FnOnce(&Runs) -> Result<Response, Refused> + Send + 'static,
) -> Response {
    let work = move || match &shared.runs {
        Some(runs) => read(runs).unwrap_or_else(|refused| match refused {
            Refused::Missing(why) => refuse(StatusCode::NOT_FOUND, &why),
            Refused::Unreadable(why) => refuse(StatusCode::UNPROCESSABLE_ENTITY, &why),
        }),
        None => refuse(StatusCode::NOT_FOUND, "no folder of matches was given; start with plyproof serve --runs DIR"),
    };
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        refuse(StatusCode::INTERNAL_SERVER_ERROR, "that failed inside the server; please report it")
    })
}

fn json(value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => refuse(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

fn refuse(status: StatusCode, why: &str) -> Response {
    (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{why}\n")).into_response()
}
