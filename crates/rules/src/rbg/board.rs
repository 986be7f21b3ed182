//! Boards: rectangles, hexagons, cuboids and graphs, as cells with neighbours.

use std::collections::HashMap;

use super::error::Fault;
use super::lexer::{Kind, Name, Names};
use super::limits;
use super::parser::Reader;

/// How a board is laid out, for drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Squares in rows; row 0 is the top one.
    Rectangle,
    /// Hexagons in rows; row 0 is the top one.
    Hexagon,
    /// Rectangles on top of each other.
    Cuboid,
    /// Cells with names and neighbours.
    Graph,
}

/// A cell of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its name in moves and positions.
    pub name: String,
    /// Where to draw it: the column from the left, in widths of a cell. Halves in hexagons.
    pub x: f32,
    /// Where to draw it: the row from the top, in heights of a row.
    pub y: f32,
    /// Places on an integer grid on which every direction of the board is one displacement; for graphs the number of
    /// the cell.
    pub(super) grid: [i32; 2],
    /// The piece at the start.
    pub(super) piece: u8,
    /// The neighbour in each direction.
    pub(super) neighbours: Vec<Option<u16>>,
}

impl Cell {
    /// The cells next to this one: the number of the direction, and the place of the cell on the board.
    pub fn neighbours(&self) -> impl Iterator<Item = (usize, usize)> {
        let places = self.neighbours.iter().enumerate();
        places.filter_map(|(direction, place)| place.map(|place| (direction, usize::from(place))))
    }
}

/// A board with its first position.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// How to draw it.
    pub layout: Layout,
    /// The cells, in the order in which the rules give them.
    pub cells: Vec<Cell>,
    /// Names of the directions.
    pub directions: Vec<String>,
}

/// Lines of pieces, blank where there is no cell.
type Lines = Vec<Vec<Option<u8>>>;

pub(super) fn read(
    reader: &mut Reader<'_>,
    names: &Names,
    pieces: &HashMap<Name, u8>,
    taken: &dyn Fn(Name) -> Option<&'static str>,
) -> Result<(Board, HashMap<Name, u8>), Fault> {
    let layout = match reader.peek().map(|token| token.kind) {
        Some(Kind::Word(name)) if reader.peek_second().is_some_and(|token| token.is("(")) => match names.text(name) {
            "rectangle" => Layout::Rectangle,
            "hexagon" => Layout::Hexagon,
            "cuboid" => Layout::Cuboid,
            _ => Layout::Graph,
        },
        _ => Layout::Graph,
    };
    let mut builder = Builder { names, pieces, taken, places: HashMap::new(), directions: Vec::new() };
    let cells = if layout == Layout::Graph {
        builder.graph(reader)?
    } else {
        reader.next();
        reader.expect("(")?;
        for _ in 0..if layout == Layout::Rectangle { 4 } else { 6 } {
            builder.direction(reader, false)?;
            reader.expect(",")?;
        }
        let cells = match layout {
            Layout::Rectangle => rectangle(&[builder.lines(reader, false)?]),
            Layout::Hexagon => {
                let at = reader.here();
                hexagon(&builder.lines(reader, true)?).map_err(|message| Fault::new(at, message))?
            }
            _ => {
                let mut layers = Vec::new();
                while reader.accept("[") {
                    layers.push(builder.lines(reader, false)?);
                    reader.expect("]")?;
                }
                rectangle(&layers)
            }
        };
        reader.expect(")")?;
        cells
    };
    reader.end("the board")?;
    if cells.is_empty() {
        return Err(Fault::new(reader.at, "the board has no cells"));
    }
    if cells.len() > limits::CELLS {
        return Err(Fault::new(reader.at, format!("the board has {} cells, more than {}", cells.len(), limits::CELLS)));
    }
    let directions = builder.directions.iter().map(|&name| names.text(name).to_string()).collect();
    Ok((Board { layout, cells, directions }, builder.places))
}

struct Builder<'a> {
    names: &'a Names,
    pieces: &'a HashMap<Name, u8>,
    taken: &'a dyn Fn(Name) -> Option<&'static str>,
    places: HashMap<Name, u8>,
    directions: Vec<Name>,
}

