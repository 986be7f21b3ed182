//! The state of a training in bytes, from which it goes on after it was interrupted.
