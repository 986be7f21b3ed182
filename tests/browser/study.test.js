// Studying: agents with parameters, two agents, several lines, the tree as a picture, a search step by step, matches and
// measurements from the page.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, newGame, open, serve, workbench } from "./workbench.js";

const { onPage } = workbench();
const engine = (page) => page.locator(".switch").click();

onPage("an agent's parameters are changed in a form, and a bad one is refused with the reason", "game=loa(size=6)", async (page) => {
  await page.selectOption("#engine-agent", "pn-mcts");
  await page.locator("#tune > summary").click();
  await page.fill("#tune-pn", "0.25");
  await page.locator("#tune-pn").blur();
  await page.waitForFunction(() => JSON.parse(localStorage.getItem("plyproof.settings")).agent === "pn-mcts(pn=0.25)");
  await engine(page);
  await page.waitForSelector(".pv-move");
  await page.fill("#tune-pn", "abc");
  await page.locator("#tune-pn").blur();
  await page.waitForFunction(() => /pn=abc is not allowed/.test(document.querySelector("#tune-error").textContent));
  await page.locator('#tune input[type="range"]').nth(1).fill("2");
  await page.waitForFunction(() => JSON.parse(localStorage.getItem("plyproof.settings")).agent === "pn-mcts(pn=2)");
  // Another agent and back: what was set is still set.
  await page.selectOption("#engine-agent", "mcts");
  await page.selectOption("#engine-agent", "pn-mcts");
  assert.equal(await page.inputValue("#tune-pn"), "2");
});

onPage("two agents search the same position side by side, and several lines are shown", "game=loa(size=6)", async (page) => {
  await page.selectOption("#engine-agent", "pn-mcts");
  await page.locator("#tune > summary").click();
  await page.selectOption("#engine-second", "mcts");
  await page.selectOption("#engine-lines", "3");
  await engine(page);
  await page.click("#tab-table");
  await page.waitForFunction(() => document.querySelectorAll(".pv-line").length === 4 && document.querySelectorAll(".pv-line:nth-child(2) .pv-move").length > 1);
  await page.waitForFunction(() => /mcts · best \S+ · [\d.]+k? simulations/.test(document.querySelector("#second-numbers").textContent));
  await page.waitForFunction(() => /\d/.test(document.querySelector("#view-table tbody .other")?.textContent ?? ""));
  await engine(page);
});

onPage("values have one convention and the player's name", "game=connect4&moves=d_a_d_a_d_b", async (page) => {
  await engine(page);
  await page.waitForFunction(() => document.querySelector("#engine-value").textContent === "Yellow wins: proven");
  assert.match(await page.locator("#bar").getAttribute("aria-label"), /Value: Yellow wins: proven/);
  for (const title of await page.locator("#view-table thead th").evaluateAll((all) => all.slice(1, 7).map((node) => node.title))) assert.ok(title.length > 10, title);
  await page.click("#help-open");
  assert.match(await page.locator("#glossary").innerText(), /Proof number/);
});

