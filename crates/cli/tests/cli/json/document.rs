//! docs/json.md as data: sections with a table of fields each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::documents::anchor;

/// A type by its name in the document, at a path of a section.
pub type Seen = BTreeSet<(String, String, &'static str)>;

/// A row of a table.
struct Row {
    /// Empty for a row that adds the fields of another section.
    path: String,
    kind: String,
}

/// A field with everything that its row says.
#[derive(Default)]
struct Field {
    kinds: BTreeSet<&'static str>,
    optional: bool,
    /// The section and the path of its row.
    origin: (String, String),
}

pub struct Document {
    sections: BTreeMap<String, Vec<Row>>,
    /// Headings of the third level, which say what is written as a whole; the others describe parts.
    whole: Vec<String>,
}

const KINDS: [&str; 7] = ["string", "integer", "number", "boolean", "object", "array", "null"];

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn within(path: &str, name: &str) -> String {
    if path.is_empty() || name.is_empty() || name.starts_with('[') {
        format!("{path}{name}")
    } else {
        format!("{path}.{name}")
    }
}

impl Document {
    pub fn read() -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
        let text = std::fs::read_to_string(&file).expect("docs/json.md");
        let (mut sections, mut whole) = (BTreeMap::<String, Vec<Row>>::new(), Vec::new());
        let mut heading = String::new();
        for line in text.lines() {
            if let Some(title) = line.strip_prefix('#') {
                heading = title.trim_start_matches('#').trim().replace('`', "");
                if title.starts_with("## ") {
                    whole.push(heading.clone());
                }
            } else if let Some(cells) = line.strip_prefix("| ") {
                let mut cells = cells.split(" | ");
                let (Some(field), Some(kind)) = (cells.next(), cells.next()) else { continue };
                let path = match field {
                    "…" => String::new(),
                    field => match field.strip_prefix('`').and_then(|field| field.strip_suffix('`')) {
                        Some(path) => path.to_string(),
                        None => continue,
                    },
                };
                sections.entry(heading.clone()).or_default().push(Row { path, kind: kind.to_string() });
            }
        }
        whole.retain(|heading| sections.contains_key(heading));
        Self { sections, whole }
    }

    /// Headings that say what is written as a whole.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.whole.iter().map(String::as_str)
    }

    fn linked(&self, link: &str) -> &str {
        let target = link.split_once("](#").and_then(|(_, rest)| rest.split_once(')')).map(|(target, _)| target);
        let target = target.unwrap_or_else(|| panic!("docs/json.md: {link:?} is no type"));
        let found = self.sections.keys().find(|heading| anchor(heading) == target);
        found.unwrap_or_else(|| panic!("docs/json.md: no section #{target}"))
    }

    /// Adds the fields of a section, which stand below `prefix`, to `fields`.
    fn expand(&self, section: &str, prefix: &str, fields: &mut BTreeMap<String, Field>) {
        let rows = self.sections.get(section).unwrap_or_else(|| panic!("docs/json.md has no section {section:?}"));
        for row in rows {
            if row.path.is_empty() {
                let at = row.kind.split_once(" in `").and_then(|(_, at)| at.strip_suffix('`')).unwrap_or("");
                self.expand(self.linked(&row.kind), &within(prefix, at), fields);
                continue;
            }
            let path = within(prefix, &row.path);
            let origin = (section.to_string(), row.path.clone());
            let (kinds, optional) = match row.kind.strip_suffix(", optional") {
                Some(kinds) => (kinds, true),
                None => (row.kind.as_str(), false),
            };
            let mut field = Field { optional, origin: origin.clone(), ..Field::default() };
            for kind in kinds.split(" or ") {
                if let Some(elements) = kind.strip_prefix("array of ") {
                    field.kinds.insert("array");
                    let kind = KINDS.into_iter().find(|kind| elements.strip_suffix('s') == Some(*kind));
                    let kinds = BTreeSet::from([kind.unwrap_or_else(|| panic!("docs/json.md: array of {elements}?"))]);
                    let origin = (section.to_string(), format!("{}[]", row.path));
                    fields.insert(format!("{path}[]"), Field { kinds, origin, ..Field::default() });
                } else if let Some(kind) = KINDS.into_iter().find(|known| *known == kind) {
                    field.kinds.insert(kind);
                } else {
                    field.kinds.insert("object");
                    self.expand(self.linked(kind), &path, fields);
                }
            }
            let twice = fields.insert(path.clone(), field);
            assert!(twice.is_none(), "docs/json.md: {section}: {path} is described twice");
        }
    }

    fn fields(&self, section: &str) -> BTreeMap<String, Field> {
        let mut fields = BTreeMap::new();
        self.expand(section, "", &mut fields);
        fields
    }

    /// Everything that these sections promise: section, path and type, each where its row is. What they take from another
    /// whole section is promised there.
    pub fn promised<'a>(&'a self, sections: impl Iterator<Item = &'a str>) -> Seen {
        let mut names: BTreeSet<&str> = sections.collect();
        let mut open: Vec<&str> = names.iter().copied().collect();
        let mut fields = Vec::new();
        while let Some(section) = open.pop() {
            for row in &self.sections[section] {
                for kind in row.kind.split(" or ").filter(|kind| kind.starts_with('[')) {
                    let part = self.linked(kind);
                    if !self.sections().any(|whole| whole == part) && names.insert(part) {
                        open.push(part);
                    }
                }
            }
            fields.extend(self.fields(section).into_values().filter(|field| field.origin.0 == section));
        }
        let each = |Field { kinds, origin: (section, path), .. }: Field| {
            kinds.into_iter().map(move |kind| (section.clone(), path.clone(), kind)).collect::<Vec<_>>()
        };
        fields.into_iter().flat_map(each).collect()
    }

    /// Compares `value` with a section. What occurs goes into `seen`, what differs into `wrong`.
    pub fn compare(&self, section: &str, value: &Value, seen: &mut Seen, wrong: &mut Vec<String>) {
        let fields = self.fields(section);
        let mut open = vec![(String::new(), value)];
        while let Some((path, value)) = open.pop() {
            let kind = kind_of(value);
            match fields.get(&path) {
                Some(field) if !field.kinds.contains(kind) => {
                    wrong.push(format!("{section}: {path} is {kind}, not {:?}: {value}", field.kinds));
                    continue;
                }
                Some(Field { origin: (section, path), .. }) => {
                    seen.insert((section.clone(), path.clone(), kind));
                }
                None if path.is_empty() => {}
                None => {
                    wrong.push(format!("{section}: {path} is not described: {value}"));
                    continue;
                }
            }
            match value {
                Value::Array(elements) => open.extend(elements.iter().map(|element| (within(&path, "[]"), element))),
                Value::Object(object) => {
                    let any = within(&path, "{name}");
                    let named = |name: &str| if fields.contains_key(&any) { any.clone() } else { within(&path, name) };
                    open.extend(object.iter().map(|(name, value)| (named(name), value)));
                    for (below, _) in fields.iter().filter(|(_, field)| !field.optional) {
                        let name = match below.rsplit_once('.') {
                            Some((parent, name)) if parent == path => name,
                            None if path.is_empty() => below,
                            _ => continue,
                        };
                        if !name.ends_with("[]") && name != "{name}" && !object.contains_key(name) {
                            wrong.push(format!("{section}: {below} is missing and not said to be optional"));
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