impl Builder<'_> {
    /// Reads the name of a direction: a new one, or any one in a graph.
    fn direction(&mut self, reader: &mut Reader<'_>, again: bool) -> Result<u8, Fault> {
        let (token, name) = reader.word("the name of a direction")?;
        if let Some(what) = (self.taken)(name) {
            return Err(token.fault(format!("{} is a {what} already", token.shown(self.names))));
        }
        if let Some(&place) = self.places.get(&name) {
            if !again {
                return Err(token.fault(format!("a second direction {}", token.shown(self.names))));
            }
            return Ok(place);
        }
        if self.directions.len() == limits::DIRECTIONS {
            return Err(token.fault(format!("more than {} directions", limits::DIRECTIONS)));
        }
        let place = self.directions.len() as u8;
        self.directions.push(name);
        self.places.insert(name, place);
        Ok(place)
    }

    fn piece(&self, reader: &mut Reader<'_>) -> Result<u8, Fault> {
        let (token, name) = reader.word("a piece")?;
        let missing = || token.fault(format!("{} is no piece of #pieces", token.shown(self.names)));
        self.pieces.get(&name).copied().ok_or_else(missing)
    }

    /// `[a, , b] [c, d, e]`: at least one line. A rectangle has lines of one length; the others are checked by their shape.
    fn lines(&self, reader: &mut Reader<'_>, hexagon: bool) -> Result<Lines, Fault> {
        let mut lines = Lines::new();
        while reader.peek().is_some_and(|token| token.is("[")) {
            let start = reader.here();
            reader.next();
            let mut line = Vec::new();
            loop {
                let blank = reader.peek().is_some_and(|token| token.is(",") || token.is("]"));
                line.push(if blank { None } else { Some(self.piece(reader)?) });
                if reader.accept("]") {
                    break;
                }
                reader.expect(",")?;
            }
            if line.len() > limits::CELLS || lines.len() > limits::CELLS {
                return Err(Fault::new(start, format!("the board has more than {} cells", limits::CELLS)));
            }
            let first = lines.first().map_or(line.len(), Vec::len);
            if !hexagon && line.len() != first {
                let message = format!("this line has {} places, the first one {first}", line.len());
                return Err(Fault::new(start, message));
            }
            lines.push(line);
        }
        if lines.is_empty() {
            return Err(Fault::new(reader.here(), "expected a line of the board: [piece, piece, …]"));
        }
        Ok(lines)
    }

    /// `name [piece] {direction: name, …} …`
    fn graph(&mut self, reader: &mut Reader<'_>) -> Result<Vec<Cell>, Fault> {
        struct Vertex {
            name: Name,
            piece: u8,
            edges: Vec<(u8, Name, u32)>,
        }
        let mut vertices: Vec<Vertex> = Vec::new();
        let mut places = HashMap::new();
        while reader.peek().is_some() {
            let (token, name) = reader.word("the name of a cell")?;
            if places.insert(name, vertices.len() as u16).is_some() {
                return Err(token.fault(format!("a second cell {}", token.shown(self.names))));
            }
            if vertices.len() == limits::CELLS {
                return Err(token.fault(format!("the board has more than {} cells", limits::CELLS)));
            }
            reader.expect("[")?;
            let piece = self.piece(reader)?;
            reader.expect("]")?;
            reader.expect("{")?;
            let mut edges: Vec<(u8, Name, u32)> = Vec::new();
            // A comma too many is what macros with empty arguments leave behind.
            while !reader.accept("}") {
                if reader.accept(",") {
                    continue;
                }
                let at = reader.here();
                let direction = self.direction(reader, true)?;
                if edges.iter().any(|edge| edge.0 == direction) {
                    return Err(Fault::new(at, "a second neighbour in this direction"));
                }
                reader.expect(":")?;
                let (token, target) = reader.word("the name of a cell")?;
                edges.push((direction, target, token.at));
                if !reader.peek().is_some_and(|token| token.is(",") || token.is("}")) {
                    reader.expect(",")?;
                }
            }
            vertices.push(Vertex { name, piece, edges });
        }
        let count = self.directions.len();
        let columns = (vertices.len() as f32).sqrt().ceil().max(1.0) as usize;
        let cell = |(place, vertex): (usize, &Vertex)| {
            let mut neighbours = vec![None; count];
            for &(direction, target, at) in &vertex.edges {
                let missing = || Fault::new(at, format!("no cell is called {:?}", self.names.text(target)));
                neighbours[usize::from(direction)] = Some(places.get(&target).copied().ok_or_else(missing)?);
            }
            Ok(Cell {
                name: self.names.text(vertex.name).to_string(),
                x: (place % columns) as f32,
                y: (place / columns) as f32,
                grid: [place as i32, 0],
                piece: vertex.piece,
                neighbours,
            })
        };
        vertices.iter().enumerate().map(cell).collect()
    }
}

