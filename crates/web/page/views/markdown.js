// The little of Markdown that the tables of experiments use: headings, paragraphs, tables, bold and code.

import { el } from "../dom.js";

const cellsOf = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

/** Text with **bold** and `code`. */
function inline(text) {
  const plain = text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return plain.split(/(\*\*[^*]+\*\*|`[^`]+`)/).filter(Boolean).map((part) => {
    if (part.startsWith("**")) return el("b", { text: part.slice(2, -2) });
    return part.startsWith("`") ? el("code", { text: part.slice(1, -1) }) : part;
  });
}

/** Elements for a text; pictures are left to those who show them. */
export function markdown(text) {
  const out = [];
  const lines = text.split("\n");
  let paragraph = [];
  // The highest heading of a text is one of the third level on the page.
  const raise = 3 - Math.min(...lines.map((line) => /^#+(?=\s)/.exec(line)?.[0].length ?? 9));
  const close = () => {
    if (paragraph.length) out.push(el("p", {}, ...inline(paragraph.join(" "))));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    const heading = /^(#{1,4})\s+(.*)/.exec(line);
    if (heading) {
      close();
      out.push(el(`h${Math.min(6, heading[1].length + raise)}`, {}, ...inline(heading[2])));
    } else if (line.startsWith("|") && /^\|[\s:|-]+\|?$/.test(lines[at + 1] ?? "")) {
      close();
      const head = cellsOf(line);
      const rows = [];
      at += 2;
      for (; lines[at]?.startsWith("|"); at += 1) rows.push(cellsOf(lines[at]));
      at -= 1;
      out.push(el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" }, el("table", { class: "data" },
        el("thead", {}, el("tr", {}, ...head.map((cell, i) => el("th", { scope: "col", class: i ? "n" : null }, ...inline(cell))))),
        el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell, i) => el(i ? "td" : "th", { class: i ? "n" : null, scope: i ? null : "row" }, ...inline(cell)))))))));
    } else if (!line.trim()) {
      close();
    } else if (!line.startsWith("![") && !line.startsWith("```")) {
      paragraph.push(line.trim());
    }
  }
  close();
  return out;
}
