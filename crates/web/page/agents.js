// Agents with their parameters: the form that is made from their description, and the specs that it writes.

import { el, put } from "./dom.js";
import { parseSpec, writeSpec } from "./spec.js";
import { WORDS } from "./words.js";

/** Parameters that people turn while they watch: a slider for each, and how far it goes. */
const SLIDERS = { c: ["C", 0, 2, 0.01], pn: ["C_pn", 0, 5, 0.05], w: ["w", 0, 5, 0.05] };

/** The name of an agent without its parameters. */
export const agentName = (spec) => parseSpec(spec).name;

/**
 * A form for the parameters of an agent: {node, show(spec)}. `changed(spec)` is called with the agent in its shortest
 * spelling; `id` begins the ids of the fields.
 */
export function agentForm(id, agents, changed) {
  const node = el("div", { class: "agent-form" });
  let described = null;
  const tell = () => {
    const params = {};
    for (const input of node.querySelectorAll("[data-param]")) params[input.dataset.param] = input.value.trim();
    changed(writeSpec(described, params));
  };
  const fieldOf = (parameter, value) => {
    const { name, help, allowed, choices } = parameter;
    const field = `${id}-${name}`;
    const slider = SLIDERS[name];
    const numberOf = (text) => (text === "sqrt2" ? Math.SQRT2 : Number(text));
    const usual = numberOf(parameter.default);
    const shown = el("p", { class: "field" }, el("label", { for: field, text: slider ? `${slider[0]} (${name})` : name, title: (slider && WORDS[slider[0]]) ?? help }));
    const input = choices.length
      ? el("select", { id: field, "data-param": name, title: help }, ...choices.map((word) => el("option", { value: word, text: word })))
      : el("input", { id: field, "data-param": name, spellcheck: "false", title: `${help} (${allowed})` });
    input.value = value;
    input.addEventListener("change", tell);
    if (slider && Number.isFinite(usual)) {
      const [, least, most, step] = slider;
      const range = el("input", { type: "range", min: least, max: Math.max(most, 2 * usual), step, value: numberOf(value) || 0, "aria-label": `${slider[0]} as a slider` });
      range.addEventListener("input", () => {
        input.value = range.value;
      });
      range.addEventListener("change", tell);
      input.addEventListener("change", () => (range.value = numberOf(input.value)));
      shown.append(el("span", { class: "slide" }, range, input));
    } else {
      shown.append(input);
    }
    return shown;
  };
  let painted = "";
  const show = (spec) => {
    if (spec === painted && described) return;
    painted = spec;
    const { name, params } = parseSpec(spec);
    described = agents.find((agent) => agent.name === name);
    if (!described) {
      put(node);
      return;
    }
    const fields = described.parameters.map((parameter) => [parameter, fieldOf(parameter, params[parameter.name] ?? parameter.default)]);
    const main = fields.filter(([{ name }]) => name in SLIDERS).map(([, field]) => field);
    const rest = fields.filter(([{ name }]) => !(name in SLIDERS)).map(([, field]) => field);
    const usual = el("button", { type: "button", class: "link", on: { click: () => changed(name) }, text: `Back to ${name} as it comes` });
    put(node, el("p", { class: "fine", text: described.summary }), spec === name ? null : el("p", {}, usual), ...main,
      rest.length ? el("details", {}, el("summary", { text: `${rest.length} more parameters` }), el("div", { class: "fields" }, ...rest)) : null);
  };
  return { node, show };
}
