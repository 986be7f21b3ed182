//! Numbers, sizes and durations as people give them in Python: `10_000` or `"10k"`, `0.5` or `"500ms"`, `"512MB"`.

use std::time::Duration;

use plyproof_engine::units::{parse_count, parse_duration, parse_size};
use plyproof_engine::{Budget, default_memory, quoted};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDelta, PyDeltaAccess, PyFloat, PyInt, PyString};

use crate::errors::value_error;

/// Most threads of a search.
const MOST_THREADS: u64 = 1024;

/// What something that is given may be called in an error: its repr, on one line.
fn shown(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map_or_else(|_| "this".to_string(), |repr| repr.to_string());
    if value.is_instance_of::<PyString>() { quoted(text.trim_matches('\'')) } else { text.chars().take(60).collect() }
}

/// A whole number from `least` to `most`; a text as in `"10k"` is read.
pub(crate) fn count(name: &str, value: &Bound<'_, PyAny>, least: u64, most: u64) -> PyResult<u64> {
    let whole = |number: f64| (number.fract() == 0.0 && (0.0..1.8e19).contains(&number)).then_some(number as u64);
    let found = if value.is_instance_of::<PyBool>() {
        return Err(wrong_type(name, "a whole number", value));
    } else if value.is_instance_of::<PyInt>() {
        value.extract().ok()
    } else if let Ok(number) = value.cast::<PyFloat>() {
        whole(number.extract()?)
    } else if let Ok(text) = value.cast::<PyString>() {
        parse_count(&text.to_cow()?)
    } else if let Ok(number) = value.call_method0("__index__") {
        number.extract().ok()
    } else {
        return Err(wrong_type(name, "a whole number", value));
    };
    found.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        let limit = if most == u64::MAX { format!("from {least}") } else { format!("from {least} to {most}") };
        value_error(format!("{name}={} is not a whole number {limit}", shown(value)))
    })
}

/// A seed.
pub(crate) fn seed(value: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    value.map_or(Ok(1), |value| count("seed", value, 0, u64::MAX))
}

/// Seconds as a number, a text as in `"250ms"`, or a `timedelta`.
pub(crate) fn duration(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds = if value.is_instance_of::<PyBool>() {
        None
    } else if let Ok(text) = value.cast::<PyString>() {
        return parse_duration(&text.to_cow()?).map_err(value_error);
    } else if let Ok(delta) = value.cast::<PyDelta>() {
        let (days, seconds) = (f64::from(delta.get_days()), f64::from(delta.get_seconds()));
        Some(days * 86_400.0 + seconds + f64::from(delta.get_microseconds()) * 1e-6)
    } else {
        value.extract::<f64>().ok()
    };
    let seconds = seconds.ok_or_else(|| wrong_type(name, "a number of seconds, or a text as in \"250ms\"", value))?;
    let fits = (0.0..=1e9).contains(&seconds);
    let time = fits.then(|| Duration::try_from_secs_f64(seconds).ok()).flatten();
    time.ok_or_else(|| value_error(format!("{name}={} is not a number of seconds from 0 to 1e9", shown(value))))
}

/// Bytes as a number, or a text as in `"512MB"`.
pub(crate) fn size(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    match value.cast::<PyString>() {
        Ok(text) => parse_size(&text.to_cow()?).map_err(value_error),
        Err(_) => count(name, value, 0, u64::MAX),
    }
}

/// The limits of a search. Without any, a search takes one second and a proof as long as it needs.
pub(crate) fn budget(
    sims: Option<&Bound<'_, PyAny>>,
    time: Option<&Bound<'_, PyAny>>,
    memory: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Budget> {
    let memory = memory.map_or_else(|| Ok(default_memory()), |memory| size("memory", memory))?;
    let threads = threads.map_or(Ok(1), |threads| count("threads", threads, 1, MOST_THREADS))?;
    Ok(Budget {
        simulations: sims.map(|sims| count("sims", sims, 1, u64::MAX)).transpose()?,
        time: time.map(|time| duration("time", time)).transpose()?,
        memory: Some(usize::try_from(memory).unwrap_or(usize::MAX)),
        threads: threads as usize,
        ..Budget::default()
    })
}

/// Something of another type than expected.
pub(crate) fn wrong_type(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "?".to_string(), |name| name.to_string());
    PyTypeError::new_err(format!("{name} has to be {expected}, not {kind}"))
}
