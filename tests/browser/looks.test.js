// Looks that can be measured: contrasts, sizes, what is on the first screen, and the words of the page.

import assert from "node:assert/strict";
import { cell, newGame, status, workbench } from "./workbench.js";

const { onPage } = workbench("--runs", "experiments/strength/second");

/** Contrasts of what lies on a board with every square of it, by the colours that the browser paints: [look, piece, contrast]. */
const contrasts = (page, boards) => page.evaluate((boards) => {
  const channel = (part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return a < 0.5 || text === "none" ? null : 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
  };
  const found = [];
  for (const board of document.querySelectorAll(boards)) {
    const look = /look-\S+/.exec(board.getAttribute("class"))[0];
    const of = (selector, name) => [...new Set([...board.querySelectorAll(selector)].map((node) => getComputedStyle(node)[name]))];
    const grounds = [...of(".cell .shape", "fill"), ...of(".look-points .wood", "fill")].map(light).filter((value) => value !== null);
    // A coloured piece may have an outline that stands out in place of its own colour.
    const pieces = [...board.querySelectorAll(".piece .body, .piece .stroke, .seed, .own-sign .sign")].map((node) => {
      const { fill, stroke, strokeWidth } = getComputedStyle(node);
      const outlined = Number.parseFloat(strokeWidth) >= 4 || node.classList.contains("stroke");
      return JSON.stringify([fill, outlined ? stroke : "none"]);
    });
    for (const piece of new Set(pieces)) {
      const lights = JSON.parse(piece).filter((text) => text !== "none").map(light).filter((value) => value !== null);
      const worst = Math.min(...grounds.map((ground) => Math.max(...lights.map((value) => (Math.max(value, ground) + 0.05) / (Math.min(value, ground) + 0.05)))));
      found.push([look, piece, worst]);
    }
  }
  return found;
}, boards);

for (const colorScheme of ["light", "dark"]) {
  onPage(`stones of every game stand out from their boards by at least 3:1, ${colorScheme}`, "", async (page) => {
    await page.waitForFunction(() => {
      const frames = [...document.querySelectorAll(".tile .thumb")];
      return frames.length && frames.every((frame) => frame.firstChild);
    });
    const found = await contrasts(page, ".tile .picture");
    const looks = new Set(found.map(([look]) => look));
    for (const look of ["loa", "awari", "minishogi", "points", "through", "clobber", "connect4", "domineering", "hex", "othello", "marks", "generic"]) {
      assert.ok(looks.has(`look-${look}`), `${look} is not among ${[...looks]}`);
    }
    assert.deepEqual(found.filter(([, , contrast]) => !(contrast >= 3)), []);
  }, { colorScheme });

  for (const game of ["hex(size=4)&moves=b2_c3", "breakthrough", "domineering&moves=a1a2_c3d3"]) {
    onPage(`stones on boards drawn from text stand out as well: ${game}, ${colorScheme}`, `game=${game}`, async (page) => {
      const found = await contrasts(page, ".board");
      assert.ok(found.length >= 1);
      assert.deepEqual(found.filter(([, , contrast]) => !(contrast >= 3)), []);
    }, { colorScheme, query: "?board=text" });
  }

  onPage(`pieces of players of all colours stand out on boards from rules, ${colorScheme}`, "home", async (page) => {
    for (const [first, second] of [["white", "black"], ["red", "blue"], ["green", "yellow"], ["purple", "black"]]) {
      const [a, b] = [`${first}Stone`, `${second}Stone`];
      const rules = `#players = ${first}(100), ${second}(100)
#pieces = e, ${a}, ${b}
#variables =
#board = rectangle(up, down, left, right, [${a}, e, ${b}] [${b}, e, ${a}])
#anywhere = (up* + down*)(left* + right*)
#rules = ->${first} anywhere {e} [${a}] ->${second} anywhere {e} [${b}] [$ ${first} = 50, ${second} = 50] ->> {}
`;
      await page.setInputFiles("#rules-file", { name: `${first}.rbg`, mimeType: "text/plain", buffer: Buffer.from(rules) });
      await page.waitForSelector(`#my-rules [data-game^="${first}"] .picture .piece`);
    }
    const found = await contrasts(page, "#my-rules .picture");
    assert.ok(found.length >= 8, JSON.stringify(found));
    assert.deepEqual(found.filter(([, , contrast]) => !(contrast >= 3)), []);
  }, { colorScheme });
}

for (const [width, height] of [[1440, 900], [1366, 768], [1920, 1080]]) {
  onPage(`the graph and the field of the position are on the first screen of ${width}x${height}`, "game=loa&moves=b1b3_a2c2", async (page) => {
    await page.locator(".switch").click();
    // One value alone is seen as well: a line needs two.
    await page.waitForSelector("#graph .known:visible");
    for (const id of ["#graph", "#position", "#position-form button[type=submit]"]) {
      const box = await page.locator(id).boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= height, `${id}: ${JSON.stringify(box)}`);
    }
  }, { viewport: { width, height } });
}

