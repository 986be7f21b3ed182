// A person's game is never lost and never wrong: not by a lost connection, a slow one, quick clicks, or a stray one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cell, launch, moves, newGame, open, serve, serveAt, slow, status, workbench } from "./workbench.js";

const { shared, onPage } = workbench("--runs", "experiments/strength/second");

const count = (page, n) => page.waitForFunction((n) => document.querySelector("#bench").dataset.moves === n, String(n));
const ply = (page, n) => page.waitForFunction((n) => document.querySelector("#bench").dataset.ply === n, String(n));
/** The moves of the game, as the address has them. */
const played = (page) => page.evaluate(() => /moves=([^&]*)/.exec(location.hash)?.[1].split("_") ?? []);
const seconds = (n) => new Promise((resolve) => setTimeout(resolve, 1000 * n));

/** Plays b1b3 and, before the server can have answered, c1c3. */
async function twoMoves(page) {
  for (const id of ["b1", "b3", "c1", "c3"]) await cell(page, id).click();
}

/** The game has no move, goes on, and is there after a reload. */
async function goesOn(page) {
  await page.waitForFunction(() => document.querySelector("#line").hidden && document.querySelector(".cell.movable"));
  await cell(page, "g1").click();
  await cell(page, "g3").click();
  await count(page, 1);
  assert.deepEqual(await played(page), ["g1g3"]);
  await page.reload();
  await count(page, 1);
  await page.click("#take-back");
  await count(page, 0);
}

for (const [how, away] of [
  ["is stopped", async (server) => server.stop()],
  ["hangs and is then killed", async (server) => server.freeze()],
]) {
  test(`moves made while the server ${how} are not recorded, and the game goes on when it is back`, async () => {
    let server = await serve();
    const browser = await launch();
    try {
      const page = await open(browser, server.url, "game=loa");
      await away(server);
      if (how === "is stopped") await page.waitForFunction(() => !document.querySelector("#line").hidden);
      await twoMoves(page);
      assert.equal(await moves(page), 0);
      await server.stop("SIGKILL");
      server = await serveAt(server.port);
      await goesOn(page);
      assert.deepEqual(page.complaints.filter((text) => !text.includes("WebSocket")), []);
    } finally {
      await browser.close();
      await server.stop("SIGKILL");
    }
  });
}

test("the page says that it waits, and that the connection is lost", async () => {
  const server = await serve();
  const browser = await launch();
  try {
    const page = await open(browser, server.url, "game=loa");
    server.freeze();
    await cell(page, "b1").click();
    await cell(page, "b3").click();
    await page.waitForFunction(() => /Waiting for the server/.test(document.querySelector("#status").textContent));
    await server.stop("SIGKILL");
    await page.waitForFunction(() => /connection to the server is lost/.test(document.querySelector("#status").textContent));
  } finally {
    await browser.close();
    await server.stop("SIGKILL");
  }
});

test("a page that finds no connection when it is reloaded opens the game later, instead of another one", async () => {
  let refused = 0;
  const prepare = (page) => page.routeWebSocket(/\/socket$/, (socket) => (refused-- > 0 ? socket.close() : socket.connectToServer()));
  const page = await open(shared.browser, shared.server.url, "game=connect4&moves=d_e_d", { prepare });
  refused = 2;
  await page.reload();
  await count(page, 3);
  assert.equal(await page.locator(".board.look-connect4").count(), 1);
  await page.context().close();
});

onPage("over a slow connection a person cannot play the engine's stone", "", async (page) => {
  await newGame(page, "hex", { rules: { size: "7" }, agent: "plyproof", simulations: 100_000_000 });
  await page.waitForSelector(".cell.movable");
  await cell(page, "d4").click();
  await cell(page, "a7").click();
  await count(page, 1);
  // The engine thinks for a long time, and the other click was not kept for later.
  await seconds(1);
  await cell(page, "a6").click();
  await seconds(0.5);
  assert.deepEqual(await played(page), ["d4"]);
  assert.match(await status(page), /White to move: the engine thinks/);
}, { prepare: (page) => slow(page, 75) });

onPage("over a slow connection a click after a step back makes no move that is not meant for the position there", "game=loa&moves=b1b3_a2c2_f1f3", async (page) => {
  await page.keyboard.press("ArrowLeft");
  // White's move of the position after three moves, clicked before the one after two is there, where Black is to move.
  await cell(page, "a4").click();
  await cell(page, "c4").click();
  await ply(page, 2);
  await seconds(0.5);
  assert.deepEqual(await played(page), ["b1b3", "a2c2", "f1f3"]);
  // Steps add up although the answers come late.
  for (let i = 0; i < 2; i += 1) await page.keyboard.press("ArrowLeft");
  await ply(page, 0);
}, { prepare: (page) => slow(page, 150) });

