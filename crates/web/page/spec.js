// name(param=value,…), as the whole project writes games and agents.

/** Splits a spec into its name and a map of its parameters. The server has checked it. */
export function parseSpec(text) {
  const open = text.indexOf("(");
  if (open < 0) return { name: text.trim(), params: {} };
  const params = {};
  for (const part of parts(text.slice(open + 1, text.lastIndexOf(")")))) {
    const at = part.indexOf("=");
    if (at >= 0) params[part.slice(0, at).trim()] = unquoted(part.slice(at + 1).trim());
  }
  return { name: text.slice(0, open).trim(), params };
}

/** The parts between the commas that stand neither in parentheses nor between quotation marks. */
function parts(text) {
  const found = [""];
  let [depth, quoted] = [0, false];
  for (const sign of text) {
    if (sign === "'") quoted = !quoted;
    else if (!quoted && sign === "(") depth += 1;
    else if (!quoted && sign === ")") depth -= 1;
    if (sign === "," && !depth && !quoted) found.push("");
    else found[found.length - 1] += sign;
  }
  return found;
}

const unquoted = (value) => (/^'.*'$/s.test(value) ? value.slice(1, -1).replaceAll("''", "'") : value);

/** Macros of rules may have any text as their value; elsewhere a comma needs quotation marks. */
const quoted = (value, any) => ((any ? /^[\w.+-]*$/.test(value) : parts(value).length === 1 && !value.includes("'")) ? value : `'${value.replaceAll("'", "''")}'`);

/** Writes a spec with only what differs from the defaults. */
export function writeSpec(described, params) {
  const given = described.parameters
    .filter((p) => params[p.name] !== undefined && params[p.name] !== "" && params[p.name] !== p.default)
    .map((p) => `${p.name}=${quoted(params[p.name], Boolean(described.rules))}`);
  return given.length ? `${described.name}(${given.join(",")})` : described.name;
}

/** The titles of games for people, by name, as the server lists them. */
let titles = new Map();

/** Learns the titles of all games from the server's catalogue. */
export function learnTitles(games) {
  titles = new Map(games.map(({ name, title }) => [name, title]));
}

/** The name of a game for people: "Lines of Action, size 7". */
export function title(spec) {
  const { name, params } = parseSpec(spec);
  const extra = Object.entries(params).map(([key, value]) => `${key} ${value}`);
  return [titles.get(name) ?? name, ...extra].join(", ");
}
