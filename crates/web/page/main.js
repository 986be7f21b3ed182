// The page: puts the parts together, and shows what the address names.

import { connect, fetchCatalogue, local } from "./backend.js";
import { byId } from "./dom.js";
import { linkOf } from "./game.js";
import { listenKeys } from "./keys.js";
import { learnLevels } from "./levels.js";
import { keepSoon } from "./library.js";
import { say } from "./notice.js";
import { Table } from "./play.js";
import { bring, listenDrops } from "./rulefiles/bring.js";
import { fillCatalogue } from "./rulefiles/gallery.js";
import { withDrawings } from "./rulefiles/known.js";
import { applyTheme, set, settings } from "./settings.js";
import { NewGame } from "./views/newgame.js";
import { paintGlossary } from "./words.js";

const catalogue = await fetchCatalogue();
await fillCatalogue(catalogue);
learnLevels(catalogue.levels, catalogue.engines);
byId("version").textContent = `plyproof ${catalogue.version}${local ? ", the engine runs in this browser" : ""}`;

const link = withDrawings(await connect({
  news: (search) => table.news(search),
  failed: (role, message, id) => table.failed(role, message, id),
  job: (news) => jobs.get(news.id)?.(news),
  status: (open) => {
    byId("line").hidden = open;
    if (open) table.connected();
    else table.disconnected();
  },
}));
/** Who hears of matches and measurements, by their ids. */
const jobs = new Map();
const table = new Table(link, catalogue);
table.onChange = keepSoon;

/** Puts a game on the board; the step before stays in the history. */
function board(game) {
  history.pushState(null, "", `#${linkOf(game)}`);
  show("bench");
  return table.begin(game);
}

const newGame = new NewGame(byId("new"), catalogue, link, board);

/** A way into a game from the front door. */
async function enter(way, game) {
  if (way === "play") {
    newGame.open({ ...table.game, ...game, seats: { 1: "human", 2: "engine" }, level: table.game.level, engines: {} });
    return;
  }
  await board({ ...game, seats: { 1: "human", 2: "human" } });
  if (way === "analyse") {
    table.tab("table");
    table.toggleEngine(true);
  } else {
    table.tab("proof");
    byId("prove").focus();
  }
}

/** Takes a rules file into the gallery and shows it there, or opens the editor with what is wrong. */
async function take(file) {
  const name = await bring(file, (name, text) => table.checkRules(name, text), (name, text) => edit({ name, text }));
  if (!name) return;
  if (shown !== "home-page") visit("#home");
  document.querySelector(`#my-rules [data-game="${CSS.escape(name)}"]`)?.scrollIntoView({ block: "nearest" });
}
listenDrops(take);

/** Opens rules in the editor. */
async function edit(rules) {
  history.pushState(null, "", "#rules-editor");
  show("rules-page");
  (await viewOf("rules-page")).open(rules);
}

/** The pages beside the board, each loaded when it is first shown. */
const PAGES = {
  "home-page": async (host) => new (await import("./views/home.js")).Home(host, table, enter, take),
  "rules-page": async (host) => new (await import("./rulefiles/editor.js")).RulesEditor(host, table, jobs, local, enter),
  "library-page": async (host) => new (await import("./views/mygames.js")).MyGames(host, table, board),
  "experiments-page": async (host) => new (await import("./views/experiments.js")).Experiments(host, catalogue, table, jobs, board),
  "studio-page": async (host) => new (await import("./views/studio.js")).Studio(host, catalogue, table, jobs, local),
  "learn-page": async (host) => new (await import("./views/learn.js")).Learn(host, catalogue, table),
};
const views = new Map();

async function viewOf(id) {
  if (!views.has(id)) views.set(id, await PAGES[id](byId(id)));
  return views.get(id);
}
const BUTTONS = { "home-page": "go-home", bench: "go-board", "library-page": "go-library", "experiments-page": "go-experiments", "rules-page": "go-rules", "studio-page": "go-studio", "learn-page": "go-learn" };
let shown = null;

