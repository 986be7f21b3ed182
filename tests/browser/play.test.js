// Playing: levels in each seat, hints, resigning, clocks, the end of a game, and its review.

import assert from "node:assert/strict";
import { cell, moves, newGame, status, workbench } from "./workbench.js";

const { shared, onPage } = workbench("--runs", "experiments/strength/second");
const count = (page, n) => page.waitForFunction((n) => document.querySelector("#bench").dataset.moves === n, String(n));

onPage("there are ten levels, and each seat has an engine of its own", "game=tictactoe", async (page) => {
  const options = await page.locator("#strip-top select option").allTextContents();
  assert.equal(options.filter((text) => /Level \d+/.test(text)).length, 10);
  await page.locator("#strip-top select").selectOption("10");
  await page.locator("#strip-bottom select").selectOption("2");
  await page.waitForSelector(".status.over");
  const kept = await page.evaluate(() => JSON.parse(sessionStorage.getItem("plyproof.game")));
  assert.deepEqual([kept.engines[1].level, kept.engines[2].level], ["2", "10"]);
});

onPage("two engines of different levels are seated by the form", "", async (page) => {
  await page.click("#new-open");
  await page.selectOption("#new-game", "tictactoe");
  await page.selectOption("#new-sides", "engine engine");
  await page.selectOption("#new-level", "9");
  await page.selectOption("#new-other", "1");
  await page.click("#new button[type=submit]");
  await page.waitForSelector(".status.over");
  assert.equal(await page.locator("#strip-bottom select").inputValue(), "9");
  assert.equal(await page.locator("#strip-top select").inputValue(), "1");
});

// Black threatens to win in two ways; only one move holds.
onPage("a hint shows a good move on the board until a move is made", "game=connect4&moves=d_a_d_a_d", async (page) => {
  await page.keyboard.press("h");
  await page.waitForSelector(".overlay .hit");
  assert.equal(await page.locator(".overlay .hit").count(), 1);
  await cell(page, "d4").click();
  await count(page, 6);
  assert.equal(await page.locator(".overlay .hit").count(), 0);
});

onPage("after the engine's move a hint can be asked for with the button", "", async (page) => {
  await newGame(page, "connect4", { agent: "mcts", simulations: 10 });
  await page.waitForSelector(".cell.movable");
  await cell(page, "d3").click();
  await count(page, 2);
  await page.click("#hint");
  await page.waitForSelector(".overlay .hit");
});

onPage("who resigns loses; the card offers a rematch with the seats changed and a review", "", async (page) => {
  await newGame(page, "connect4", { agent: "mcts", simulations: 10 });
  await page.waitForSelector(".cell.movable");
  await cell(page, "d3").click();
  await count(page, 2);
  await page.waitForSelector(".cell.movable");
  await page.click("#resign");
  await page.waitForSelector("#card:visible");
  assert.equal(await status(page), "Red wins: Yellow resigned.");
  assert.equal(await page.locator(".cell.movable").count(), 0);
  // Still so after a reload; an earlier position can be played on.
  await page.reload();
  await page.waitForSelector("#card:visible");
  assert.equal(await status(page), "Red wins: Yellow resigned.");
  await page.click("#rematch");
  await count(page, 1);
  assert.equal(await page.locator("#strip-top select").inputValue(), "custom");
  assert.equal(await page.locator("#card").isVisible(), false);
});

onPage("a clock runs for the player to move, stands still while the game is paused, and ends the game", "", async (page) => {
  await page.click("#new-open");
  await page.selectOption("#new-game", "tictactoe");
  await page.selectOption("#new-sides", "human human");
  await page.fill("#new-clock", "soon");
  await page.click("#new button[type=submit]");
  await page.waitForFunction(() => /is not a time/.test(document.querySelector("#new .error").textContent));
  await page.fill("#new-clock", "0.05+0");
  await page.click("#new button[type=submit]");
  await page.waitForSelector("#board .cell.movable");
  await cell(page, "b2").click();
  await count(page, 1);
  await page.waitForFunction(() => document.querySelector("#strip-top .clock").textContent < "0:02.5");
  assert.equal(await page.locator("#strip-bottom .clock").textContent(), "0:03.0");
  await page.click("#pause");
  const stands = await page.locator("#strip-top .clock").textContent();
  await page.waitForTimeout(400);
  assert.equal(await page.locator("#strip-top .clock").textContent(), stands);
  await page.click("#pause");
  await page.waitForSelector(".status.over");
  assert.equal(await status(page), "Crosses wins: Noughts ran out of time.");
});

onPage("a review fills the graph, marks a thrown away result, and shows what was better", "game=tictactoe&moves=a1_b1_a2_b2_a3", async (page) => {
  await page.click("#review");
  await page.waitForSelector(".review .summary");
  await page.waitForFunction(() => !document.querySelector(".review progress"));
  assert.match(await page.locator("#graph svg").getAttribute("aria-label"), /Values of 6 positions/);
  const mistake = page.locator(".mistakes li").first();
  assert.match(await mistake.textContent(), /^2\. b1\?\? threw away a proven result/);
  assert.equal(await page.locator(".graph .wrong").count(), 1);
  const [first, second] = await page.locator(".summary tbody tr").allTextContents();
  assert.match(first, /^Crosses[23] of 3/);
  assert.match(second, /Noughts.*1$/);
  await mistake.locator("button").first().click();
  await page.waitForFunction(() => document.querySelector("#bench").dataset.ply === "2");
  await mistake.locator(".best-line").click();
  await page.waitForSelector(".variation [aria-current]");
  // The review is kept with the game.
  await page.reload();
  await page.waitForSelector(".mistakes li");
});

