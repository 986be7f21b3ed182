// The workbench beyond playing: take-back, set-up, links, analysis, proofs, two tabs, keys.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cell, chooser, clickMove, moves, myTurn, newGame, open, status, workbench } from "./workbench.js";

const { shared, onPage } = workbench("--runs", "experiments/strength/second");

onPage("a move is taken back together with the engine's answer", "", async (page) => {
  await newGame(page, "tictactoe", { simulations: 50 });
  await myTurn(page);
  await cell(page, "b2").click();
  await page.waitForFunction(() => document.querySelector("#bench").dataset.moves === "2");
  await page.click("#take-back");
  await page.waitForFunction(() => document.querySelector("#bench").dataset.moves === "0");
  assert.equal(await page.locator(".pieces .man").count(), 0);
  assert.equal(await myTurn(page), true);
});

onPage("moves are stepped through by buttons, keys and the list", "game=connect4&moves=d_d_e_e_c", async (page) => {
  const ply = (n) => page.waitForFunction((n) => document.querySelector("#bench").dataset.ply === n, String(n));
  await ply(5);
  await page.keyboard.press("ArrowLeft");
  await ply(4);
  await page.click("#first");
  await ply(0);
  await page.keyboard.press("ArrowRight");
  await ply(1);
  await page.click("#tab-moves");
  await page.locator(".moves .move").nth(2).click();
  await ply(3);
  await page.keyboard.press("End");
  await ply(5);
  assert.equal(await page.locator(".pieces .man").count(), 5);
});

onPage("a pasted position is set up, and a bad one is refused with its reason", "game=knightthrough", async (page) => {
  await page.fill("#position", "oooooooo/oooooooo/......../......../......../......../xxxxxxxx/xxxxxxx9 x");
  await page.click("#position-form button[type=submit]");
  await page.waitForFunction(() => document.querySelector("#position-error").textContent.length > 0);
  const error = await page.locator("#position-error").textContent();
  assert.match(error, /9|squares|8x8/);
  assert.equal(await page.locator(".pieces .man").count(), 32, "the board is as it was");
  await page.fill("#position", "o......./......../......../......../......../..x...../......../......x. x");
  await page.click("#position-form button[type=submit]");
  await page.waitForFunction(() => document.querySelectorAll(".pieces .man").length === 3);
  assert.equal(await page.locator("#position-error").textContent(), "");
});

onPage("a reload keeps the game, and a link brings it to others", "", async (page) => {
  await newGame(page, "breakthrough", { rules: { size: "5x6" }, simulations: 50 });
  await myTurn(page);
  await clickMove(page, chooser(5));
  await page.waitForFunction(() => document.querySelector("#bench").dataset.moves === "2");
  const position = await page.inputValue("#position");
  await page.reload();
  await page.waitForFunction((text) => document.querySelector("#position").value === text, position);
  assert.equal(await moves(page), 2);
  assert.equal(await myTurn(page), true, "the person still plays against the engine");
  const other = await open(shared.browser, shared.server.url, new URL(page.url()).hash.slice(1));
  await other.waitForFunction((text) => document.querySelector("#position").value === text, position);
  assert.deepEqual(other.complaints, []);
  await other.context().close();
});

