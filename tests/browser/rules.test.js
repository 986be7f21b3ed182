// Games from texts of rules: dropped on the page, written in the editor, played, proven and kept, with a server and without.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { staticSite } from "./site.js";
import { cell, moves, newGame, status, workbench } from "./workbench.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const own = (name) => readFileSync(new URL(`../../crates/rules/tests/data/${name}`, import.meta.url), "utf8");
const [ROW, HEX, PAWNS] = ["three-in-a-row.rbg", "hexagon.rbg", "pawns.rbg"].map(own);
const RING = readFileSync(new URL("../../crates/web/page/rulefiles/starters/ring.rbg", import.meta.url), "utf8");

const { onPage } = workbench();
const { onSite } = staticSite();

/** Drops files on the page, as a person does with the mouse. */
const drop = async (page, files) => {
  const data = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const [name, text] of given) transfer.items.add(new File([text], name, { type: "text/plain" }));
    return transfer;
  }, files);
  await page.dispatchEvent("body", "dragenter", { dataTransfer: data });
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
};

const tile = (page, name) => page.locator(`#my-rules [data-game="${name}"]`);

/** A game in the gallery, opened on the board with nobody but people at it. */
async function opened(page, name, text) {
  await drop(page, [[name, text]]);
  await tile(page, name).locator('[data-way="prove"]').click();
  await page.waitForSelector("#board .cell.movable");
}

const made = (page, count) => page.waitForFunction((n) => document.querySelector("#bench").dataset.moves === String(n), count);

/** Types rules into the editor, and waits for what is said of them. */
async function typed(page, text, said) {
  await page.fill("#rules-text", text);
  await page.waitForFunction((part) => document.querySelector("#rules-status").textContent.includes(part), said);
}

