//! The addresses the server answers.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::{Deserialize, Serialize};

use crate::runs::{Found, Refused, Runs};
use crate::{Shared, assets, catalogue, guard, socket};

/// Everything there is, behind the guard.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/socket", get(open_socket))
        .route("/api/catalogue", get(list))
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
