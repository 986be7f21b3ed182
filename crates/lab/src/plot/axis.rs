//! Axes: which numbers get a tick, and where a value is drawn.
//!
//! A logarithmic axis has no place for 0 and a far one for a value that stands for infinity, so both are cut off by a
//! break and get a place of their own:
//!
//! ```text
//!   0   //  0.1  0.2   0.5   1    2    5  //  10^6
//!  slot          logarithmic                slot
//! ```

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences take equal room.
    Linear,
    /// Equal ratios take equal room. 0 and values far above the others stand behind a break.
    Log,
}

/// An axis with its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is shown, with its unit.
    pub label: String,
    /// How values are spread.
    pub scale: Scale,
    /// The first and the last value shown; taken from the data if not given.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// An axis over the range of its data.
    pub fn new(label: impl Into<String>, scale: Scale) -> Self {
        Self { label: label.into(), scale, range: None }
    }

    /// The same axis from `low` to `high`.
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = (low < high).then_some((low, high));
        self
    }
}

/// A labelled or an unlabelled mark on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub at: f64,
    /// None for the small marks between.
    pub label: Option<String>,
}

/// Where values are drawn, in pixels.
#[derive(Clone, Debug)]
pub(super) struct Mapping {
    pieces: Vec<Piece>,
    /// Where the axis is broken.
    pub breaks: Vec<f64>,
    pub ticks: Vec<Tick>,
}

/// A part of an axis without a break, from `low` to `high`, drawn between two pixels.
#[derive(Clone, Copy, Debug)]
struct Piece {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    scale: Scale,
}

impl Piece {
    fn at(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        let share = match self.scale {
            _ if self.low == self.high => 0.5,
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        self.from + (self.to - self.from) * share
    }
}

/// A value so many times the one below it is far away.
const FAR: f64 = 300.0;
/// Far values that get a place of their own; more than that are no exceptions.
const MOST_FAR: usize = 3;

impl Mapping {
    /// Spreads `axis` between the pixels `from` and `to`, so that every value of the data has its place.
    pub(super) fn new(axis: &Axis, data: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let mut values: Vec<f64> = data.filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        match axis.scale {
            Scale::Linear => Self::linear(axis.range, &values, from, to),
            Scale::Log => Self::logarithmic(axis.range, &values, from, to),
        }
    }

    fn linear(range: Option<(f64, f64)>, values: &[f64], from: f64, to: f64) -> Self {
        let (low, high) = range.unwrap_or_else(|| {
            let (low, high) = (values.first().copied().unwrap_or(0.0), values.last().copied().unwrap_or(1.0));
            // A single value sits in the middle; bars and rates are compared from 0 if that is near.
            let pad = if low == high { low.abs().max(1.0) / 2.0 } else { 0.0 };
            let low = if low >= 0.0 && low < high / 2.0 { 0.0 } else { low - pad };
            let step = nice_step(high + pad - low);
            ((low / step).floor() * step, ((high + pad) / step).ceil() * step)
        });
        let piece = Piece { low, high, from, to, scale: Scale::Linear };
        let step = nice_step(high - low);
        let first = (low / step - 1e-9).ceil() as i64;
        let ticks = (first..=first + 30)
            .map(|i| i as f64 * step)
            .take_while(|value| *value <= high + step * 1e-9)
            .map(|value| Tick { at: piece.at(value), label: Some(rounded_label(value, step)) })
            .collect();
        Self { pieces: vec![piece], breaks: Vec::new(), ticks }
    }

    fn logarithmic(range: Option<(f64, f64)>, values: &[f64], from: f64, to: f64) -> Self {
        let zero = values.iter().any(|value| *value <= 0.0);
        let positive: Vec<f64> = values.iter().copied().filter(|value| *value > 0.0).collect();
        let gap = positive.windows(2).position(|pair| pair[1] / pair[0] > FAR).map_or(positive.len(), |at| at + 1);
        let near = if positive.len() - gap > MOST_FAR { &positive[..] } else { &positive[..gap] };
        let far = &positive[near.len()..];
        let (low, high) = range.filter(|(low, _)| *low > 0.0).unwrap_or_else(|| {
            let (low, high) = (near.first().copied().unwrap_or(1.0), near.last().copied().unwrap_or(1.0));
            let pad = if low == high { 2.0 } else { (high / low).powf(0.05) };
            (low / pad, high * pad)
        });
        let mut mapping = Self { pieces: Vec::new(), breaks: Vec::new(), ticks: Vec::new() };
        let slot = (to - from) * 0.11;
        let mut start = from;
        if zero {
            mapping.slot(0.0, start, start + slot, "0".to_string());
            start += slot;
            mapping.breaks.push(start);
        }
        let end = to - slot * far.len() as f64;
        let piece = Piece { low, high, from: start, to: end, scale: Scale::Log };
        mapping.pieces.push(piece);
        mapping.ticks.extend(log_ticks(&piece));
        start = end;
        for &value in far {
            mapping.breaks.push(start);
            mapping.slot(value, start, start + slot, number_label(value));
            start += slot;
        }
        mapping
    }