function show(name) {
  if (name === "bench" && shown !== "bench") window.scrollTo({ top: 0 });
  for (const [id, button] of Object.entries(BUTTONS)) {
    byId(id).hidden = id !== name;
    byId(button).setAttribute("aria-pressed", String(id === name));
    if (id !== name && id === shown) views.get(id)?.hide?.();
  }
  shown = name;
  if (name !== "bench") document.title = `${byId(BUTTONS[name]).textContent} · plyproof`;
}

/** Shows what the address names. */
async function route(first = false) {
  const hash = location.hash.replace(/^#/, "");
  const [name, rest] = [/^[a-z-]*/.exec(hash)[0], hash.slice(hash.indexOf("=") + 1)];
  if (name === "game") {
    show("bench");
    if (!first) table.follows(location.hash);
    return;
  }
  const pages = { rules: "home-page", "rules-editor": "rules-page", home: "home-page", library: "library-page", experiments: "experiments-page", match: "experiments-page", results: "experiments-page", studio: "studio-page", learn: "learn-page" };
  const page = pages[name] ?? "home-page";
  show(page);
  const view = await viewOf(page);
  if (shown !== page) return;
  if (name === "rules") view.showRules(decodeURIComponent(rest));
  else if (name === "rules-editor") view.show(hash.includes("=") ? decodeURIComponent(rest) : null);
  else if (name === "match") view.show({ match: decodeURIComponent(rest) });
  else if (name === "results") view.show({ experiment: decodeURIComponent(rest) });
  else view.show(null);
}

/** Goes to an address of this page. */
function visit(address) {
  if (location.hash !== address) history.pushState(null, "", address);
  route();
}

addEventListener("hashchange", () => route());
for (const [id, address] of [["go-home", "#home"], ["go-library", "#library"], ["go-experiments", "#experiments"], ["go-rules", "#rules-editor"], ["go-studio", "#studio"], ["go-learn", "#learn"]]) {
  byId(id).addEventListener("click", () => visit(address));
}
byId("go-board").addEventListener("click", () => {
  visit(`#${linkOf(table.game)}`);
  table.scene.show();
});
byId("new-open").addEventListener("click", () => newGame.open(table.game));
byId("help-open").addEventListener("click", () => byId("help").showModal());
paintGlossary(byId("glossary"));

const THEMES = { auto: ["light", "Colours: as the system"], light: ["dark", "Colours: light"], dark: ["auto", "Colours: dark"] };
function paintTheme() {
  applyTheme();
  const [, label] = THEMES[settings.theme];
  byId("theme").setAttribute("aria-label", label);
  byId("theme").title = label;
}
byId("theme").addEventListener("click", () => {
  set("theme", THEMES[settings.theme][0]);
  paintTheme();
  say(THEMES[settings.theme][1]);
});
paintTheme();

listenKeys({
  ArrowLeft: () => table.step(-1),
  ArrowRight: () => table.step(1),
  ArrowUp: () => table.sibling(-1),
  ArrowDown: () => table.sibling(1),
  Home: () => table.go(0),
  End: () => table.go(table.game.moves.length),
  b: () => table.scene.focus(),
  f: () => table.flip(),
  h: () => table.askHint(),
  l: () => table.toggleEngine(),
  u: () => table.takeBack(),
  "Ctrl+z": () => table.undo(),
  "Ctrl+Shift+z": () => table.redo(),
  "Ctrl+y": () => table.redo(),
  n: () => newGame.open(table.game),
  "?": () => byId("help").showModal(),
  1: () => table.tab("moves"),
  2: () => table.tab("table"),
  3: () => table.tab("why"),
  4: () => table.tab("tree"),
  5: () => table.tab("proof"),
}, () => !byId("bench").hidden);

route(true);
table.openAddress();
document.documentElement.dataset.ready = "yes";