onPage("a double click makes one move, however fast the engine answers", "", async (page) => {
  for (const wait of [false, true]) {
    // Where the engine is slower than a double click, the second click is another move, and this is tried again.
    for (let tries = 0; tries < 10; tries += 1) {
      await newGame(page, "connect4", { agent: "mcts", simulations: 1 });
      await page.waitForSelector(".cell.movable");
      const { x, y, width, height } = await cell(page, "d3").boundingBox();
      const at = [x + width / 2, y + height / 2];
      const began = Date.now();
      await page.mouse.click(...at);
      if (wait) await count(page, 2);
      if (wait) await page.waitForSelector(".cell.movable");
      await page.mouse.click(...at);
      if (Date.now() - began > 350) continue;
      await seconds(1);
      assert.equal(await moves(page), 2);
      assert.equal((await played(page))[0], "d");
      break;
    }
  }
});

onPage("a click in the moment of the engine's move is not taken for an answer to it", "", async (page) => {
  await newGame(page, "connect4", { agent: "mcts", simulations: 1 });
  await page.waitForSelector(".cell.movable");
  // Clicks on another column in the very frame in which the engine's stone appears.
  await page.evaluate(() => {
    const press = (type) => {
      const node = document.querySelector('[data-cell="f3"] .shape');
      const box = node.getBoundingClientRect();
      node.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: box.left + 9, clientY: box.top + 9, pointerId: 1, isPrimary: true }));
    };
    new MutationObserver(() => {
      if (document.querySelector("#bench").dataset.moves !== "2") return;
      press("pointerdown");
      press("pointerup");
    }).observe(document.querySelector("#bench"), { attributes: true });
  });
  await cell(page, "d3").click();
  await count(page, 2);
  await seconds(1);
  assert.equal(await moves(page), 2);
});

onPage("a person does not move for the engine at an earlier ply either", "", async (page) => {
  await newGame(page, "connect4", { agent: "mcts", simulations: 10 });
  await page.waitForSelector(".cell.movable");
  await cell(page, "d3").click();
  await count(page, 2);
  await page.click("#back");
  await ply(page, 1);
  assert.match(await status(page), /Move 1 of 2. Red \(engine\) to move/);
  await cell(page, "a3").click();
  await seconds(0.3);
  assert.equal(await moves(page), 2);
});

const EIGHT = "game=connect4&moves=d_d_d_d_e_e_c_b";

onPage("a stray click in the middle of a game is undone, by the key, by the button, and after a reload", EIGHT, async (page) => {
  const whole = await played(page);
  assert.equal(whole.length, 8);
  assert.equal(await page.locator("#undo").isVisible(), false);
  await page.keyboard.press("Home");
  await ply(page, 0);
  await cell(page, "a3").click();
  await count(page, 1);
  await page.waitForSelector("#undo:visible");
  await page.keyboard.press("Control+z");
  await count(page, 8);
  assert.deepEqual([await played(page), await page.locator("#bench").getAttribute("data-ply")], [whole, "0"]);
  assert.equal(await page.locator("#undo").isVisible(), false);
  await page.keyboard.press("Control+y");
  await count(page, 1);
  await cell(page, "b3").click();
  await count(page, 2);
  await page.reload();
  await count(page, 2);
  assert.match(await page.locator("#undo").getAttribute("title"), /Connect Four with 8 moves/);
  await page.click("#undo");
  await count(page, 8);
  assert.deepEqual(await played(page), whole);
  await page.click("#redo");
  await count(page, 2);
});

onPage("the move that was played anyway is a step forward", EIGHT, async (page) => {
  await page.keyboard.press("Home");
  await ply(page, 0);
  await cell(page, "d3").click();
  await ply(page, 1);
  assert.equal(await moves(page), 8);
  assert.equal(await page.locator("#undo").isVisible(), false);
});

onPage("in a field, Ctrl+Z is the field's", EIGHT, async (page) => {
  await page.click("#take-back");
  await count(page, 7);
  await page.fill("#position", "something else");
  await page.keyboard.press("Control+z");
  await seconds(0.3);
  assert.equal(await moves(page), 7);
});

onPage("a game that was taken back, set up anew or begun anew comes back as well", EIGHT, async (page) => {
  const undone = async () => {
    await page.waitForSelector("#undo:visible");
    await page.keyboard.press("Control+z");
    await count(page, 8);
    assert.equal(await page.locator(".board.look-connect4").count(), 1);
  };
  await page.click("#take-back");
  await count(page, 7);
  await undone();
  await page.fill("#position", "......./......./......./......./......./...xo.. x");
  await page.click("#position-form button[type=submit]");
  await count(page, 0);
  await page.locator("body").click({ position: { x: 2, y: 2 } });
  await page.evaluate(() => document.activeElement.blur());
  await undone();
  await newGame(page, "tictactoe", { sides: "human human" });
  await page.waitForSelector(".board.look-marks");
  await undone();
  // A link that is opened in the tab.
  await page.evaluate(() => (location.hash = "#game=hex(size=5)&moves=a1_b2"));
  await count(page, 2);
  await undone();
});

