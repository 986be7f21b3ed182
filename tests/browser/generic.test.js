// Games that the page does not know: chomp, which has no squares to click, and known games drawn from their text.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cell, chooser, clickMove, moves, myTurn, newGame, status, workbenchWithOwnGame } from "./workbench.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { onPage } = workbenchWithOwnGame();
/** Every game is drawn from its text. */
const TEXT = { query: "?board=text" };

const made = (page, count) => page.waitForFunction((count) => Number(document.querySelector("#bench").dataset.moves) === count, count);

async function clean(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  assert.deepEqual(violations.flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target.join(" ")} ${any[0]?.message ?? ""}`)), [], where);
}

async function playOut(page, seed) {
  const choose = chooser(seed);
  while (await myTurn(page)) {
    assert.ok((await moves(page)) < 400, "the game does not end");
    await clickMove(page, choose);
  }
}

onPage("a game the page does not know is played by its list of moves against the engine to a result", "", async (page) => {
  await newGame(page, "chomp", { simulations: 50 });
  await page.waitForSelector(".textboard");
  assert.equal(await page.title(), "Chomp · plyproof");
  assert.equal(await page.locator("#new-game option[value=chomp]").textContent(), "Chomp");
  await myTurn(page);
  assert.equal(await page.locator(".textboard").textContent(), "# # # # #\n# # # # #\n# # # # #\n# # # # #");
  assert.equal(await page.locator(".choice").count(), 20);
  await playOut(page, 4);
  assert.match(await status(page), /^Player [12] wins\.$/);
  assert.equal(await page.locator(".textboard").textContent(), "The board is empty.");
  assert.equal(await page.locator("#choices").isHidden(), true);
});

onPage("a game the page does not know is played by the keyboard, and moves are taken back and undone", "game=chomp", async (page) => {
  await myTurn(page);
  await page.keyboard.press("b");
  for (const key of ["End", "ArrowLeft", "Enter"]) await page.keyboard.press(key);
  await made(page, 1);
  assert.match(page.url(), /moves=d4$/);
  // The keyboard is still in the list, which has the moves of the new position.
  await myTurn(page);
  await page.waitForFunction(() => document.activeElement?.dataset.move === "a1");
  assert.equal(await page.locator(".choice").count(), 18);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await made(page, 2);
  await page.keyboard.press("u");
  await made(page, 1);
  await page.keyboard.press("Control+z");
  await made(page, 2);
  assert.match(page.url(), /moves=d4_b1$/);
  assert.equal(await page.locator(".textboard").textContent(), "#\n#\n#\n#");
});

onPage("many moves without squares are searched, and one that is spelled out is played", "game=chomp(rows=6,columns=9)", async (page) => {
  await myTurn(page);
  assert.equal(await page.locator(".choice").count(), 54);
  await page.keyboard.press("b");
  await page.keyboard.type("c");
  await page.waitForFunction(() => document.querySelectorAll(".choice").length === 6);
  assert.equal(await page.locator("#choices-note").textContent(), "6 of 54 moves.");
  await page.keyboard.press("Enter");
  assert.equal(await moves(page), 0, "six moves are meant");
  await page.keyboard.type("4");
  await page.keyboard.press("Enter");
  await made(page, 1);
  assert.match(page.url(), /moves=c4$/);
  await myTurn(page);
  assert.equal(await page.inputValue("#choices-filter"), "");
  await page.fill("#choices-filter", "zz");
  assert.match(await page.locator("#choices-note").textContent(), /^None of the 33 moves/);
});

onPage("an analysis and a proof of a game the page does not know are shown", "game=chomp(rows=2,columns=3)", async (page) => {
  await page.locator(".switch").click();
  await page.waitForSelector(".choice.best.win");
  assert.equal(await page.locator(".choice.win").textContent(), "c2✓");
  await page.locator(".switch").click();
  await page.click("#tab-proof");
  await page.click("#prove");
  await page.waitForSelector(".certificate .check");
  assert.match(await page.locator("#view-proof").textContent(), /Player 1/);
});

for (const [game, rules] of [["breakthrough", { size: "5x6" }], ["hex", { size: "5" }], ["connect4", {}], ["minishogi", {}], ["domineering", {}]]) {
  onPage(`a whole game of ${game} is played by clicks on squares drawn from its text`, "", async (page) => {
    await newGame(page, game, { rules, simulations: 100 });
    await page.waitForSelector(".board.look-generic");
    await playOut(page, 7);
    assert.match(await status(page), /^(Player [12] wins( by \d+)?|Draw)\.$/);
    assert.equal(await page.locator(".moves .move").count(), await moves(page));
  }, TEXT);
}

onPage("squares drawn from text are named, picked by the keyboard and turned", "game=breakthrough(size=5x6)", async (page) => {
  await myTurn(page);
  assert.equal(await cell(page, "b2").getAttribute("aria-label"), "b2, Player 1 x, can move");
  assert.equal(await cell(page, "c3").getAttribute("aria-label"), "c3, empty");
  await page.keyboard.press("b");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  assert.equal(await page.locator(".cell.picked").getAttribute("data-cell"), "a2");
  assert.deepEqual(await page.locator(".cell.target").evaluateAll((all) => all.map((node) => node.dataset.cell)), ["a3", "b3"]);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await made(page, 1);
  assert.match(page.url(), /moves=a2a3$/);
  await page.keyboard.press("u");
  await made(page, 0);
  const corner = () => cell(page, "a1").boundingBox();
  const before = await corner();
  await page.keyboard.press("f");
  const after = await corner();
  assert.ok(after.x > before.x && after.y < before.y, "a1 is at the top right of a board that is turned");
}, TEXT);

onPage("an analysis is drawn over squares from text, and the rows of Hex lean", "game=hex(size=4)", async (page) => {
  await page.locator(".switch").click();
  await page.waitForSelector(".overlay .hit.best");
  await page.locator(".switch").click();
  const [a1, b1, a2] = await Promise.all(["a1", "b1", "a2"].map((id) => cell(page, id).boundingBox()));
  assert.ok(Math.abs(a2.x - (a1.x + b1.x) / 2) < 2, "half a square a row, so that neighbours touch");
}, TEXT);

onPage("text that is no grid, and moves of other forms, are read as what they are", "game=chomp", async (page) => {
  const found = await page.evaluate(async () => {
    const { readGrid, squaresIn } = await import("/boards/textgrid.js");
    const plain = readGrid(" 2 . x\n 1 O #\n   a b\nin hand: P");
    const framed = readGrid("  a b c\n +-----+\n1 |k . Q| 1\n2 |. . .| 2\n +-----+\n  a b c");
    const dense = readGrid("12 ..xo\n11 ....\n   abcd\n   a b c d");
    const none = ["", "# #\n#", "1 a b\n3 . .", "3 . .\n1 . .\n  a b", "2 . .\n1 .\n  a b", "  b c\n1 . ."].map(readGrid);
    const board = { files: [..."abcdefgh"], ranks: [8, 7, 6, 5, 4, 3, 2, 1] };
    const named = ["e4", "b1d3", "d1d7g7", "a1-c3-e5-g7", "e7xe8=Q", "Nf3", "R1a3", "a9", "a1a10", "a01", "pass", "3"].map((text) => squaresIn(text, board).join(" "));
    return { plain, framed, dense, none, named };
  });
  assert.deepEqual(found.plain, { files: ["a", "b"], ranks: [2, 1], rows: [[null, "x"], ["O", "#"]], slant: 0, extra: "in hand: P" });
  assert.deepEqual(found.framed, { files: ["a", "b", "c"], ranks: [1, 2], rows: [["k", null, "Q"], [null, null, null]], slant: 0, extra: "" });
  assert.deepEqual(found.dense.rows[0], [null, null, "x", "o"]);
  assert.deepEqual(found.none, [null, null, null, null, null, null]);
  assert.deepEqual(found.named, ["e4", "b1 d3", "d1 d7 g7", "a1 c3 e5 g7", "e7 e8", "f3", "a3", "", "", "", "", ""]);
});

/** A board of the page's own making with given text and moves; what is played is collected in `window.played`. */
const setBoard = (page, text, legal) =>
  page.evaluate(async ([text, legal]) => {
    const [{ Board }, { Choices }, { generic }] = await Promise.all(["/board.js", "/choices.js", "/boards/generic.js"].map((path) => import(path)));
    window.played = [];
    const play = (move) => window.played.push(move);
    const list = document.querySelector("#choices");
    const board = new Board(document.querySelector("#board"), new Choices(list, play), play);
    board.show({ family: generic, board: generic.parse({ board: text }), key: "test", label: "Board", legal, all: legal, last: null, flip: false, options: {} });
  }, [text, legal]);

onPage("moves of three squares narrow down click by click, and moves that are equal in squares are asked for", "game=chomp", async (page) => {
  const text = " 3 . . .\n 2 . P .\n 1 x . o\n   a b c";
  await setBoard(page, text, ["a1a2a3", "a1a2b1", "a1b1a2", "b2b3Q", "b2b3N", "c1", "c1c2", "c1c2c3", "swap"]);
  const targets = () => page.locator(".cell.target").evaluateAll((all) => all.map((node) => node.dataset.cell).sort().join(" "));
  const listed = () => page.locator(".choice").evaluateAll((all) => all.map((node) => node.dataset.move).join(" "));
  const played = () => page.evaluate(() => window.played.splice(0).join(" "));
  assert.equal(await listed(), "swap");
  assert.equal(await cell(page, "b2").getAttribute("aria-label"), "b2, Player 1 P, can move");
  await cell(page, "a1").click();
  assert.equal(await targets(), "a2 b1");
  await cell(page, "a2").click();
  assert.equal(await targets(), "a3 b1");
  await cell(page, "b1").click();
  assert.equal(await played(), "a1a2b1");
  // A promotion: the page asks.
  await cell(page, "b2").click();
  await cell(page, "b3").click();
  assert.deepEqual(await page.locator(".question button").allTextContents(), ["b2b3Q", "b2b3N", "Cancel"]);
  await page.locator(".question button").nth(1).click();
  assert.equal(await played(), "b2b3N");
  // A move that others go on from is listed, and made by a second click on its last square.
  await cell(page, "c1").click();
  assert.equal(await listed(), "c1 swap");
  await cell(page, "c2").click();
  assert.equal(await listed(), "c1c2 swap");
  await page.locator(".choice").first().click();
  assert.equal(await played(), "c1c2");
  await page.keyboard.press("Escape");
  await setBoard(page, text, ["c1", "c1c2"]);
  await cell(page, "c1").click();
  await page.waitForTimeout(450);
  await cell(page, "c1").click();
  assert.equal(await played(), "c1");
});

onPage("two thousand moves are picked by three clicks each, or searched where there are no squares", "game=chomp", async (page) => {
  const squares = Array.from({ length: 100 }, (_, n) => `${"abcdefghij"[n % 10]}${1 + Math.floor(n / 10)}`);
  const legal = squares.slice(50, 96).flatMap((to) => squares.slice(0, 48).map((shot) => `d1${to}${shot}`));
  assert.ok(legal.length > 2176);
  const row = (n) => `${String(n).padStart(2)} ${n === 1 ? ". . . x . . o . . ." : ". . . . . . . . . ."}`;
  const text = `${[10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(row).join("\n")}\n   a b c d e f g h i j`;
  await setBoard(page, text, legal);
  for (const id of ["d1", "c6", "j1"]) await cell(page, id).click();
  assert.deepEqual(await page.evaluate(() => window.played), ["d1c6j1"]);
  await setBoard(page, "a board of words", legal);
  assert.equal(await page.locator(".choice").count(), 200);
  assert.match(await page.locator("#choices-note").textContent(), /^The first 200 of 2,208 moves are listed/);
  await page.locator("#choices-filter:visible").last().fill("d1c6j1");
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.evaluate(() => window.played), ["d1c6j1"]);
});

for (const colorScheme of ["light", "dark"]) {
  onPage(`axe finds nothing on a board of text, ${colorScheme}`, "game=chomp(rows=6,columns=9)", async (page) => {
    await myTurn(page);
    await clean(page, "the list of moves");
    await page.locator(".switch").click();
    await page.waitForSelector(".choice.best");
    await page.locator(".switch").click();
    await page.waitForTimeout(300);
    await clean(page, "after an analysis");
  }, { colorScheme });

  onPage(`axe finds nothing on squares drawn from text, ${colorScheme}`, "game=minishogi&moves=a1b2", async (page) => {
    await myTurn(page);
    await page.waitForSelector(".caption");
    await clean(page, "the board");
  }, { colorScheme, ...TEXT });
}

onPage("axe finds nothing on a board of text on a phone, and the page is as wide as the screen", "game=chomp(rows=6,columns=9)", async (page) => {
  await myTurn(page);
  await clean(page, "a phone");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
