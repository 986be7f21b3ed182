// name(param=value,…), as the whole project writes games and agents.

/** Splits a spec into its name and a map of its parameters. The server has checked it. */
export function parseSpec(text) {
  const open = text.indexOf("(");
  if (open < 0) return { name: text.trim(), params: {} };
  const params = {};
  for (const part of text.slice(open + 1, text.lastIndexOf(")")).split(",")) {
    const [key, value] = part.split("=");
    if (value !== undefined) params[key.trim()] = value.trim();
  }
  return { name: text.slice(0, open).trim(), params };
}

/** Writes a spec with only what differs from the defaults. */
export function writeSpec(described, params) {
  const given = described.parameters
    .filter((p) => params[p.name] !== undefined && params[p.name] !== "" && params[p.name] !== p.default)
    .map((p) => `${p.name}=${params[p.name]}`);
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
