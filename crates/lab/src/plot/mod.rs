//! Figures as SVG, written out here element by element, and as PNG drawn from that SVG.
//!
//! Every figure is readable without colour: series differ in marker, dash or fill pattern first and in colour second.
//! Labels may hold `_{…}` and `^{…}` for what is set lower or higher.
//!
//! ```
//! use plyproof_lab::plot::{Axis, Line, LineChart, Marker, Point, Scale, Series};
//! let points = [(0.0, 50.0), (1.0, 84.0), (1e6, 60.0)].map(|(x, y)| Point::new(x, y));
//! let chart = LineChart {
//!     title: "Win rate against the weight".to_string(),
//!     x: Axis::new("C_{pn}", Scale::Log),
//!     y: Axis::new("win rate (%)", Scale::Linear).range(0.0, 100.0),
//!     series: vec![Series::new("LOA 8x8", points.to_vec(), Marker::Circle, Line::Solid)],
//!     reference: Some(50.0),
//! };
//! assert!(chart.figure().svg().starts_with("<svg "));
//! ```

mod axis;
mod bars;
mod figure;
mod legend;
mod line;
mod of_matches;
mod pdf;
mod png;
mod rows;
mod style;
mod svg;

pub use axis::{Axis, Scale};
pub use bars::{Bar, BarChart, Cluster, Group};
pub use figure::{Drawn, Figure, PlotError};
pub use line::{LineChart, Point, Series};
pub use of_matches::of_matches;
pub use rows::{Row, RowChart};
pub use style::{Line, Marker};
