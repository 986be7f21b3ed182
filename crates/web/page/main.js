// The page: puts the parts together.

import { byId } from "./dom.js";
import { Link } from "./link.js";
import { say } from "./notice.js";
import { Table } from "./play.js";
import { applyTheme, set, settings } from "./settings.js";
import { listenKeys } from "./keys.js";
import { learnTitles } from "./spec.js";
import { NewGame } from "./views/newgame.js";
import { Experiments } from "./views/experiments.js";

const catalogue = await fetch("api/catalogue").then((answer) => answer.json());
learnTitles(catalogue.games);
byId("version").textContent = `plyproof ${catalogue.version}`;

const link = new Link({
  news: (search) => table.news(search),
  failed: (role, message, id) => table.failed(role, message, id),
  status: (open) => {
    byId("line").hidden = open;
    if (open) table.connected();
    else table.disconnected();
  },
});
const table = new Table(link, catalogue);
const newGame = new NewGame(byId("new"), catalogue, link, (game) => table.begin(game));
const experiments = new Experiments(byId("experiments"), catalogue.runs, (game) => {
  show("bench");
  table.begin(game);
});

function show(name) {
  const bench = name === "bench";
  if (bench && byId("bench").hidden) window.scrollTo({ top: 0 });
  byId("bench").hidden = !bench;
  byId("experiments").hidden = bench;
  byId("go-board").setAttribute("aria-pressed", String(bench));
  byId("go-experiments").setAttribute("aria-pressed", String(!bench));
  if (bench) experiments.hide();
  else experiments.show();
}

byId("go-board").addEventListener("click", () => show("bench"));
byId("go-experiments").addEventListener("click", () => show("experiments"));
byId("home").addEventListener("click", (event) => {
  event.preventDefault();
  show("bench");
});
byId("new-open").addEventListener("click", () => newGame.open(table.game));
byId("help-open").addEventListener("click", () => byId("help").showModal());

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
  Home: () => table.go(0),
  End: () => table.go(table.game.moves.length),
  b: () => table.scene.focus(),
  f: () => table.flip(),
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

document.documentElement.dataset.ready = "yes";
