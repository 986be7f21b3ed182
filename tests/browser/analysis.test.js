// The board and what is beside it, by mouse, key and finger: what is shown is true, fits, and can be acted on.

import assert from "node:assert/strict";
import { cell, moves, workbench } from "./workbench.js";

const { onPage } = workbench("--runs", "experiments/strength");

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const scrolled = (page) => page.evaluate(() => Math.round(window.scrollY));
const engine = (page) => page.locator(".switch").click();

onPage("arrow keys go through the game after a move by mouse, even with the keyboard on the board before", "game=loa", async (page) => {
  const ply = (n) => page.waitForFunction((n) => document.querySelector("#bench").dataset.ply === n, String(n));
  for (const [from, to] of [["b1", "b3"], ["a2", "c2"]]) {
    await cell(page, from).click();
    await cell(page, to).click();
  }
  await ply(2);
  await page.keyboard.press("ArrowLeft");
  await ply(1);
  await page.keyboard.press("b");
  await page.keyboard.press("ArrowUp");
  await cell(page, "a2").click();
  await cell(page, "c2").click();
  await ply(2);
  await page.keyboard.press("ArrowLeft");
  await ply(1);
});

onPage("df-pn values no moves: the list says so, the bar forgets the agent before, and no memory is made up", "game=loa&moves=b1b3", async (page) => {
  await page.click("#tab-table");
  assert.match(await page.locator("#view-table").innerText(), /Switch the engine on/);
  await page.selectOption("#engine-agent", "mcts");
  await engine(page);
  await page.waitForSelector("#view-table tbody tr.best");
  await page.waitForSelector("#bar:not(.unknown)");
  await page.selectOption("#engine-agent", "df-pn");
  await page.waitForFunction(() => /pn \d/.test(document.querySelector("#engine-numbers").textContent));
  assert.match(await page.locator("#view-table").innerText(), /df-pn proves the position as a whole/);
  assert.equal(await page.locator("#bar.unknown").count(), 1);
  assert.doesNotMatch(await page.locator("#engine-numbers").textContent(), /\b0B/);
  // Back again, the value is there at once.
  await page.selectOption("#engine-agent", "mcts");
  await page.waitForSelector("#bar:not(.unknown)");
});

for (const game of ["hex(size=11)", "gomoku"]) {
  onPage(`Why shows what RAVE adds in ${game}, and the next simulation has the largest sum`, `game=${game}`, async (page) => {
    await page.click("#tab-why");
    await engine(page);
    await page.waitForSelector("#view-why tbody tr.best");
    // Read in one go: the next update replaces the table.
    const why = () => page.evaluate(() => ({
      heads: [...document.querySelectorAll("#view-why thead th")].map((cell) => cell.textContent),
      said: document.querySelector("#view-why .fine").textContent,
      rows: [...document.querySelectorAll("#view-why tbody tr")].map((row) => ({ best: row.className, move: row.cells[0].textContent, numbers: [...row.cells].slice(2, -1).map((cell) => Number(cell.textContent)) })),
    }));
    for (let seen = 0; seen < 5;) {
      const { heads, said, rows } = await why();
      assert.ok(heads.includes("RAVE"), heads.join(" "));
      for (const { move, numbers } of rows) {
        const sum = numbers.at(-1);
        assert.ok(Math.abs(numbers.slice(0, -1).reduce((a, b) => a + b, 0) - sum) < 0.004, `${move}: ${numbers}`);
      }
      const [next] = rows.filter((row) => row.best);
      if (next) {
        assert.match(said, new RegExp(`^The next simulation goes to ${next.move}:`));
        assert.ok(rows.every((row) => row.numbers.at(-1) <= next.numbers.at(-1) + 0.001), JSON.stringify(rows));
        seen += 1;
      } else {
        assert.match(said, /^The next simulation goes to one of \d+ moves without any/);
      }
      await page.waitForTimeout(150);
    }
  });
}

const agentOf = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("plyproof.settings")).agent);

for (const agent of ["df-pn", "pns", "pn2"]) {
  onPage(`Why says of ${agent} that it does not choose by a sum, and goes on with an agent that does`, "game=loa(size=6)", async (page) => {
    await page.click("#tab-why");
    await page.selectOption("#engine-agent", agent);
    await engine(page);
    await page.waitForFunction((agent) => document.querySelector("#view-why").textContent.startsWith(`${agent} does not choose by a sum of terms`), agent);
    await page.locator("#view-why button.main").click();
    await page.waitForSelector("#view-why tbody tr.best");
    assert.equal(await agentOf(page), "plyproof(search=tree)");
  });
}

// In these games the evaluation that comes with plyproof plays by alpha-beta, which has neither tree nor terms.
for (const [agent, other] of [["plyproof", "plyproof(search=tree)"], ["alpha-beta", "plyproof(search=tree)"], ["df-pn", "pns"], ["portfolio", "pns"]]) {
  onPage(`${agent} has no tree in Breakthrough: one button goes on with ${other}, as a list and as a picture`, "game=breakthrough", async (page) => {
    await page.selectOption("#engine-agent", agent);
    await page.click("#tab-tree");
    await engine(page);
    const said = page.locator("#view-tree .advice-card");
    await said.waitFor();
    assert.match(await said.textContent(), new RegExp(`^${agent} .*keeps no tree`));
    assert.equal(await said.locator("button.main").textContent(), `Go on with ${other}`);
    await said.locator("button.main").click();
    await page.waitForSelector("#view-tree [role=treeitem]");
    assert.equal(await agentOf(page), other);
    assert.equal(await said.isVisible(), false);
    await page.check("#tree-picture");
    await page.waitForFunction(() => document.querySelectorAll("#view-tree .treenode").length > 3);
  });
}

