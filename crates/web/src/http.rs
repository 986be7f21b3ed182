//! The addresses the server answers.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use plyproof_engine::Registry;
use plyproof_lab::analysis::{BLUNDER, DUBIOUS, MISTAKE};
use plyproof_lab::levels::LEVELS;
use plyproof_tab::{Catalogue, ListedLevel};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::engines::Engines;
use crate::lease::Leased;
use crate::limits::Limits;
use crate::runs::{Found, Refused, Runs};
use crate::{Shared, assets, checking, guard, packed, socket, solving};

/// Everything there is, behind the guard.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/socket", get(open_socket))
        .route("/api/catalogue", get(list))
        .route("/api/certificate", get(fetch_certificate))
        .route("/api/verify", post(checking::verify))
        .route("/api/runs", get(list_runs))
        .route("/api/runs/match", get(show_match))
        .route("/api/runs/file", get(show_file))
        .fallback(page)
        .layer(from_fn_with_state(Arc::clone(&shared.guard), guard::check))
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

async fn page(uri: Uri, headers: HeaderMap) -> Response {
    let Some((kind, bytes)) = assets::find(uri.path()) else {
        return refuse(StatusCode::NOT_FOUND, "there is nothing at this address");
    };
    match assets::find_packed(uri.path()).filter(|_| packed::takes_gzip(&headers)) {
        Some(packed) => packed::answer(kind, packed),
        None => ([(CONTENT_TYPE, kind)], bytes).into_response(),
    }
}

/// What there is to choose from.
pub(crate) fn catalogue(registry: &Registry, engines: &Engines, runs: bool, limits: &Limits) -> Catalogue {
    let levels = LEVELS.iter().map(|level| ListedLevel {
        number: level.number,
        agent: level.agent,
        simulations: level.simulations,
    });
    let marks = [DUBIOUS, MISTAKE, BLUNDER];
    Catalogue::new(
        registry,
        engines.keys().cloned().collect(),
        runs,
        limits.search,
        limits.moves,
        levels.collect(),
        marks,
    )
}

async fn list(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let listed = catalogue(&shared.registry, &shared.engines, shared.runs.is_some(), &shared.limits);
    let text = serde_json::to_vec(&listed).ok().filter(|_| packed::takes_gzip(&headers));
    match text.and_then(|text| packed::packed(&text)) {
        Some(packed) => packed::answer("application/json", packed),
        None => json(&listed),
    }
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
            "there is no such certificate; a certificate is deleted when its tab is closed or proves another position",
        );
    };
    let headers = [
        (CONTENT_TYPE, "application/gzip".to_string()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", found.name)),
    ];
    // Not copied, and held until it is sent, however slowly it is taken.
    (headers, Bytes::from_owner(solving::Held(found))).into_response()
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
    let pool = Arc::clone(&shared.pool);
    let show = move |Found { kind, bytes }: Found| {
        // Held until the file is sent, however slowly it is taken.
        let lease = match pool.lend_bytes(bytes.len() as u64) {
            Ok(lease) => lease,
            Err(why) => return refuse(StatusCode::SERVICE_UNAVAILABLE, &why),
        };
        // A figure opened by itself is a page too: it may show itself and nothing else.
        let headers =
            [(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox")];
        (headers, Bytes::from_owner(Leased::new(bytes, lease))).into_response()
    };
    with_runs(shared, move |runs| runs.read_file(&path).map(show)).await
}

const NO_PATH: &str = "say which file: ?path=FOLDER/FILE, as /api/runs lists them";

/// Reads from the folder of recorded matches where it holds up nobody else, a few at a time.
async fn with_runs(
    shared: Arc<Shared>,
    read: impl FnOnce(&Runs) -> Result<Response, Refused> + Send + 'static,
) -> Response {
    let Ok(Ok(turn)) = timeout(shared.limits.wait, Arc::clone(&shared.reading).acquire_owned()).await else {
        return refuse(
            StatusCode::SERVICE_UNAVAILABLE,
            "too many records are being read already; try again in a moment",
        );
    };
    let work = move || {
        let _turn = turn;
        read_runs(&shared, read)
    };
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        refuse(StatusCode::INTERNAL_SERVER_ERROR, "that failed inside the server; please report it")
    })
}

fn read_runs(shared: &Shared, read: impl FnOnce(&Runs) -> Result<Response, Refused>) -> Response {
    match &shared.runs {
        Some(runs) => read(runs).unwrap_or_else(|refused| match refused {
            Refused::Missing(why) => refuse(StatusCode::NOT_FOUND, &why),
            Refused::Unreadable(why) => refuse(StatusCode::UNPROCESSABLE_ENTITY, &why),
        }),
        None => refuse(StatusCode::NOT_FOUND, "no folder of matches was given; start with plyproof serve --runs DIR"),
    }
}

pub(crate) fn json(value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => refuse(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

pub(crate) fn refuse(status: StatusCode, why: &str) -> Response {
    (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{why}\n")).into_response()
}
