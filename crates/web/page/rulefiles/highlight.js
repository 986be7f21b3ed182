// Colours for rules in RBG and in KIF, line by line: what kind each part of a line is.

const SECTIONS = new Set(["#players", "#pieces", "#variables", "#board", "#rules", "#use"]);
const KEYWORDS = new Set(["role", "init", "true", "does", "legal", "next", "terminal", "goal", "distinct", "not", "or", "base", "input"]);
const RBG = /(\/\/.*|\/\*)|(#\w+)|(->>|->\w+)|(\$\s*\w*)|(\d+)|(\w+)|(\{[?!]?|\}|\[|\])|(.)/g;
const KIF = /(;.*)|(\?[^\s()]+)|(<=)|(\d+)(?=[\s()]|$)|([^\s();?]+)|([()])|(.)/g;

/** The language of a text under a name, as the program decides it. */
export const languageOf = (name, text) => (/\.(kif|gdl)$/i.test(name) || (!/\.rbg$/i.test(name) && /^\uFEFF?\s*[(;]/.test(text)) ? "kif" : "rbg");

/** The macros that a text defines. */
export const macrosOf = (text) => new Set([...text.matchAll(/#(\w+)/g)].map(([, name]) => name));

/** The parts of a line, [kind, text], and whether a comment goes on in the next line: {parts, open}. */
export function partsOf(line, language, macros, open) {
  const parts = [];
  const add = (kind, text) => {
    if (parts.at(-1)?.[0] === kind) parts.at(-1)[1] += text;
    else parts.push([kind, text]);
  };
  let rest = line;
  while (rest) {
    if (open) {
      const end = rest.indexOf("*/");
      add("comment", end < 0 ? rest : rest.slice(0, end + 2));
      if (end < 0) return { parts, open: true };
      rest = rest.slice(end + 2);
      open = false;
      continue;
    }
    let from = rest.length;
    const pattern = language === "kif" ? KIF : RBG;
    pattern.lastIndex = 0;
    for (const found of rest.matchAll(pattern)) {
      const [text] = found;
      if (language === "rbg" && text === "/*") {
        open = true;
        from = found.index;
        break;
      }
      add(language === "kif" ? kifKind(found) : rbgKind(found, macros), text);
    }
    rest = rest.slice(from);
    if (open) {
      add("comment", "/*");
      rest = rest.slice(2);
    }
  }
  return { parts, open };
}

function rbgKind([, comment, hash, change, variable, number, word, bracket], macros) {
  if (comment) return "comment";
  if (hash) return SECTIONS.has(hash) ? "section" : "define";
  if (change) return "switch";
  if (variable || number) return "number";
  if (word) return macros.has(word) ? "macro" : "word";
  return bracket ? "bracket" : "plain";
}

function kifKind([, comment, variable, arrow, number, word, bracket]) {
  if (comment) return "comment";
  if (variable) return "macro";
  if (arrow) return "switch";
  if (number) return "number";
  if (word) return KEYWORDS.has(word.toLowerCase()) ? "section" : "word";
  return bracket ? "bracket" : "plain";
}
