//! The functions that JavaScript calls. The only file with pointers: memory is lent to the caller as boxed bytes.
#![allow(unsafe_code)]

use std::cell::Cell;

thread_local! {
    /// Bytes of the last answer.
    static LENGTH: Cell<usize> = const { Cell::new(0) };
}

/// Zeroed memory for `length` bytes, to be given back by [`plyproof_call`] or [`plyproof_free`] with that length.
// SAFETY: the name is that of no other function of the program.
#[unsafe(no_mangle)]
pub extern "C" fn plyproof_alloc(length: usize) -> *mut u8 {
    lend(vec![0; length].into_boxed_slice())
}

/// Gives memory back.
///
/// # Safety
///
/// `memory` comes from [`plyproof_alloc`] with this `length`, or from [`plyproof_call`] with the length that
/// [`plyproof_length`] then said, and is not used any more.
// SAFETY: the name is that of no other function of the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plyproof_free(memory: *mut u8, length: usize) {
    // SAFETY: promised by the caller, word for word.
    drop(unsafe { take_back(memory, length) });
}

/// Answers the request of `length` bytes of UTF-8 at `request`, which is given back by this. Where the answer is.
///
/// # Safety
///
/// `request` comes from [`plyproof_alloc`] with this `length`, and is not used any more.
// SAFETY: the name is that of no other function of the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plyproof_call(request: *mut u8, length: usize) -> *mut u8 {
    // SAFETY: promised by the caller, word for word.
    let request = unsafe { take_back(request, length) };
    let answer = crate::answer(&String::from_utf8_lossy(&request)).into_bytes().into_boxed_slice();
    LENGTH.set(answer.len());
    lend(answer)
}

/// Bytes of the last answer.
// SAFETY: the name is that of no other function of the program.
#[unsafe(no_mangle)]
pub extern "C" fn plyproof_length() -> usize {
    LENGTH.get()
}

/// Lets JavaScript hear of a search that goes on.
#[cfg(target_arch = "wasm32")]
pub(crate) fn tell(text: &str) {
    #[link(wasm_import_module = "plyproof")]
    // SAFETY: the import takes two plain numbers; WebAssembly checks its type when the module is loaded.
    unsafe extern "C" {
        safe fn tell(address: *const u8, length: usize);
    }
    tell(text.as_ptr(), text.len());
}

/// There is no JavaScript elsewhere.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn tell(_: &str) {}

fn lend(bytes: Box<[u8]>) -> *mut u8 {
    Box::into_raw(bytes).cast()
}

/// # Safety
///
/// `memory` and `length` are those of a box that [`lend`] took apart, and nobody took it back before.
unsafe fn take_back(memory: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: the box had this address and length, is there once only, and any byte is a `u8`.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(memory, length)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_goes_in_and_its_answer_comes_out() {
        for request in ["", "{", r#"{"call":"search","game":"tictactoe","simulations":20}"#] {
            let memory = plyproof_alloc(request.len());
            // SAFETY: as much memory as was asked for a line above, used by nobody else; what is called takes it back
            // once, and the answer has the length that is said after it.
            let answer = unsafe {
                std::ptr::copy_nonoverlapping(request.as_ptr(), memory, request.len());
                let answer = plyproof_call(memory, request.len());
                take_back(answer, plyproof_length())
            };
            // Reports differ in the time that they took.
            let keys = |text: &str| -> Vec<String> {
                let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
                value.as_object().expect("an object").keys().cloned().collect()
            };
            assert_eq!(keys(&String::from_utf8_lossy(&answer)), keys(&crate::answer(request)));
        }
    }
}