    fn slot(&mut self, value: f64, from: f64, to: f64, label: String) {
        let piece = Piece { low: value, high: value, from, to, scale: Scale::Linear };
        self.ticks.push(Tick { at: piece.at(value), label: Some(label) });
        self.pieces.push(piece);
    }

    /// Where `value` is drawn. What lies outside is drawn at the nearest end.
    pub(super) fn at(&self, value: f64) -> f64 {
        self.pieces[self.piece(value)].at(value)
    }

    /// Whether a line from one value to the other crosses a break.
    pub(super) fn is_broken_between(&self, one: f64, other: f64) -> bool {
        self.piece(one) != self.piece(other)
    }

    fn piece(&self, value: f64) -> usize {
        let last = self.pieces.len() - 1;
        self.pieces.iter().position(|piece| value <= piece.high).unwrap_or(last)
    }
}

/// 1, 2, 2.5 or 5 times a power of ten, so that a span holds four to eight steps.
fn nice_step(span: f64) -> f64 {
    let rough = span.abs().max(1e-12) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|step| rough <= step * power * 1.0001).unwrap_or(10.0);
    step * power
}

/// Decades up to which 1, 2 and 5 of each get a label.
const FEW_DECADES: f64 = 2.4;

fn log_ticks(piece: &Piece) -> Vec<Tick> {
    let few = (piece.high / piece.low).log10() <= FEW_DECADES;
    let (first, last) = (piece.low.log10().floor() as i32, piece.high.log10().ceil() as i32);
    let every = ((last - first) / 8).max(1);
    let mut ticks = Vec::new();
    for exponent in first..=last {
        for digit in 1..10u8 {
            let value = f64::from(digit) * 10f64.powi(exponent);
            if value < piece.low * 0.999_999 || value > piece.high * 1.000_001 {
                continue;
            }
            let labelled = if few { matches!(digit, 1 | 2 | 5) } else { digit == 1 && exponent % every == 0 };
            // Small marks between far powers would be a grey band.
            if labelled || every == 1 {
                ticks.push(Tick { at: piece.at(value), label: labelled.then(|| number_label(value)) });
            }
        }
    }
    ticks
}

/// A number as people write it: `0.1`, `2`, `20,000`, `10^{6}`, `2·10^{6}`.
pub(super) fn number_label(value: f64) -> String {
    let size = value.abs();
    if value != 0.0 && !(1e-3..1e5).contains(&size) {
        let scientific = format!("{value:e}");
        if let Some((digits, exponent)) = scientific.split_once('e') {
            let front = match digits {
                "1" => String::new(),
                "-1" => "-".to_string(),
                digits => format!("{digits}·"),
            };
            return format!("{front}10^{{{exponent}}}");
        }
    }
    // Twelve digits hide what 0.1 * 3 leaves behind.
    let text = format!("{value:.12}");
    grouped(text.trim_end_matches('0').trim_end_matches('.'))
}

/// A tick label with as many decimals as the step between the ticks has.
fn rounded_label(value: f64, step: f64) -> String {
    if !(1e-3..1e5).contains(&step.abs()) {
        return number_label(value);
    }
    let decimals = (0..6).find(|&d| ((step * 10f64.powi(d)).round() - step * 10f64.powi(d)).abs() < 1e-6).unwrap_or(6);
    let text = format!("{value:.*}", decimals as usize);
    grouped(if text.trim_matches(['-', '0', '.']).is_empty() { "0" } else { &text })
}

