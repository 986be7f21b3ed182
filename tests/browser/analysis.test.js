// The board and what is beside it, by mouse, key and finger: what is shown is true, fits, and can be acted on.

import assert from "node:assert/strict";
import { cell, moves, workbench } from "./workbench.js";

const { onPage } = workbench("--runs", "experiments/paper");

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