/// Layers of rows; a single layer is a rectangle. Directions: up, down, left, right, front (layer before), back.
fn rectangle(layers: &[Lines]) -> Vec<Cell> {
    let mut places = HashMap::new();
    for (z, layer) in layers.iter().enumerate() {
        for (y, line) in layer.iter().enumerate() {
            for (x, piece) in line.iter().enumerate() {
                if piece.is_some() {
                    let place = places.len() as u16;
                    places.insert((x as i32, y as i32, z as i32), place);
                }
            }
        }
    }
    let flat = layers.len() == 1;
    let height = layers.iter().map(Vec::len).max().unwrap_or(0) as i32;
    let mut steps = vec![(0, -1, 0), (0, 1, 0), (-1, 0, 0), (1, 0, 0)];
    if !flat {
        steps.extend([(0, 0, -1), (0, 0, 1)]);
    }
    let mut cells = Vec::new();
    for (z, layer) in layers.iter().enumerate() {
        for (y, line) in layer.iter().enumerate() {
            for (x, piece) in line.iter().enumerate() {
                let Some(piece) = *piece else { continue };
                let (x, y, z) = (x as i32, y as i32, z as i32);
                let neighbour = |&(dx, dy, dz): &(i32, i32, i32)| places.get(&(x + dx, y + dy, z + dz)).copied();
                let row = y + z * (height + 1);
                cells.push(Cell {
                    name: if flat { format!("rx{x}y{y}") } else { format!("cx{x}y{y}z{z}") },
                    x: x as f32,
                    y: row as f32,
                    grid: [x, y + z * height],
                    piece,
                    neighbours: steps.iter().map(neighbour).collect(),
                });
            }
        }
    }
    cells
}

/// Rows of hexagons, one longer or shorter than the row before. Directions: NW, NE, E, SE, SW, W.
fn hexagon(lines: &Lines) -> Result<Vec<Cell>, String> {
    let lengths: Vec<usize> = lines.iter().map(Vec::len).collect();
    let peak = lengths.windows(2).position(|pair| pair[1] < pair[0]).unwrap_or(lengths.len() - 1);
    for (row, pair) in lengths.windows(2).enumerate() {
        let wanted = if row < peak { pair[0] + 1 } else { pair[0] - 1 };
        if pair[1] != wanted {
            return Err(format!(
                "row {} of the hexagon has {} cells after a row of {}: expected rows that grow by one, then shrink by one",
                row + 2,
                pair[1],
                pair[0]
            ));
        }
    }
    // Axial coordinates: south-west is (0, 1), south-east is (1, 1), east is (1, 0).
    let axial = |column: usize, row: usize| (column as i32 + (row as i32 - peak as i32).max(0), row as i32);
    let mut places = HashMap::new();
    for (row, line) in lines.iter().enumerate() {
        for (column, piece) in line.iter().enumerate() {
            if piece.is_some() {
                let place = places.len() as u16;
                places.insert(axial(column, row), place);
            }
        }
    }
    let mut cells = Vec::new();
    for (row, line) in lines.iter().enumerate() {
        for (column, piece) in line.iter().enumerate() {
            let Some(piece) = *piece else { continue };
            let (q, r) = axial(column, row);
            let steps = [(-1, -1), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 0)];
            cells.push(Cell {
                name: format!("hx{column}y{row}"),
                x: q as f32 - r as f32 / 2.0,
                y: r as f32,
                grid: [q, r],
                piece,
                neighbours: steps.iter().map(|&(dq, dr)| places.get(&(q + dq, r + dr)).copied()).collect(),
            });
        }
    }
    let left = cells.iter().map(|cell| cell.x).fold(f32::INFINITY, f32::min);
    for cell in &mut cells {
        cell.x -= left;
    }
    Ok(cells)
}