onPage("the tree is drawn as a picture with the most proving path, and saved as SVG", "game=loa(size=5)", async (page) => {
  await page.selectOption("#engine-agent", "pn-mcts");
  await page.click("#tab-tree");
  await page.check("#tree-picture");
  await page.selectOption("#tree-size", "200");
  await engine(page);
  await page.waitForFunction(() => document.querySelectorAll(".treenode").length > 100);
  assert.ok((await page.locator(".edge.proving").count()) > 0 && (await page.locator(".treenode rect").count()) > 0);
  await engine(page);
  await page.waitForTimeout(300);
  // A click on a node shows all its children.
  const path = await page.locator("#view-tree .treenode[data-line]").first().getAttribute("data-line");
  const below = () => page.locator(`#view-tree .treenode[data-line^="${path} "]`).evaluateAll((all, depth) => all.filter((node) => node.dataset.line.split(" ").length === depth).length, path.split(" ").length + 1);
  const few = await below();
  await page.locator(`#view-tree .treenode[data-line="${path}"] .body`).dispatchEvent("pointerdown", { pointerId: 1 });
  await page.locator(`#view-tree .treenode[data-line="${path}"] .body`).dispatchEvent("pointerup", { pointerId: 1 });
  await page.waitForTimeout(500);
  assert.ok((await below()) > few, `${few} children before`);
  // Nodes of a level do not lie on each other.
  const least = await page.evaluate(() => {
    const rows = new Map();
    for (const node of document.querySelectorAll("#view-tree .treenode")) {
      const [x, y] = /translate\(([-\d.]+),([-\d.]+)\)/.exec(node.getAttribute("transform")).slice(1).map(Number);
      rows.set(y, [...(rows.get(y) ?? []), x]);
    }
    return Math.min(...[...rows.values()].flatMap((row) => row.sort((a, b) => a - b).slice(1).map((x, i) => x - row[i])));
  });
  assert.ok(least > 40, `${least}`);
  // Siblings without children stand in two rows, and what is not legible is not fitted in: letters have 6 px in the full window.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.click('[title="Full window"]');
  const letters = await page.evaluate(() => document.querySelector("#view-tree .treenode .numbers").getBoundingClientRect().height);
  assert.ok(letters > 6, `${letters} px`);
  await page.keyboard.press("Escape");
  await page.click('[title="Full window"]');
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#tree-save")]);
  const text = readFileSync(await download.path(), "utf8");
  assert.match(text, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.ok((text.match(/<circle|<rect/g) ?? []).length > 100 && !text.includes("class="));
}, { acceptDownloads: true });

onPage("four searches and a picture of 200 nodes leave time for 60 frames a second", "", async (page) => {
  await newGame(page, "loa", { sides: "engine human", agent: "mcts", simulations: 100_000_000_000 });
  await page.locator("#tune > summary").click();
  await page.selectOption("#engine-agent", "pn-mcts");
  await page.selectOption("#engine-second", "mcts");
  await engine(page);
  await page.click("#tab-proof");
  await page.click("#prove");
  await page.click("#tab-tree");
  await page.check("#tree-picture");
  await page.selectOption("#tree-size", "200");
  await page.waitForFunction(() => document.querySelectorAll(".treenode").length > 100);
  const tools = await page.context().newCDPSession(page);
  await tools.send("Performance.enable", { timeDomain: "threadTicks" });
  const used = async () => (await tools.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
  // Processor time of the page for each frame, which depends little on how busy the machine is.
  const perFrame = async () => {
    const before = await used();
    await page.evaluate(() => new Promise((resolve) => {
      let left = 120;
      const next = () => ((left -= 1) ? requestAnimationFrame(next) : resolve());
      requestAnimationFrame(next);
    }));
    return (1000 * ((await used()) - before)) / 120;
  };
  const times = [await perFrame(), await perFrame(), await perFrame()].sort((a, b) => a - b);
  assert.ok(times[1] < 16.7, `${times} ms`);
  assert.match(await page.locator(".thinking").allTextContents().then((all) => all.join("")), /thinking/);
});

for (const agent of ["mcts", "pn-mcts", "pns"]) {
  onPage(`a small search of ${agent} is stepped through, simulation by simulation`, "learn", async (page) => {
    await page.selectOption("#learn-agent", agent);
    await page.waitForSelector(".learn .treenode");
    const visits = () => page.locator("#learn-step").inputValue().then(Number);
    for (let step = 0; step < 12; step += 1) await page.click("#learn-next");
    await page.waitForFunction(() => document.querySelectorAll(".learn .treenode").length > 2);
    assert.equal(await visits(), 4, "four phases to a simulation");
    assert.equal(await page.locator(".phases .now").count(), 1);
    await page.locator("#learn-step").fill("20");
    await page.waitForFunction(() => document.querySelectorAll(".learn .treenode").length > 6);
    await page.click("#learn-back");
    await page.click("#learn-play");
    await page.waitForFunction(() => Number(document.querySelector("#learn-step").value) > 20 || /proven/.test(document.querySelector("#learn-said").textContent));
    await page.click("#learn-play");
  });
}

onPage("variants of a game are measured side by side", "studio", async (page) => {
  await page.selectOption("#studio-game", "breakthrough");
  await page.fill("#studio-sims", "5, 20");
  await page.fill("#studio-games", "10");
  for (const size of ["2x4", "3x4"]) {
    await page.fill("#studio-rule-size", size);
    await page.click("#studio-start");
  }
  await page.waitForFunction(() => document.querySelectorAll(".variant tbody tr").length === 6, null, { timeout: 60_000 });
  assert.match(await page.locator(".variant").first().innerText(), /value is proven: (win|loss)/);
  const shares = await page.locator(".variant tbody tr").first().locator("td").allTextContents();
  assert.equal(shares.slice(0, 3).reduce((sum, text) => sum + Number.parseInt(text, 10), 0), 100);
  await page.fill("#studio-sims", "many");
  await page.click("#studio-start");
  assert.match(await page.locator("#studio-page .error").textContent(), /expected whole numbers/);
});

test("a match is begun from the page, watched, recorded, and its games opened with the agents' names", async () => {
  const folder = mkdtempSync(join(tmpdir(), "plyproof-runs-"));
  cpSync(fileURLToPath(new URL("../../experiments/strength/second", import.meta.url)), folder, { recursive: true });
  const server = await serve("--runs", folder);
  const browser = await launch();
  try {
    const page = await open(browser, server.url, "experiments");
    await page.click(".new-match summary");
    await page.fill("#match-game", "tictactoe");
    await page.fill("#match-sims-a", "30");
    await page.fill("#match-sims-b", "10");
    await page.fill("#match-count", "3");
    await page.click("#match-start");
    await page.waitForFunction(() => /expected an even number/.test(document.querySelector(".new-match .error").textContent));
    await page.fill("#match-count", "20");
    await page.fill("#match-name", "../../etc");
    await page.click("#match-start");
    await page.waitForFunction(() => /not the name of a record/.test(document.querySelector(".new-match .error").textContent));
    await page.fill("#match-name", "small");
    await page.click("#match-start");
    await page.waitForFunction(() => /20 of 20 games/.test(document.querySelector("#match-stand").textContent));
    await page.fill("#match-filter", "small");
    await page.waitForFunction(() => document.querySelectorAll(".matches tbody tr").length === 1);
    await page.fill("#match-filter", "");
    await page.click("#match-stand button.link");
    await page.waitForSelector(".score .curve", { state: "attached" });
    await page.locator(".games .game").first().click();
    await page.waitForSelector("#board .look-marks");
    const names = await page.locator(".strip .name").allTextContents();
    assert.ok(names.some((name) => name.includes("pn-mcts")) && names.length === 2, names.join(" | "));
    assert.deepEqual(page.complaints, []);
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
