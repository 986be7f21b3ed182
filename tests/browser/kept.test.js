// What people did to a game is kept: variations, comments, games of the browser, files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cell, moves, newGame, workbench } from "./workbench.js";

const { onPage } = workbench();

const count = (page, n) => page.waitForFunction((n) => document.querySelector("#bench").dataset.moves === n, String(n));
const ply = (page, n) => page.waitForFunction((n) => document.querySelector("#bench").dataset.ply === n, String(n));
const texts = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((node) => node.textContent));
const EIGHT = "game=connect4&moves=d_d_d_d_e_e_c_b";

/** Goes back to the start and plays another first move. */
async function branch(page) {
  await page.keyboard.press("Home");
  await ply(page, 0);
  await cell(page, "a3").click();
  await count(page, 1);
}

onPage("another move in the middle is a variation beside the game, which can be gone back to, promoted and deleted", EIGHT, async (page) => {
  await branch(page);
  assert.deepEqual(await texts(page, ".variation .move"), ["1a"]);
  assert.equal((await texts(page, ".moves > li > .move")).length, 8);
  // Back to the game by the list, and to the variation by a key.
  await page.locator(".moves > li > .move").nth(7).click();
  await ply(page, 8);
  await page.locator(".moves > li > .move").first().click();
  await ply(page, 1);
  await page.keyboard.press("ArrowDown");
  await count(page, 1);
  assert.equal(await page.locator(".variation [aria-current]").count(), 1);
  await page.click("#promote");
  assert.deepEqual(await texts(page, ".moves > li > .move"), ["1a"]);
  assert.equal((await texts(page, ".variation .move")).length, 8);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelectorAll(".moves > li > .move").length === 8);
  await page.click("#delete-move");
  await count(page, 0);
  assert.equal(await page.locator(".variation").count(), 0);
  // What was deleted comes back as well.
  await page.keyboard.press("Control+z");
  await count(page, 1);
  assert.deepEqual(await texts(page, ".variation .move"), ["1a"]);
});

onPage("variations, comments and marks are there after a reload, and in the list of kept games", EIGHT, async (page) => {
  await branch(page);
  await page.fill("#comment", "Better so?");
  await page.locator("#comment").blur();
  await page.selectOption("#mark", "!?");
  await page.reload();
  await count(page, 1);
  assert.deepEqual(await texts(page, ".variation .move"), ["1a!?"]);
  assert.deepEqual(await texts(page, ".variation .said"), ["Better so?"]);
  await page.waitForTimeout(500);
  await page.click("#go-library");
  const name = page.locator(".kept tbody input").first();
  await name.fill("My first game");
  await name.blur();
  await page.reload();
  await page.waitForSelector(".kept tbody tr");
  assert.equal(await page.locator(".kept tbody input").first().inputValue(), "My first game");
  // A new game in the same tab does not take the old one away.
  await newGame(page, "tictactoe", { sides: "human human" });
  await cell(page, "b2").click();
  await count(page, 1);
  await page.waitForTimeout(500);
  await page.click("#go-library");
  await page.waitForFunction(() => document.querySelectorAll(".kept tbody tr").length === 2);
  await page.locator(".kept .open", { hasText: "Connect Four" }).click();
  await page.waitForSelector(".board.look-connect4");
  assert.deepEqual(await texts(page, ".variation .said"), ["Better so?"]);
  await page.click("#go-library");
  await page.locator(".kept tr", { hasText: "Tic-tac-toe" }).or(page.locator(".kept tr").nth(1)).first().locator(".delete").click();
  await page.waitForFunction(() => document.querySelectorAll(".kept tbody tr").length === 1);
  await page.click("#undelete");
  await page.waitForFunction(() => document.querySelectorAll(".kept tbody tr").length === 2);
});

onPage("a game is saved as a file with its variations and comments, and read back as it was", "game=hex(size=4)&moves=b3_c2_c1", async (page) => {
  await page.keyboard.press("ArrowLeft");
  await ply(page, 2);
  await cell(page, "b2").click();
  await ply(page, 3);
  await page.fill("#comment", "The centre [b2] is free.");
  await page.locator("#comment").blur();
  const saved = async (format) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-format="${format}"]`)]);
    return [download.suggestedFilename(), readFileSync(await download.path(), "utf8")];
  };
  const [name, text] = await saved("games");
  assert.match(name, /^hex-size-4-.*\.games$/);
  assert.match(text, /\[Game "hex\(size=4\)"\][\s\S]*1\. b3 c2 3\. c1 \(3\. b2 \{The centre \[b2\] is free\.\}\) \*/);
  const [, sgf] = await saved("sgf");
  assert.match(sgf, /^\(;FF\[4\][\s\S]*C\[The centre \[b2\\\] is free\.\]/);
  for (const [file, content] of [["a.games", text], ["a.sgf", sgf]]) {
    await page.click("#go-library");
    await page.setInputFiles("#import-file", { name: file, mimeType: "text/plain", buffer: Buffer.from(content) });
    await page.waitForFunction(() => !document.querySelector("#bench").hidden);
    await count(page, 3);
    assert.deepEqual(await texts(page, ".variation .said"), ["The centre [b2] is free."], file);
  }
}, { acceptDownloads: true });

onPage("a file that is wrong is refused with the line and the column, and one of several games is read whole", "library", async (page) => {
  const give = (content) => page.setInputFiles("#import-file", { name: "x.games", mimeType: "text/plain", buffer: Buffer.from(content) });
  await give('[Game "tictactoe"]\n\n1. a1 a1 *\n');
  await page.waitForFunction(() => document.querySelector("#library-page .error").textContent);
  assert.match(await page.locator("#library-page .error").textContent(), /x\.games: line 3, column 7: .*a1/);
  await give("hello");
  await page.waitForFunction(() => /begins with/.test(document.querySelector("#library-page .error").textContent));
  await give('[Game "tictactoe"]\n\n1. a1 *\n\n[Game "hex(size=5)"]\n\n1. a1 b2 *\n');
  await page.waitForFunction(() => document.querySelectorAll(".kept tbody tr").length === 2);
});

onPage("a position is edited by clicks and set up", "game=othello", async (page) => {
  await page.click("#edit");
  await cell(page, "a1").click();
  await cell(page, "b1").click();
  await cell(page, "b1").click();
  assert.match(await page.inputValue("#position"), /^xo\.\.\.\.\.\./);
  assert.equal(await page.locator(".pieces .man").count(), 6);
  assert.equal(await moves(page), 0);
  await page.click("#edit");
  await page.waitForFunction(() => /start=xo/.test(location.hash));
  assert.equal(await page.locator(".pieces .man").count(), 6);
});
