// The front door and the ways through the page: gallery, rules, addresses, the back button.

import assert from "node:assert/strict";
import { get } from "node:http";
import { cell, workbench } from "./workbench.js";

const { shared, onPage } = workbench("--runs", "experiments/strength/second");

onPage("every game stands in the gallery with a picture, and begins in three ways", "", async (page) => {
  await page.waitForSelector(".tile");
  const games = await page.locator(".tile").evaluateAll((all) => all.map((node) => node.dataset.game));
  const listed = await page.locator("#new-game option").evaluateAll((all) => all.map((option) => option.value));
  assert.deepEqual([...games].sort(), [...listed].sort());
  await page.waitForFunction(() => document.querySelector(".tile .thumb") && [...document.querySelectorAll(".tile .thumb")].every((frame) => frame.firstChild));
  // Every picture of a game that the page knows shows the position that was meant, not the start.
  const sameAsStart = await page.evaluate(async () => {
    const { RULES } = await import("/rules.js");
    return Object.keys(RULES).filter((name) => !document.querySelector(`[data-game="${name}"] .picture`));
  });
  assert.deepEqual(sameAsStart, []);
  await page.click('[data-game="connect4"] [data-way="play"]');
  assert.equal(await page.inputValue("#new-game"), "connect4");
  await page.click("#new button[type=submit]");
  await page.waitForSelector("#board .look-connect4");
  await page.goBack();
  await page.waitForSelector(".gallery");
  await page.click('[data-game="hex"] [data-way="analyse"]');
  await page.waitForSelector("#view-table tbody tr.best");
  await page.click("#go-home");
  await page.click('[data-game="tictactoe"] [data-way="prove"]');
  await page.click("#prove");
  await page.waitForSelector(".badge-line");
  assert.match(await page.locator(".badge-line").textContent(), /Proven: a draw/);
});

onPage("the pictures of the gallery are positions of their games", "", async (page) => {
  const wrong = await page.evaluate(async () => {
    const { RULES } = await import("/rules.js");
    const socket = new WebSocket(`ws://${location.host}/socket`);
    await new Promise((resolve) => (socket.onopen = resolve));
    const ask = (at, id) => new Promise((resolve) => {
      socket.addEventListener("message", ({ data }) => JSON.parse(data).id === id && resolve(JSON.parse(data)));
      socket.send(JSON.stringify({ do: "position", id, at }));
    });
    const found = [];
    let id = 1;
    for (const [game, { moves, shown }] of Object.entries(RULES)) {
      const answer = await ask({ game, moves }, id++);
      if (answer.error) found.push(`${game}: ${answer.error}`);
      else found.push(...shown.filter((move) => !answer.position.legal.includes(move)).map((move) => `${game}: ${move}`));
    }
    return found;
  });
  assert.deepEqual(wrong, []);
});

onPage("a game's rules have an address of their own", "rules=hex", async (page) => {
  await page.waitForSelector(".rules .picture");
  assert.match(await page.locator(".rules-text").innerText(), /Black connects top and bottom/);
  await page.click("text=← all games");
  await page.waitForSelector(".gallery");
});

onPage("every page has an address, which a reload and the back button keep", "game=loa&moves=b1b3", async (page) => {
  for (const [button, hash, selector] of [["#go-library", "#library", "#library-page h2"], ["#go-experiments", "#experiments", ".matches tbody tr"], ["#go-studio", "#studio", "#studio-start"], ["#go-learn", "#learn", ".treenode"]]) {
    await page.click(button);
    await page.waitForSelector(selector);
    assert.equal(await page.evaluate(() => location.hash), hash);
    await page.reload();
    await page.waitForSelector(selector);
  }
  await page.goBack();
  await page.waitForSelector("#studio-start");
  await page.click("#go-experiments");
  await page.locator(".matches tbody tr button").first().click();
  await page.waitForSelector(".score .curve", { state: "attached" });
  assert.match(await page.evaluate(() => location.hash), /^#match=/);
  await page.reload();
  await page.waitForSelector(".score .curve", { state: "attached" });
  await page.locator(".games .game").first().click();
  await page.waitForSelector("#board .cell");
  assert.equal(await page.locator(".strip .name").count(), 2, "the agents sit at the board");
  await page.goBack();
  await page.waitForSelector(".score .curve", { state: "attached" });
  await page.click("#go-board");
  await page.waitForSelector("#board .cell");
});

/** Bytes of an answer as it is sent to a browser. */
const sent = (url) => new Promise((resolve, reject) => get(url, { headers: { "accept-encoding": "gzip, deflate, br" } }, (answer) => {
  let bytes = 0;
  answer.on("data", (part) => (bytes += part.length)).on("end", () => resolve([bytes, answer.headers["content-encoding"]]));
}).on("error", reject));

onPage("what a browser loads for the board is no more than 183 kB", "game=loa", async (page) => {
  const paths = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname));
  assert.ok(paths.length > 40 && paths.includes("/api/catalogue") && paths.includes("/style.css"), paths.join(" "));
  let whole = 0;
  for (const path of new Set(["/", ...paths])) {
    const [bytes, encoding] = await sent(new URL(path, shared.server.url));
    if (path === "/main.js") assert.equal(encoding, "gzip");
    whole += bytes;
  }
  assert.ok(whole < 183_000, `${whole} bytes`);
  // What is rarely looked at is loaded when it is.
  for (const lazy of ["/views/studio.js", "/views/experiments.js", "/views/learn.js", "/rulefiles/editor.js"]) assert.ok(!paths.includes(lazy), lazy);
});

onPage("the keys change the tabs of the panel", "game=loa", async (page) => {
  for (const [key, tab] of [["2", "table"], ["3", "why"], ["4", "tree"], ["5", "proof"], ["1", "moves"]]) {
    await page.keyboard.press(key);
    assert.equal(await page.locator(`#view-${tab}`).isVisible(), true, key);
  }
});

for (const [name, options] of [["a desktop", { viewport: { width: 1440, height: 900 } }], ["a laptop", { viewport: { width: 1366, height: 768 } }], ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]]) {
  onPage(`on ${name} the board, the main controls and “New game” are on the first screen`, "game=loa&moves=b1b3", async (page) => {
    for (const id of ["#board", "#take-back", "#hint", "#new-open", "#status"]) {
      const box = await page.locator(id).boundingBox();
      const { height } = page.viewportSize();
      assert.ok(box && box.y >= 0 && box.y + box.height <= height, `${id}: ${JSON.stringify(box)} in ${height}`);
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.ok(await cell(page, "b3").isVisible());
  }, options);
}