onPage("the board of MiniShogi is as high as other boards, beside its hands, and all of it fits a phone", "game=minishogi", async (page) => {
  const height = () => page.evaluate(() => ["a1", "a5"].map((id) => document.querySelector(`[data-cell="${id}"] .shape`).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]).flat()).then((ends) => Math.max(...ends) - Math.min(...ends));
  assert.ok((await height()) > 0.9 * 553, `${await height()} px`);
  assert.equal(await page.locator(".cell.hand").count(), 10);
}, { viewport: { width: 1440, height: 900 } });

onPage("on a phone the hands of MiniShogi stand above and below the board, and its squares are as wide as a finger", "game=minishogi", async (page) => {
  const box = await cell(page, "a1").boundingBox();
  assert.ok(box.width > 55, `${box.width}`);
  const [board, hand] = [await page.locator("#board").boundingBox(), await page.locator(".cell.hand").first().boundingBox()];
  assert.ok(hand.y < box.y && board.width <= 390);
}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

onPage("discs of Connect Four are smaller than their holes, shares of Awari are percentages, and the bar has the players' colours", "game=connect4&moves=d_e", async (page) => {
  const [disc, hole] = await page.evaluate(() => [document.querySelector(".man .body").getBoundingClientRect().width, document.querySelector('[data-cell="d1"] .shape').getBoundingClientRect().width]);
  assert.ok(disc < 0.78 * hole, `${disc} in a square of ${hole}`);
  const colours = await page.evaluate(() => ["#bar", "#bar-fill"].map((id) => getComputedStyle(document.querySelector(id)).backgroundColor));
  assert.deepEqual(colours, ["rgb(240, 96, 76)", "rgb(244, 196, 48)"]);
  await newGame(page, "awari", { sides: "human human" });
  await page.locator(".switch").click();
  await page.waitForSelector(".overlay .hit text");
  for (const text of await page.locator(".overlay .hit text").allTextContents()) assert.match(text, /^(\d+%|[✓✕=])$/);
});

onPage("losses, the win rate and its interval of recorded matches are on the screen, which are sorted by every column", "experiments", async (page) => {
  await page.waitForSelector(".matches tbody tr");
  const heads = await page.locator(".matches thead th").allTextContents();
  for (const wanted of ["Losses", "Win rate of A", "95 % interval"]) assert.ok(heads.some((text) => text.startsWith(wanted)), heads.join("|"));
  const box = await page.locator(".matches thead th").last().boundingBox();
  assert.ok(box.x + box.width <= 1440, JSON.stringify(box));
  const column = heads.findIndex((text) => text.startsWith("Losses"));
  const order = async () => (await page.locator(".matches tbody tr").evaluateAll((all, at) => all.map((row) => Number(row.cells[at].textContent)), column));
  await page.locator(".matches thead th button").nth(column).click();
  const once = await order();
  await page.locator(".matches thead th button").nth(column).click();
  assert.deepEqual(await order(), [...once].reverse());
  assert.notDeepEqual(once, [...once].reverse());
  await page.locator(".matches tbody tr button").first().click();
  await page.waitForSelector(".score .curve", { state: "attached" });
  assert.match(await page.locator(".score-figure figcaption").textContent(), /the line in the middle is 50 %/);
}, { viewport: { width: 1440, height: 900 } });

onPage("the words of the page are plain", "game=hex&moves=f6", async (page) => {
  const text = await page.evaluate(() => document.body.textContent);
  for (const old of ["Go on ", "Your own…", "on board", "Keep as it is", "No move was made yet", "Upright", "a second · "]) assert.ok(!text.includes(old), old);
  await page.click("#new-open");
  const seats = await page.locator("#new-sides option").allTextContents();
  assert.ok(seats.includes("Two players, one device"), seats.join("|"));
  assert.ok((await page.locator("#new-level option").allTextContents()).some((text) => text.startsWith("Custom")));
  await page.keyboard.press("Escape");
  assert.equal(await status(page), "White to move.");
});

onPage("sounds are off until they are switched on, and then a move is heard", "game=loa", async (page) => {
  const notes = () => page.evaluate(() => window.notes);
  const play = async (from, to, count) => {
    await cell(page, from).click();
    await cell(page, to).click();
    await page.waitForFunction((n) => document.querySelector("#bench").dataset.moves === String(n), count);
  };
  await play("b1", "b3", 1);
  assert.equal(await notes(), 0);
  await page.click("#help-open");
  await page.check("#set-sounds");
  await page.keyboard.press("Escape");
  await play("a2", "c2", 2);
  assert.ok((await notes()) > 0);
}, { prepare: (page) => page.addInitScript(() => {
  window.notes = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    window.notes += 1;
    return start.apply(this, when);
  };
}) });

onPage("every column and number that needs a word has one, and the glossary has them all", "game=loa(size=6)", async (page) => {
  for (const title of await page.locator("#view-table thead th").evaluateAll((all) => all.slice(1).map((node) => node.title))) assert.ok(title.length > 10, title);
  await page.click("#help-open");
  const words = await page.locator("#glossary dt").allTextContents();
  for (const wanted of ["agent", "pn", "dpn", "rank", "C_pn", "visits", "mean", "value", "proven"]) assert.ok(words.includes(wanted), wanted);
});