onPage("the game before a proven line that is stepped through comes back", "game=breakthrough(size=3x5)&moves=a2a3_c4c3&ply=0", async (page) => {
  await page.click("#tab-proof");
  await page.click("#prove");
  await page.click("#step-line");
  await ply(page, 1);
  assert.ok((await moves(page)) > 2);
  await page.keyboard.press("Control+z");
  await count(page, 2);
  assert.deepEqual(await played(page), ["a2a3", "c4c3"]);
});

onPage("a move in a recorded game is undone", "", async (page) => {
  await page.click("#go-experiments");
  await page.locator(".matches tbody tr button").first().click();
  await page.locator(".games .game").first().click();
  await page.waitForSelector(".board.look-awari");
  await ply(page, 0);
  const whole = await played(page);
  assert.ok(whole.length > 20);
  const other = whole[0] === "1" ? "2" : "1";
  await cell(page, `1:${other}`).click();
  await count(page, 1);
  await page.keyboard.press("Control+z");
  await count(page, whole.length);
  assert.deepEqual(await played(page), whole);
});

onPage("a link with a move that is not legal is opened up to it, and says why for as long as it takes to read", "game=connect4&moves=d_z_d", async (page) => {
  await count(page, 1);
  assert.equal(await page.locator(".board.look-connect4").count(), 1);
  await seconds(6.5);
  assert.match(await page.locator("#notice").innerText(), /up to move 1 of 3.*move 2: "z" is not a legal move/s);
  await page.click("#notice-close");
  assert.equal(await page.locator("#notice").isVisible(), false);
});

onPage("a move that is not legal is found in a part of the game that is not looked at", "game=connect4&moves=d_e_d_z&ply=1", async (page) => {
  await count(page, 3);
  await ply(page, 1);
  assert.match(await page.locator("#notice").innerText(), /up to move 3 of 4/);
  await page.keyboard.press("End");
  await ply(page, 3);
});

for (const [link, why] of [
  ["game=nonsense&moves=d", /unknown game "nonsense"; known: loa/],
  ["game=loa(size=99)", /size=99 is not allowed/],
  ["game=loa%", /link is damaged/],
  ["game=loa&start=zz", /"zz" is not a position/],
]) {
  onPage(`a link to ${link} says what is wrong with it`, link, async (page) => {
    assert.match(await page.locator("#notice").innerText(), why);
    assert.equal(await page.locator(".board.look-loa").count(), 1);
  });
}

onPage("a bad link leaves the game on the board alone", EIGHT, async (page) => {
  await page.evaluate(() => (location.hash = "#game=nonsense"));
  await page.waitForSelector("#notice:visible");
  assert.equal((await played(page)).length, 8);
  assert.equal(await moves(page), 8);
});

onPage("an agent that does not exist is refused in the form, and the game goes on", EIGHT, async (page) => {
  const refused = async (fields, why) => {
    await page.click("#new-open");
    await page.selectOption("#new-sides", "human engine");
    await page.selectOption("#new-level", "custom");
    for (const [id, text] of Object.entries(fields)) await page.fill(id, text);
    await page.click("#new button[type=submit]");
    await page.waitForFunction(() => document.querySelector("#new .error").textContent);
    assert.match(await page.locator("#new .error").textContent(), why);
    assert.equal(await page.locator("#new").evaluate((dialog) => dialog.open), true);
    await page.keyboard.press("Escape");
  };
  await refused({ "#new-agent": "pn-mcts(pn=abc)" }, /pn=abc is not allowed/);
  await refused({ "#new-agent": "stockfish" }, /unknown agent "stockfish"/);
  await refused({ "#new-agent": "mcts", "#new-simulations": "many" }, /Simulations: "many"/);
  await refused({ "#new-agent": "mcts", "#new-simulations": "", "#new-seconds": "-1" }, /Seconds: "-1"/);
  assert.equal(await moves(page), 8);
});

onPage("an engine that fails says so in the status, and goes on when it can", "", async (page) => {
  await newGame(page, "connect4", { agent: "mcts", simulations: 10 });
  await page.waitForFunction(() => JSON.parse(sessionStorage.getItem("plyproof.game"))?.game === "connect4");
  // As a program of another version would have kept it. The page must not save its own game after that.
  await page.addInitScript(() => {
    const game = JSON.parse(sessionStorage.getItem("plyproof.game"));
    sessionStorage.setItem("plyproof.game", JSON.stringify({ ...game, seats: { 1: "engine", 2: "human" }, custom: { ...game.custom, agent: "mcts(old=1)" } }));
  });
  // A page that is reloaded while the server still answers the one before may be given its game: then once more.
  const failed = page.locator("#status").filter({ hasText: /the engine has failed \(.*old/ });
  for (let tries = 0; tries < 3 && !(await failed.count()); tries++) {
    await page.reload();
    await failed.waitFor({ timeout: 10_000 }).catch(() => {});
  }
  assert.equal(await failed.count(), 1);
  assert.equal(await page.locator("#pause").textContent(), "Resume");
});