onPage("a recorded game can be reviewed as well", "", async (page) => {
  await page.click("#go-experiments");
  await page.locator(".matches tbody tr button").first().click();
  await page.locator(".games .game").first().click();
  await page.waitForSelector("#board.boardhost .board");
  await page.click("#tab-moves");
  await page.click("#review");
  await page.waitForFunction(() => document.querySelector(".review progress")?.value > 0.05);
  await page.click(".review button");
  await page.waitForFunction(() => !document.querySelector(".review progress"));
  assert.ok((await moves(page)) > 10);
});

onPage("with the swap rule of Hex, White takes over the first stone", "", async (page) => {
  await newGame(page, "hex", { rules: { size: "5", swap: "on" }, sides: "human human" });
  await cell(page, "b4").click();
  await page.waitForFunction(() => document.querySelector("#bench").dataset.moves === "1");
  await page.locator(".choice", { hasText: "swap" }).click();
  await page.waitForFunction(() => document.querySelector("#bench").dataset.moves === "2");
  assert.equal(await page.inputValue("#position"), "...../...o./...../...../..... x");
  assert.equal(await cell(page, "d2").getAttribute("aria-label"), "d2, White");
  assert.equal(await page.locator(".choice").count(), 0);
});

onPage("an engine takes its time where nobody asked for less motion, and moves at once when it is told to", "", async (page) => {
  await newGame(page, "connect4", { agent: "mcts", simulations: 5 });
  await page.waitForSelector(".cell.movable");
  const began = Date.now();
  await cell(page, "d3").click();
  await count(page, 2);
  assert.ok(Date.now() - began > 400, `${Date.now() - began} ms`);
  await newGame(page, "hex", { rules: { size: "7" }, agent: "plyproof", simulations: 100_000_000 });
  await page.waitForSelector(".cell.movable");
  await cell(page, "d4").click();
  await page.click("#move-now");
  await count(page, 2);
}, { reducedMotion: "no-preference" });

for (const [link, won] of [
  ["game=connect4&moves=a_b_a_b_a_b_a", ["a1", "a2", "a3", "a4"]],
  ["game=connect4&moves=a_b_b_c_c_d_c_d_d_g_d", ["a1", "b2", "c3", "d4"]],
  ["game=tictactoe&moves=a1_b1_b2_b3_c3", ["a1", "b2", "c3"]],
  ["game=hex(size=3)&moves=b1_a1_b2_a2_a3", ["b1", "b2", "a3"]],
]) {
  onPage(`what won is marked: ${link}`, link, async (page) => {
    await page.waitForSelector(".status.over");
    const marked = await page.evaluate(() => {
      const rings = [...document.querySelectorAll(".won")].map((ring) => ring.getBoundingClientRect()).map((box) => [box.x + box.width / 2, box.y + box.height / 2]);
      const middle = (node) => node.querySelector(".shape").getBoundingClientRect();
      return [...document.querySelectorAll("#board [data-cell]")].filter((node) => rings.some(([x, y]) => {
        const box = middle(node);
        return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) < 4;
      })).map((node) => node.dataset.cell);
    });
    assert.deepEqual(marked.sort(), [...won].sort());
  });
}

onPage("where squares are smaller than a finger, a second tap on the same square moves", "game=hex(size=11)", async (page) => {
  const tap = async (id) => {
    const { x, y, width, height } = await cell(page, id).boundingBox();
    await page.touchscreen.tap(x + width / 2, y + height / 2);
  };
  await tap("f6");
  await tap("f7");
  await page.waitForTimeout(300);
  assert.equal(await moves(page), 0);
  assert.equal(await page.locator(".cell.aimed").getAttribute("data-cell"), "f7");
  await tap("f7");
  await count(page, 1);
  assert.equal(await page.locator(".cell.aimed").count(), 0);
}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

onPage("a game goes on over a slow line with a review and a variation in it", "game=tictactoe&moves=a1_b1_a2", async (page) => {
  await page.click("#review");
  await page.waitForFunction(() => document.querySelector(".review .summary") && !document.querySelector(".review progress"));
  await page.locator(".moves .move").first().click();
  await page.waitForFunction(() => document.querySelector("#bench").dataset.ply === "1");
  await cell(page, "c3").click();
  await cell(page, "c2").click();
  await page.waitForSelector(".variation .move");
  await page.waitForTimeout(700);
  assert.deepEqual(await page.locator(".variation .move").allTextContents(), ["2c3"]);
  assert.ok(shared.server);
}, { prepare: (page) => page.routeWebSocket(/\/socket$/, (socket) => {
  const server = socket.connectToServer();
  socket.onMessage((message) => setTimeout(() => server.send(message), 150));
  server.onMessage((message) => setTimeout(() => socket.send(message), 150));
}) });