/// `12345.5` as `12,345.5`; four digits stay together.
fn grouped(text: &str) -> String {
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let (sign, digits) = if let Some(digits) = whole.strip_prefix('-') { ("-", digits) } else { ("", whole) };
    if digits.len() < 5 {
        return text.to_string();
    }
    let mut marked = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            marked.push(',');
        }
        marked.push(digit);
    }
    format!("{sign}{marked}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(mapping: &Mapping) -> Vec<&str> {
        mapping.ticks.iter().filter_map(|tick| tick.label.as_deref()).collect()
    }

    fn log(values: &[f64]) -> Mapping {
        Mapping::new(&Axis::new("", Scale::Log), values.iter().copied(), 100.0, 500.0)
    }

    #[test]
    fn the_weights_of_the_paper_get_an_axis_with_two_breaks() {
        let values = [0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 1e6];
        let mapping = log(&values);
        assert_eq!(labels(&mapping), ["0", "0.1", "0.2", "0.5", "1", "2", "5", "10^{6}"]);
        assert_eq!(mapping.breaks.len(), 2);
        let places: Vec<f64> = values.iter().map(|&value| mapping.at(value)).collect();
        assert!(places.is_sorted_by(|a, b| a < b) && places[0] > 100.0 && places[6] < 500.0, "{places:?}");
        assert!(places[0] < mapping.breaks[0] && mapping.breaks[0] < places[1]);
        assert!(places[5] < mapping.breaks[1] && mapping.breaks[1] < places[6]);
        assert!((places[3] - places[2] - (places[4] - places[3])).abs() < 1e-9, "0.5 to 1 is as far as 1 to 2");
        assert!(mapping.is_broken_between(0.0, 0.1) && mapping.is_broken_between(5.0, 1e6));
        assert!(!mapping.is_broken_between(0.1, 5.0));
    }

    #[test]
    fn an_ordinary_logarithmic_axis_has_no_breaks() {
        let mapping = log(&[0.1, 0.5, 1.0, 2.0, 5.0]);
        assert!(mapping.breaks.is_empty());
        assert_eq!(labels(&mapping), ["0.1", "0.2", "0.5", "1", "2", "5"]);
        let wide = log(&[1.0, 1e2, 1e4, 1e6, 1e8]);
        assert!(wide.breaks.is_empty());
        assert_eq!(labels(&wide)[..4], ["1", "10", "100", "1000"]);
    }

    #[test]
    fn ticks_of_a_linear_axis_are_round_and_inside() {
        for (low, high, expected) in [
            (0.0, 100.0, &["0", "20", "40", "60", "80", "100"][..]),
            (0.0, 1.0, &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
            (-3.0, 3.0, &["-3", "-2", "-1", "0", "1", "2", "3"]),
            (0.0, 30_000.0, &["0", "5000", "10,000", "15,000", "20,000", "25,000", "30,000"]),
        ] {
            let axis = Axis::new("", Scale::Linear).range(low, high);
            let mapping = Mapping::new(&axis, std::iter::empty(), 400.0, 0.0);
            let expected: Vec<&str> = expected.iter().map(|text| if *text == "0.0" { "0" } else { text }).collect();
            assert_eq!(labels(&mapping), expected);
            assert_eq!((mapping.at(low), mapping.at(high)), (400.0, 0.0));
            assert_eq!(mapping.at(high * 10.0), 0.0, "what lies outside stays on the axis");
        }
    }

    #[test]
    fn any_data_has_a_finite_place() {
        let odd = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-300, 1.0, 1e300];
        for scale in [Scale::Linear, Scale::Log] {
            for count in 0..odd.len() {
                for one in 0..=odd.len() - count {
                    let values = &odd[one..one + count];
                    let mapping = Mapping::new(&Axis::new("", scale), values.iter().copied(), 0.0, 100.0);
                    let places = values.iter().filter(|v| v.is_finite()).map(|&v| mapping.at(v));
                    for at in places.chain(mapping.ticks.iter().map(|tick| tick.at)) {
                        assert!((-1e-6..=100.000_001).contains(&at), "{scale:?} {values:?}: {at}");
                    }
                    assert!(mapping.ticks.len() < 100, "{scale:?} {values:?}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_written_as_people_write_them() {
        let texts = [0.0, 0.1, 0.1 * 3.0, 2.5, 1000.0, 20_000.0, 1e6, -2e6, 2.5e-5].map(number_label);
        assert_eq!(texts, ["0", "0.1", "0.3", "2.5", "1000", "20,000", "10^{6}", "-2·10^{6}", "2.5·10^{-5}"]);
    }
}
