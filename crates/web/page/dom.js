// Small helpers to build elements. Text always goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    } else if (name === "text") {
      node.textContent = value;
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** An HTML element. `on` holds event handlers, `text` the text; null and false leave an attribute out. */
export const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element. */
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

/** Replaces the children of a node. */
export function put(node, ...children) {
  node.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

/** 1234567 as "1.23M": numbers that change ten times a second are read at a glance. */
export function short(number) {
  const n = Number(number);
  if (!Number.isFinite(n)) return "";
  const digits = (x) => (x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x.toFixed(2));
  if (n < 1000) return String(Math.round(n));
  if (n < 999_500) return `${digits(n / 1e3)}k`;
  if (n < 999_500_000) return `${digits(n / 1e6)}M`;
  return `${digits(n / 1e9)}G`;
}

export const bytes = (n) => `${short(n)}B`;

/** A proof number: "inf" is infinity, nothing is a dash. */
export const proofNumber = (n) => (n === null || n === undefined ? "–" : n === "inf" ? "∞" : short(n));

/** A value from -1 to 1 with its sign. */
export function signed(v) {
  const size = Math.abs(v).toFixed(2);
  return size === "0.00" ? size : (v > 0 ? "+" : "−") + size;
}

/** A value for the first player in words: "Black +0.06", "White wins: proven", "Even". */
export function valueText(found, names) {
  if (!found) return "–";
  const { value, proven } = found;
  if (proven) return value ? `${names[value > 0 ? 1 : 2]} wins: proven` : "Draw: proven";
  const size = Math.abs(value).toFixed(2);
  return size === "0.00" ? "Even" : `${names[value > 0 ? 1 : 2]} +${size}`;
}

/** Offers a text as a file. */
export function download(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Calls `work` at most once a frame, with the last arguments. */
export function eachFrame(work) {
  let waiting = null;
  return (...given) => {
    if (waiting === null) {
      requestAnimationFrame(() => {
        const last = waiting;
        waiting = null;
        work(...last);
      });
    }
    waiting = given;
  };
}
