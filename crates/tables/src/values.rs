//! Values of positions in two bits each.

use plyproof_core::Wdl;

/// Win, draw or loss for each of a number of positions, or nothing yet.
///
/// ```text
/// byte i holds the positions 4i … 4i+3, the first in its lowest two bits: 0 nothing, 1 loss, 2 draw, 3 win
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    bytes: Vec<u8>,
    count: u64,
}

impl Values {
    /// Bytes that so many values take.
    pub fn bytes_for(count: u64) -> u64 {
        count.div_ceil(4)
    }

    /// Nothing for `count` positions.
    pub fn nothing(count: u64) -> Self {
        Self { bytes: vec![0; Self::bytes_for(count) as usize], count }
    }

    /// The values in these bytes; `None` if there are too few or too many bytes, or a value is missing.
    pub fn from_bytes(bytes: Vec<u8>, count: u64) -> Option<Self> {
        let values = Self { bytes, count };
        let whole = values.bytes.len() as u64 == Self::bytes_for(count);
        (whole && (0..count).all(|index| values.at(index).is_some())).then_some(values)
    }

    /// The values as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many positions there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The value at `index`, which is below [`count`](Values::count).
    #[inline]
    pub fn at(&self, index: u64) -> Option<Wdl> {
        match self.bytes[(index / 4) as usize] >> (index % 4 * 2) & 3 {
            0 => None,
            1 => Some(Wdl::Loss),
            2 => Some(Wdl::Draw),
            _ => Some(Wdl::Win),
        }
    }

    /// Puts a value where there was none.
    pub(crate) fn put(&mut self, index: u64, value: Wdl) {
        self.bytes[(index / 4) as usize] |= (value as u8 + 1) << (index % 4 * 2);
    }
}
