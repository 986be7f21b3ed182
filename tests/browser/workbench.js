// What the tests share: a server of its own, a browser, and a page whose every complaint is an error.

import { spawn } from "node:child_process";
import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The browser to drive: Debian's, or what CHROMIUM names. */
function browserPath() {
  const known = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const found = known.find((path) => path && existsSync(path));
  assert.ok(found, "no Chromium here: install Debian's package chromium, or name one in CHROMIUM");
  return found;
}

const PLYPROOF = process.env.PLYPROOF ?? `${root}/target/debug/plyproof`;
/** The example that adds a game to plyproof, which the page does not know. */
const OWN_GAME = process.env.OWN_GAME ?? `${root}/target/debug/examples/own_game`;

/** Starts `plyproof serve` on a free port; resolves to its address and ways to end it. */
export const serve = (...extra) => serveAt(0, ...extra);

/** The same on a port of one's choice. */
export const serveAt = (port, ...extra) => serveWith(PLYPROOF, port, ...extra);

async function serveWith(program, port, ...extra) {
  const child = spawn(program, ["serve", "--port", String(port), ...extra], { stdio: ["ignore", "pipe", "inherit"], cwd: root });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (part) => {
      text += part;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
  const gone = new Promise((resolve) => child.on("exit", resolve));
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    /** Stops the server in the middle of what it does: its connections stay open, and nothing is answered. */
    freeze: () => child.kill("SIGSTOP"),
    /** Ends the server; resolves when it is gone, with its connections. */
    stop: (signal = "SIGINT") => {
      child.kill(signal);
      return gone;
    },
  };
}

/** With PAGE=FOLDER the page comes from files on the disk instead of from the program, to try changes without building it. */
async function serveFromDisk(context) {
  const folder = process.env.PAGE;
  if (!folder) return;
  await context.route("**/*", (route) => {
    const { pathname } = new URL(route.request().url());
    const path = join(folder, pathname === "/" ? "index.html" : pathname);
    return existsSync(path) && statSync(path).isFile() ? route.fulfill({ path }) : route.continue();
  });
}

/** Every message to and from the server takes this long, in milliseconds, each way. */
export const slow = (page, delay) =>
  page.routeWebSocket(/\/socket$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => setTimeout(() => server.send(message), delay));
    server.onMessage((message) => setTimeout(() => socket.send(message), delay));
  });

export function launch() {
  const args = ["--no-sandbox"];
  // A page that did not come from the server is not trusted to talk to this machine.
  if (process.env.PAGE) args.push("--disable-features=LocalNetworkAccessChecks");
  return chromium.launch({ executablePath: browserPath(), args });
}

/** A page at a place of the workbench, with `options.query` in its address, after `options.prepare(page)`. `page.complaints` collects console errors and exceptions. */
export async function open(browser, url, hash = "", options = {}) {
  const context = options.context ?? (await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options }));
  await serveFromDisk(context);
  const page = await context.newPage();
  await options.prepare?.(page);
  page.complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.setDefaultTimeout(20_000);
  await page.goto(`${url}${options.query ?? ""}${hash ? `#${hash}` : ""}`);
  await page.waitForSelector("html[data-ready]");
  // A link to a game shows the board, any other address another page.
  if (hash.startsWith("game=")) await page.waitForSelector("#board .cell, .textboard, #notice:not([hidden])");
  return page;
}

/** A server and a browser for all tests of a file, and `onPage`: a test on a page of its own that ends without a complaint. */
export const workbench = (...extra) => workbenchOf(PLYPROOF, ...extra);

/** The same with a game, chomp, that the page does not know. */
export const workbenchWithOwnGame = (...extra) => workbenchOf(OWN_GAME, ...extra);

function workbenchOf(program, ...extra) {
  const shared = { server: null, browser: null };
  before(async () => {
    shared.server = await serveWith(program, 0, ...extra);
    shared.browser = await launch();
  });
  after(async () => {
    await shared.browser?.close();
    await shared.server?.stop();
  });
  const onPage = (name, hash, work, options) =>
    test(name, async () => {
      const page = await open(shared.browser, shared.server.url, hash, options);
      await work(page);
      assert.deepEqual(page.complaints, []);
      await page.context().close();
    });
  return { shared, onPage };
}

export const cell = (page, id) => page.locator(`[data-cell="${id}"]`);

/** Begins a game by the form, as a person does. */
export async function newGame(page, game, { rules = {}, sides = "human engine", level = null, agent = "mcts", simulations = 100 } = {}) {
  await page.click("#new-open");
  await page.selectOption("#new-game", game);
  for (const [name, value] of Object.entries(rules)) {
    const field = page.locator(`#new-rule-${name}`);
    if ((await field.evaluate((node) => node.tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await page.selectOption("#new-sides", sides);
  await page.selectOption("#new-level", level ?? "custom");
  if (!level) {
    await page.fill("#new-agent", agent);
    await page.fill("#new-simulations", String(simulations));
    await page.fill("#new-seconds", "");
  }
  await page.click("#new button[type=submit]");
  await page.waitForFunction(() => !document.querySelector("#new").open);
}

/** Waits until a person may move or the game is over; which of the two. */
export async function myTurn(page) {
  await page.waitForFunction(() => {
    const pass = document.querySelector("#pass");
    return document.querySelector(".status.over, .cell.movable, .choices:not([hidden], .closed)") || !pass.hidden;
  });
  return (await page.locator(".status.over").count()) === 0;
}

/** Makes some legal move by clicks; `choose(n)` picks one of n. */
export async function clickMove(page, choose) {
  if (await page.locator("#pass").isVisible()) {
    await page.click("#pass");
    return;
  }
  const before = await moves(page);
  const made = () => page.waitForFunction((count) => Number(document.querySelector("#bench").dataset.moves) > count, before);
  const movable = page.locator(".cell.movable");
  const cells = await movable.count();
  if (!cells) {
    const listed = page.locator(".choice");
    await listed.nth(choose(await listed.count())).click();
    await made();
    return;
  }
  const first = movable.nth(choose(cells));
  // Nobody is faster than a double click, which would count as one.
  const id = await first.getAttribute("data-cell");
  if (id === page.lastCell) await page.waitForTimeout(450);
  page.lastCell = id;
  await page.locator(`[data-cell="${id}"]`).click();
  const targets = page.locator(".cell.target");
  for (let count = await targets.count(); count; count = await targets.count()) await targets.nth(choose(count)).click();
  const question = page.locator(".question button").first();
  if (await question.isVisible()) await question.click();
  await made();
}

/** Moves made so far. */
export const moves = (page) => page.locator("#bench").evaluate((node) => Number(node.dataset.moves));

/** A small generator, so that a test that fails fails again. */
export function chooser(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

export const status = (page) => page.locator("#status").textContent();