async function clean(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target.join(" ")} ${any[0]?.message ?? ""}`));
  assert.deepEqual(found, [], where);
}

/** What must be so with a server and without: a dropped file is played, proven and verified, and kept over a reload. */
async function wholeWay(page) {
  await page.waitForSelector(".tile");
  await opened(page, "row.rbg", ROW);
  await cell(page, "rx1y1").click();
  await made(page, 1);
  await page.waitForSelector("#board .cell.movable");
  assert.match(await status(page), /Second/);
  await cell(page, "rx0y0").click();
  await made(page, 2);
  await page.reload();
  await page.waitForSelector("#board .cell.movable");
  assert.equal(await moves(page), 2);
  assert.equal(await page.locator("#board .piece").count(), 2);
  await page.click("#tab-proof");
  await page.click("#prove");
  await page.waitForSelector(".certificate .check", { timeout: 60_000 });
  assert.match(await page.locator(".badge-line").textContent(), /draw/);
  await page.locator(".certificate .check").first().click();
  await page.waitForSelector(".certificate .holds, .certificate .error");
  assert.match(await page.locator(".certificate .holds").first().textContent(), /^Verified: in row\.rbg from /);
  // Without the moves of this session, as in another tab, the rules come from the gallery.
  await page.waitForTimeout(500);
  const address = page.url();
  assert.match(address, /#game=row\.rbg&moves=rx1y1_rx0y0$/);
  const other = await page.context().newPage();
  await other.goto(address);
  await other.waitForSelector("#board .cell.movable");
  assert.equal(await other.locator("#board .piece").count(), 2);
  await other.close();
  await page.click("#go-library");
  await page.locator(".kept .open").first().click();
  await page.waitForFunction(() => document.querySelectorAll("#board .piece").length === 2);
  await page.click("#go-home");
  await tile(page, "row.rbg").locator(".remove").click();
  await tile(page, "row.rbg").waitFor({ state: "detached" });
  // A game that is kept remembers its rules.
  await page.click("#go-library");
  await page.locator(".kept .open").first().click();
  await page.waitForFunction(() => document.querySelectorAll("#board .piece").length === 2);
}

onPage("a dropped file is a game that is played, proven, verified and kept", "home", wholeWay);
onSite("a dropped file is such a game without a server too", "home", wholeWay);

onPage("moves are clicked on squares, hexagons and a graph", "home", async (page) => {
  await page.waitForSelector(".tile");
  await opened(page, "pawns.rbg", PAWNS);
  assert.equal(await cell(page, "rx1y3").getAttribute("aria-label"), "rx1y3, White pawnWhite, can move");
  await cell(page, "rx1y3").click();
  const targets = () => page.locator("#board .cell.target").evaluateAll((all) => all.map((node) => node.dataset.cell).sort().join(" "));
  assert.equal(await targets(), "rx0y2 rx1y2 rx2y2");
  await cell(page, "rx2y2").click();
  await made(page, 1);
  await page.waitForSelector("#board .cell.movable");
  await page.click("#go-home");
  await opened(page, "hexagon.rbg", HEX);
  assert.equal(await page.locator("#board path.shape").count(), 9);
  await cell(page, "hx1y2").click();
  await made(page, 1);
  assert.equal(await page.locator("#board .piece.hue-red").count(), 1);
  await page.click("#go-home");
  await opened(page, "ring.rbg", RING);
  assert.deepEqual([await page.locator("#board .decor .edge").count(), await page.locator("#board circle.shape").count()], [7, 7]);
  // One stone, or this one and the next: what may go on is asked for by a second click.
  await cell(page, "c").click();
  assert.equal(await targets(), "d");
  await cell(page, "d").click();
  await made(page, 1);
  assert.equal(await page.locator("#board .own-sign").count(), 5);
});

onPage("pieces have owners by their names, comments say how they are drawn, and facts make a grid", "home", async (page) => {
  const found = await page.evaluate(async () => {
    const { pieceStyles, commentsOf, lookOf } = await import("/boards/owners.js");
    const { fromFacts, factsIn } = await import("/boards/facts.js");
    const { graphPlaces } = await import("/boards/graph.js");
    const { parseSpec, writeSpec } = await import("/spec.js");
    const owners = (players, names, text = "") => {
      const styles = pieceStyles(names, players, commentsOf(text));
      return names.map((name) => `${name}:${styles.get(name)?.owner ?? "-"}`).join(" ");
    };
    const signs = (players, names, text) => {
      const styles = pieceStyles(names, players, commentsOf(text));
      return names.map((name) => styles.get(name)?.draw().querySelector("text, image")?.tagName + (styles.get(name)?.draw().textContent ?? "")).join(" ");
    };
    const facts = fromFacts({ players: ["xplayer", "oplayer"], board: null }, null);
    const board = facts.parse({ position: "cell(1,1,x) cell(1,2,b) cell(2,1,o) cell(2,2,b) control(xplayer)" });
    const grid = Array.from({ length: 3 }, (_, y) => [0, 1, 2].map((x) => [x, y])).flat();
    const edges = grid.flatMap(([x, y]) => [...(x < 2 ? [[3 * y + x, 3 * y + x + 1]] : []), ...(y < 2 ? [[3 * y + x, 3 * y + x + 3]] : [])]);
    const game = { name: "a.rbg", rules: "…", parameters: [{ name: "line", default: "d" }] };
    return {
      owners: [
        owners(["white", "black"], ["empty", "pawnWhite", "wKing", "blackRook", "wall"]), owners(["red", "blue"], ["e", "r", "b"]),
        owners(["first", "second"], ["none", "x", "o"]), owners(["xplayer", "oplayer"], ["b", "x", "o"]), owners(["w", "b"], ["e", "kingW", "rookB"]),
      ],
      looks: [["white", "black"], ["black", "white"], ["red", "blue"], ["south", "north"]].map((players) => lookOf(players)),
      signs: signs(["white", "black"], ["wKing", "wKnight", "wPawnMoved", "wPawn", "wPiece", "hole"], "// draw: wKing = ♔\n//draw: hole = data:image/png;base64,AA\n"),
      evil: signs(["white", "black"], ["hole"], "// draw: hole = https://example.org/x.png\n"),
      facts: [factsIn("(cell 1 1 b) (control x)"), factsIn("step(3) done")],
      pieces: facts.pieces(board).map(({ cell, owner }) => `${cell}:${owner}`).join(" "),
      cells: facts.layout(board, false).cells.map(({ id }) => id).join(", "),
      caption: facts.caption(board),
      clicks: [facts.steps("mark(1,2)"), facts.steps("move(1,1,2,2)"), facts.steps("noop")],
      listed: facts.parse({ position: "heap(3) control(a)" }) && fromFacts({ players: ["a", "b"], board: null }, null).layout({ facts: factsIn("heap(3) heap(4) control(a)"), xs: [], ys: [] }, false).text,
      places: graphPlaces(9, edges, []).map(([x, y]) => [Math.round(x / 1.14), Math.round(y / 1.14)].join(",")).join(" "),
      mill: graphPlaces(6, [[0, 1, 0], [1, 2, 0], [3, 4, 0], [4, 5, 0], [0, 3, 1], [5, 2, 2]], [], ["right", "down", "up"]).join(" "),
      circle: graphPlaces(3, [[0, 1, 0], [1, 2, 0], [2, 0, 0]], [[9, 9]], ["right"]).length,
      spec: [writeSpec(game, { line: "[e, 'x']" }), parseSpec("a.rbg(line='[e, ''x'']',n=2)").params],
    };
  });
  assert.deepEqual(found.owners, ["empty:- pawnWhite:1 wKing:1 blackRook:2 wall:0", "e:- r:1 b:2", "none:- x:1 o:2", "b:- x:1 o:2", "e:- kingW:1 rookB:2"]);
  assert.deepEqual(found.looks, ["rules-1white-2black", "rules-1black-2white", "rules-1red-2blue", "rules-1white-2black"]);
  assert.equal(found.signs, "text♔ textN textPa textPa textPi image");
  assert.equal(found.evil, "texthttp", "nothing is loaded from elsewhere");
  assert.deepEqual(found.facts, [[["cell", "1", "1", "b"], ["control", "x"]], [["step", "3"], ["done"]]]);
  assert.deepEqual([found.pieces, found.cells, found.caption], ["1 1:1 2 1:2", "1 2, 2 2, 1 1, 2 1", "control: xplayer"]);
  assert.deepEqual(found.clicks, [[["1 2"]], [["1 1", "2 2"]], []]);
  assert.equal(found.listed, "heap: 3, 4\ncontrol: a");
  assert.equal(found.places, "0,0 1,0 2,0 0,1 1,1 2,1 0,2 1,2 2,2");
  assert.deepEqual([found.mill, found.circle], ["0,0 1,0 2,0 0,1 1,1 2,1", 3]);
  assert.deepEqual(found.spec, ["a.rbg(line='[e, ''x'']')", { line: "[e, 'x']", n: "2" }]);
});

onPage("the engine plays a game from rules, and analyses it", "home", async (page) => {
  await page.waitForSelector(".tile");
  await drop(page, [["row.rbg", ROW]]);
  await tile(page, "row.rbg").waitFor();
  await newGame(page, "row.rbg", { agent: "mcts", simulations: 200 });
  await page.waitForSelector("#board .cell.movable");
  await cell(page, "rx1y1").click();
  await made(page, 2);
  await page.locator(".switch").click();
  await page.waitForSelector(".overlay .hit");
  await page.locator(".switch").click();
  await page.click("#share");
  await page.waitForFunction(() => /needs the file row\.rbg/.test(document.querySelector("#toast").textContent));
});

onPage("an error in the editor has its line and column, and the board follows the text", "rules-editor", async (page) => {
  await page.waitForSelector("#trial-board .cell.movable");
  await page.fill("#rules-name", "row.rbg");
  await typed(page, ROW.replace("anywhere {none}", "anywhere {nnoe}"), "Line 12, column");
  assert.match(await page.locator("#rules-status").textContent(), /nnoe/);
  assert.equal(await page.locator("#rules-text").getAttribute("aria-invalid"), "true");
  assert.ok(await page.locator(".source-mark").isVisible());
  assert.equal(await page.locator(".source-numbers .wrong").textContent(), "12");
  await page.click("#rules-status .place");
  assert.equal(await page.evaluate(() => {
    const field = document.activeElement;
    return field.value.slice(field.selectionStart, field.selectionStart + 4);
  }), "nnoe");
  assert.ok(await page.locator("#rules-play").isDisabled());
  await typed(page, ROW, "No errors");
  assert.match(await page.locator(".rules-facts").textContent(), /100: first wins \d+ %, second \d+ %, draws \d+ %/);
  await page.locator('#trial-board [data-cell="rx0y0"]').click();
  await page.waitForFunction(() => document.querySelector(".trial").dataset.moves === "1");
  // Other rules for the same squares: the moves that were made are made again.
  await typed(page, ROW.replace("[$ first = 50]", "[$ first = 40]"), "No errors");
  await page.waitForFunction(() => document.querySelectorAll("#trial-board .piece").length === 1);
  await page.click("#trial-engine");
  await page.locator('#trial-board [data-cell="rx1y1"]').click();
  await page.waitForFunction(() => Number(document.querySelector(".trial").dataset.moves) >= 3);
  await page.click("#rules-balance");
  await page.waitForFunction(() => document.querySelectorAll(".rules-balance tbody tr").length === 3, undefined, { timeout: 60_000 });
  // What was written is still there after a reload.
  await page.reload();
  await page.waitForSelector("#trial-board .cell.movable");
  assert.equal(await page.inputValue("#rules-name"), "row.rbg");
  await page.click("#rules-keep");
  await page.click("#go-home");
  await tile(page, "row.rbg").waitFor();
});

onPage("the layout of a text can be tidied, and undone by the field's own keys", "rules-editor", async (page) => {
  await page.waitForSelector("#trial-board .cell.movable");
  const untidy = ROW.replace("#line = [none, none, none]", "#line   =   [none,none,none]");
  await typed(page, untidy, "No errors");
  await page.click("#rules-format");
  await page.waitForFunction((text) => document.querySelector("#rules-text").value !== text, untidy);
  await page.waitForFunction(() => document.querySelector("#rules-status").textContent.includes("No errors"));
  await page.focus("#rules-text");
  await page.keyboard.press("Control+z");
  assert.equal(await page.inputValue("#rules-text"), untidy);
});

onPage("a file with an error opens in the editor, and what is no rules file is refused", "home", async (page) => {
  await page.waitForSelector(".tile");
  await drop(page, [["bad.rbg", "#players = a(1), b(1)\n#pieces = e, x,\n"]]);
  await page.waitForSelector("#rules-status .place");
  assert.equal(await page.inputValue("#rules-name"), "bad.rbg");
  for (const [name, text, said] of [["x.txt", "hello", "no rules file"], ["kifu.kif", "# KIF", "no rules file"], ["large.rbg", "x".repeat(95_000), "larger than 90 kB"]]) {
    await drop(page, [[name, text]]);
    await page.waitForFunction((part) => document.querySelector("#toast").textContent.includes(part), said);
  }
  await page.goto(`${page.url().split("#")[0]}#game=nowhere.rbg`);
  await page.waitForSelector("#notice:not([hidden])");
  assert.match(await page.locator("#notice-text").textContent(), /nowhere\.rbg, are not in this browser/);
});