onPage("plyproof adds up no terms by alpha-beta: Why says so, the form leads back, and one line of play is all", "game=breakthrough", async (page) => {
  await page.click("#tab-why");
  await engine(page);
  await page.waitForFunction(() => /^plyproof searches this game by alpha-beta with its evaluation/.test(document.querySelector("#view-why").textContent));
  assert.doesNotMatch(await page.locator("#view-why").textContent(), /Everything is decided/);
  await page.locator("#view-why button.main").click();
  await page.waitForSelector("#view-why tbody tr.best");
  await page.locator("#tune > summary").click();
  assert.match(await page.locator("#tune > summary").textContent(), /^plyproof\(search=tree\)/);
  await page.click("text=Back to plyproof as it comes");
  await page.waitForFunction(() => /by alpha-beta/.test(document.querySelector("#view-why").textContent));
  assert.equal(await agentOf(page), "plyproof");
  await page.selectOption("#engine-lines", "3");
  await page.waitForFunction(() => /tells one line of play/.test(document.querySelector("#tune-form .advice-card").textContent));
  await page.locator("#tune-form .advice-card button").click();
  await page.waitForFunction(() => document.querySelectorAll(".pv-line").length === 3);
  assert.equal(await page.locator("#tune-form .advice-card").isVisible(), false);
});

// One page for each agent: on a page with two, the rows of the first would be taken for those of the second.
// For Hex there is no evaluation, so that plyproof searches with a tree and has terms.
for (const [agent, game] of [["plyproof", "hex"], ["pn-mcts", "loa"]]) {
  onPage(`Why fits into its panel at every width of a desktop: ${agent}`, `game=${game}`, async (page) => {
    await page.click("#tab-why");
    await page.selectOption("#engine-agent", agent);
    await engine(page);
    await page.waitForFunction(() => /[0-9]k/.test(document.querySelector("#view-why tbody tr td")?.textContent ?? ""));
    await engine(page);
    for (const width of [1000, 1280, 1366, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const [needs, has] = await page.locator(".views").evaluate((node) => [node.scrollWidth, node.clientWidth]);
      assert.ok(needs <= has, `${needs} px in ${has} at ${width}`);
      // Found and measured in one go: a last update may still replace the bar.
      const bar = await (await page.waitForFunction(() => document.querySelector("#view-why .terms")?.getBoundingClientRect().width)).jsonValue();
      assert.ok(bar >= 40, `a bar of ${bar} px`);
      // The bar of the first move is not a stump because moves with few visits have large terms.
      const parts = await page.evaluate(() => [...document.querySelector("#view-why .terms").querySelectorAll("rect")].reduce((sum, part) => sum + Number(part.getAttribute("width")), 0));
      if (agent === "plyproof") assert.ok(parts > 24, `${parts} of 120`);
    }
  });
}

onPage("on a phone a finger drags a piece without scrolling, and scrolls from an empty square", "game=loa", async (page) => {
  const touch = await page.context().newCDPSession(page);
  const drag = async (from, to) => {
    const [a, b] = [await cell(page, from).boundingBox(), await cell(page, to).boundingBox()];
    const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });
    const [start, end] = [middle(a), middle(b)];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [start] });
    for (let step = 1; step <= 10; step += 1) {
      const point = { x: start.x + ((end.x - start.x) * step) / 10, y: start.y + ((end.y - start.y) * step) / 10 };
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [point] });
      await page.waitForTimeout(16);
    }
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  await drag("b1", "b3");
  await page.waitForTimeout(500);
  assert.equal(await scrolled(page), 0);
  assert.equal(await moves(page), 1);
  await drag("d3", "d6");
  await page.waitForTimeout(500);
  assert.ok((await scrolled(page)) > 40, "the page scrolls");
  assert.equal(await moves(page), 1);
}, PHONE);

for (const [name, options] of [["a phone", PHONE], ["a desktop", {}]]) {
  onPage(`on ${name} a match opens at its top, its game at the board, and the list where it was left`, "", async (page) => {
    await page.click("#go-experiments");
    const last = page.locator(".matches tbody tr button").last();
    await last.scrollIntoViewIfNeeded();
    const left = await scrolled(page);
    assert.ok(left > 100, "the list is longer than the screen");
    await last.click();
    await page.waitForSelector(".score .curve", { state: "attached" });
    assert.equal(await scrolled(page), 0);
    await page.locator(".experiments > button.link").click();
    await page.waitForSelector(".matches");
    assert.ok(Math.abs((await scrolled(page)) - left) < 5, "the list is where it was left");
    await last.click();
    await page.waitForSelector(".score .curve", { state: "attached" });
    await page.locator(".games .game").last().click();
    await page.waitForSelector(".board .cell");
    assert.equal(await scrolled(page), 0);
  }, options);
}

onPage("lost moves that the search does not look into have no mark on the board", "game=gomoku&moves=h8_i9_h9_i8_h10", async (page) => {
  await page.click("#tab-table");
  await engine(page);
  // Black threatens to win: two moves hold, and the search knows that others lose.
  await page.waitForFunction(() => /[2-9]\dk|\d\d\dk/.test(document.querySelector("#view-table tbody td")?.textContent ?? "") && document.querySelector("#view-table .tag.loss"));
  await page.waitForTimeout(200);
  assert.ok((await page.locator(".overlay .hit").count()) > 0);
  assert.equal(await page.locator(".overlay .loss").count(), 0);
});
