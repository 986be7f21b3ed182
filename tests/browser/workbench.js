// What the tests share: a server of its own, a browser, and a page whose every complaint is an error.

import { spawn } from "node:child_process";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
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

/** Starts `plyproof serve` on a free port; resolves to its address and a way to end it. */
export async function serve(...extra) {
  const program = process.env.PLYPROOF ?? `${root}/target/debug/plyproof`;
  const child = spawn(program, ["serve", "--port", "0", ...extra], { stdio: ["ignore", "pipe", "inherit"], cwd: root });
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
  return { url, pid: child.pid, stop: () => child.kill("SIGINT") };
}

export const launch = () => chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });

/** A page at a place of the workbench. `page.complaints` collects console errors and exceptions. */
export async function open(browser, url, hash = "", options = {}) {
  const context = options.context ?? (await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options }));
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.setDefaultTimeout(20_000);
  await page.goto(`${url}${hash ? `#${hash}` : ""}`);
  await page.waitForSelector("html[data-ready]");
  await page.waitForSelector(".board .cell");
  return page;
}

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
    return document.querySelector(".status.over") || document.querySelector(".cell.movable") || !pass.hidden;
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
  const movable = page.locator(".cell.movable");
  await movable.nth(choose(await movable.count())).click();
  const targets = page.locator(".cell.target");
  const count = await targets.count();
  if (count) await targets.nth(choose(count)).click();
  const question = page.locator(".question button").first();
  if (await question.isVisible()) await question.click();
  await page.waitForFunction((count) => Number(document.querySelector("#bench").dataset.moves) > count, before);
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