onPage("hostile texts are answered, and others are served meanwhile", "rules-editor", async (page) => {
  await page.waitForSelector("#trial-board .cell.movable");
  const doubling = Array.from({ length: 40 }, (_, n) => `#m${n + 1} = m${n} m${n}`).join("\n");
  const head = "#players = a(1), b(1)\n#pieces = e, x\n#variables =\n#board = rectangle(u, d, l, r, [e, e] [e, e])\n";
  await typed(page, `${head}#m0 = u\n${doubling}\n#rules = ->a m40 ->b\n`, "more than");
  await typed(page, `${head}#rules = ${"(".repeat(40_000)}`, "Line 5");
  await typed(page, `${head}#rules = (->a u* [x] ->>)*\u0000`, "Line 5");
  // A keeper that never ends, and a game that never does.
  await typed(page, `${head}#rules = ->a (u + d) (->> (u d)* .)* ->b (u + d) [x]\n`, "");
  await page.click("#go-home");
  await page.waitForSelector(".tile .picture");
});

for (const colorScheme of ["light", "dark"]) {
  onPage(`axe finds nothing in the editor, the gallery and boards from rules, ${colorScheme}`, "rules-editor", async (page) => {
    await page.waitForSelector("#trial-board .cell.movable");
    await page.waitForSelector(".rules-facts");
    await clean(page, "the editor");
    await page.fill("#rules-name", "row.rbg");
    await typed(page, ROW.replace("{none}", "{nnoe}"), "Line 12");
    await clean(page, "an error");
    await typed(page, PAWNS, "No errors");
    if (colorScheme === "light") {
      await page.click("#rules-balance");
      await page.waitForFunction(() => document.querySelectorAll(".rules-balance tbody tr").length >= 1);
    }
    await clean(page, "figures and a measure of balance");
    await page.click("#rules-keep");
    await page.click("#go-home");
    await tile(page, "row.rbg").waitFor();
    await page.waitForSelector("#my-rules .picture");
    await clean(page, "the gallery");
    await opened(page, "ring.rbg", RING);
    await clean(page, "a graph");
  }, { colorScheme });
}

onPage("the editor fits on a phone", "rules-editor", async (page) => {
  await page.waitForSelector("#trial-board .cell.movable");
  await clean(page, "a phone");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await page.locator('#trial-board [data-cell="rx0y0"]').tap();
  await page.waitForFunction(() => document.querySelector(".trial").dataset.moves === "1");
}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
