// The page is usable with a screen reader and by those who see little: axe finds nothing to complain of.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { workbench } from "./workbench.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { onPage } = workbench("--runs", "experiments/strength/second");

/** What axe finds wrong now, one line each: the rule, the elements, what it measured. */
async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target.join(" ")} ${any[0]?.message ?? ""}`));
}

async function clean(page, where) {
  assert.deepEqual(await findings(page), [], where);
}

/** Switches the engine on, and off once it has found something, so that nothing changes while axe looks. */
async function search(page) {
  await page.locator(".switch").click();
  await page.waitForSelector(".pv-move");
  await page.waitForTimeout(500);
  await page.locator(".switch").click();
}

for (const colorScheme of ["light", "dark"]) {
  onPage(`axe finds nothing on the board and in its views, ${colorScheme}`, "game=loa(size=6)&moves=b1b3_a2c2", async (page) => {
    await clean(page, "the page as it opens");
    for (const tab of ["moves", "table", "why", "tree", "proof"]) {
      await page.click(`#tab-${tab}`);
      await clean(page, `${tab} before the engine was on`);
    }
    await search(page);
    for (const tab of ["moves", "table", "why", "tree"]) {
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(300);
      await clean(page, tab);
    }
    await page.locator("#view-tree .more").first().click();
    await clean(page, "the tree with all moves");
    // A branch, with the sentence about it and "Undo".
    await page.click("#first");
    await page.waitForSelector(".cell.movable");
    await page.locator('[data-cell="c1"]').click();
    await page.locator(".cell.target").first().click();
    await page.waitForSelector("#undo");
    await page.waitForTimeout(400);
    await clean(page, "after another move in the middle");
    await page.click("#new-open");
    await page.selectOption("#new-level", "custom");
    await page.fill("#new-agent", "nobody");
    await page.click("#new button[type=submit]");
    await page.waitForFunction(() => document.querySelector("#new .error").textContent);
    await clean(page, "the form for a new game");
    await page.keyboard.press("Escape");
    await page.click("#help-open");
    await clean(page, "the help");
  }, { colorScheme });

  onPage(`axe finds nothing in a proof, in advice and in a notice, ${colorScheme}`, "game=breakthrough(size=3x5)&moves=zz", async (page) => {
    await page.click("#tab-proof");
    await page.click("#prove");
    await page.waitForSelector(".certificate .check");
    await page.click(".certificate .check");
    await page.waitForSelector(".certificate .holds");
    await clean(page, "a proof");
    await page.click("#tab-why");
    await page.selectOption("#engine-agent", "pns");
    await page.locator(".switch").click();
    await page.waitForSelector(".advice");
    await page.locator(".switch").click();
    await clean(page, "advice");
  }, { colorScheme });

  onPage(`axe finds nothing on the front door, in rules, kept games, the studio and a search step by step, ${colorScheme}`, "", async (page) => {
    await page.waitForSelector(".tile");
    await page.waitForFunction(() => document.querySelector(".tile .thumb") && [...document.querySelectorAll(".tile .thumb")].every((frame) => frame.firstChild));
    await clean(page, "the gallery");
    await page.click('[data-game="hex"] .tile-head');
    await page.waitForSelector(".rules .picture");
    await clean(page, "rules");
    await page.click("#go-learn");
    await page.waitForSelector(".learn .treenode");
    await page.locator("#learn-step").fill("12");
    await page.waitForFunction(() => document.querySelectorAll(".learn .treenode").length > 5);
    await clean(page, "a search step by step");
    await page.click("#go-studio");
    await page.selectOption("#studio-game", "tictactoe");
    await page.fill("#studio-sims", "5");
    await page.click("#studio-start");
    await page.waitForFunction(() => document.querySelectorAll(".variant tbody tr").length === 2);
    await clean(page, "the studio");
    await page.goto(`${page.url().split("#")[0]}#game=tictactoe&moves=a1_b1_a2_b2_a3`);
    await page.waitForSelector("#card:visible");
    await page.click("#review");
    await page.waitForSelector(".mistakes li");
    await page.waitForFunction(() => !document.querySelector(".review progress"));
    await page.locator(".best-line").first().click();
    await page.waitForSelector(".variation");
    await page.fill("#comment", "A comment.");
    await page.locator("#comment").blur();
    await clean(page, "a review with a variation");
    await page.waitForTimeout(500);
    await page.click("#go-library");
    await page.waitForSelector(".kept tbody tr");
    await clean(page, "kept games");
  }, { colorScheme });

  onPage(`axe finds nothing in the form of an agent and in the tree as a picture, ${colorScheme}`, "game=loa(size=6)", async (page) => {
    await page.selectOption("#engine-agent", "pn-mcts");
    await page.locator("#tune > summary").click();
    await page.locator("#tune details summary").first().click();
    await page.selectOption("#engine-second", "mcts");
    await page.selectOption("#engine-lines", "3");
    await page.click("#tab-tree");
    await page.check("#tree-picture");
    await search(page);
    await page.waitForTimeout(500);
    await clean(page, "a picture and a form");
    await page.click("#tab-table");
    await clean(page, "two agents in the table");
  }, { colorScheme });

  onPage(`axe finds nothing in the experiments, ${colorScheme}`, "", async (page) => {
    await page.click("#go-experiments");
    await page.waitForSelector(".matches tbody tr");
    await clean(page, "the list");
    await page.click(".card");
    await page.waitForSelector("img.figure");
    await clean(page, "an experiment");
    await page.locator(".experiments > button.link").click();
    await page.locator(".matches tbody tr button").first().click();
    await page.waitForSelector(".score .curve", { state: "attached" });
    await clean(page, "a match");
  }, { colorScheme });
}

onPage("axe finds nothing on a phone", "game=minishogi", async (page) => {
  await search(page);
  for (const tab of ["moves", "table", "why", "tree", "proof"]) {
    await page.click(`#tab-${tab}`);
    await page.waitForTimeout(300);
    await clean(page, tab);
  }
  await page.click("#go-experiments");
  await page.click(".card");
  await page.waitForSelector("img.figure");
  await clean(page, "an experiment");
}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