onPage("two tabs play different games at once", "", async (page) => {
  const second = await open(shared.browser, shared.server.url, "", { context: page.context() });
  await newGame(page, "othello", { simulations: 50 });
  await newGame(second, "hex", { rules: { size: "5" }, simulations: 50 });
  for (const tab of [page, second, page, second]) {
    await myTurn(tab);
    await clickMove(tab, chooser(11));
  }
  assert.match(await page.inputValue("#position"), /^[xo.]{8}\//);
  assert.match(await second.inputValue("#position"), /^[xo.]{5}\//);
  assert.deepEqual(second.complaints, []);
});

// White to move wins at once on the far row.
const WON = "game=knightthrough(size=5x6)&start=o.o../...../..x../...../...../x.... x".replaceAll(" ", "%20");

onPage("analysis of a proven position shows the proof", WON, async (page) => {
  await page.locator(".switch").click();
  await page.waitForFunction(() => /wins: proven/.test(document.querySelector("#engine-value").textContent));
  await page.click("#tab-table");
  await page.waitForSelector("#view-table .tag.win");
  await page.waitForSelector(".overlay .win");
  assert.match(await page.locator("#engine-numbers").textContent(), /pn 0 dpn ∞/);
  await page.click("#tab-tree");
  await page.waitForSelector("#view-tree [role=treeitem].win");
});

onPage("analysis shows its moves, the terms of its choice and its tree, which opens", "game=loa(size=6)", async (page) => {
  await page.locator(".switch").click();
  await page.click("#tab-table");
  await page.waitForSelector("#view-table tbody tr.best");
  await page.click("#tab-why");
  await page.waitForSelector("#view-why tbody tr.best");
  const [v, explore, rank, sum] = await page.locator("#view-why tbody tr").first().locator("td.n").evaluateAll((cells) => cells.slice(1).map((node) => Number(node.textContent)));
  assert.ok(Math.abs(v + explore + rank - sum) < 0.002, `${v} + ${explore} + ${rank} = ${sum}`);
  await page.click("#tab-tree");
  await page.waitForSelector("#view-tree [role=treeitem]");
  // Stopped, the tree stays and can still be opened.
  await page.locator(".switch").click();
  // By its name: the last news may still put the rows into another order.
  const path = await page.locator("#view-tree [role=treeitem]").nth(1).getAttribute("data-path");
  await page.locator(`#view-tree [data-path="${path}"]`).click();
  const below = page.locator(`#view-tree [data-path^="${path} "]`).first();
  await below.waitFor();
  assert.equal(await below.getAttribute("aria-level"), "3");
});

onPage("hovering over the expected line shows the board there", "game=tictactoe", async (page) => {
  await page.locator(".switch").click();
  await page.waitForSelector(".pv-move");
  await page.locator(".switch").click();
  await page.waitForTimeout(300);
  const line = await page.locator(".pv-move").count();
  await page.locator(".pv-move").nth(line - 1).hover();
  await page.waitForFunction((n) => document.querySelectorAll(".pieces .man").length === n, line);
  await page.mouse.move(5, 5);
  await page.waitForFunction(() => document.querySelectorAll(".pieces .man").length === 0);
});

onPage("a game is played by keyboard alone", "game=tictactoe", async (page) => {
  await page.keyboard.press("b");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#bench").dataset.moves === "1");
  assert.equal(await cell(page, "b2").getAttribute("aria-label"), "b2, Crosses");
  await page.keyboard.press("Escape");
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelector("#bench").dataset.moves === "0");
});

onPage("pieces can be dragged", "game=loa", async (page) => {
  await cell(page, "b1").dragTo(cell(page, "d3"));
  await page.waitForFunction(() => document.querySelector("#bench").dataset.moves === "1");
  assert.match(await page.inputValue("#position"), /o\.\.x\.\.\.o/);
});

onPage("recorded matches are listed, summed up, and their games opened on the board", "", async (page) => {
  await page.click("#go-experiments");
  await page.waitForSelector(".matches tbody tr");
  await page.click(".card");
  await page.waitForSelector("img.figure");
  await page.waitForSelector(".experiments table.data tbody tr");
  await page.locator(".experiments > button.link").click();
  await page.locator(".matches tbody tr button").first().click();
  await page.waitForSelector(".score .curve", { state: "attached" });
  await page.locator(".games .game").first().click();
  await page.waitForSelector(".board.look-awari");
  assert.ok((await moves(page)) > 20);
});

onPage("at a phone's width nothing is wider than the screen", "game=minishogi", async (page) => {
  for (const tab of ["moves", "table", "why", "tree", "proof"]) {
    await page.click(`#tab-${tab}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 375, `${tab}: ${width}`);
  }
}, { viewport: { width: 375, height: 720 }, hasTouch: true, isMobile: true });

test("the server ends its searches when a tab closes, and answers all the while", async () => {
  const page = await open(shared.browser, shared.server.url, "game=loa");
  await page.locator(".switch").click();
  await page.waitForSelector(".pv-move");
  await page.context().close();
  const again = await open(shared.browser, shared.server.url, "game=loa");
  assert.match(await status(again), /to move/);
  await again.context().close();
});

onPage("a position is proven, its line stepped through, its certificate downloaded and verified", "game=breakthrough(size=3x5)", async (page) => {
  await page.click("#tab-proof");
  await page.click("#prove");
  await page.waitForSelector(".badge-line");
  assert.match(await page.locator(".badge-line").textContent(), /Proven: /);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("a.button")]);
  assert.equal(download.suggestedFilename(), "breakthrough-size-3x5.cert.gz");
  const path = await download.path();
  await page.click(".certificate .check");
  await page.waitForSelector(".certificate .holds");
  assert.match(await page.locator(".certificate .holds").textContent(), /^Verified: in breakthrough\(size=3x5\) from .*wins/);
  // The downloaded file, checked as any file of somebody else's; and one that is none.
  await page.click("#view-proof summary");
  await page.setInputFiles("#certificate-file", path);
  await page.waitForSelector("#view-proof details .holds");
  await page.setInputFiles("#certificate-file", { name: "x", mimeType: "text/plain", buffer: Buffer.from("no certificate\n") });
  await page.waitForSelector("#view-proof details .error");
  await page.click("#step-line");
  await page.waitForFunction(() => document.querySelector("#bench").dataset.ply === "1");
  await page.keyboard.press("End");
  await page.waitForSelector(".status.over");
}, { acceptDownloads: true });
