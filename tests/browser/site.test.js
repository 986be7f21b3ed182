// The static site, from a plain file server: the engine runs in the browser, and everything but the experiments works.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { MODULE, staticSite } from "./site.js";
import { cell, newGame, status } from "./workbench.js";

const { asked, folder, onSite, openSite } = staticSite();

onSite("a game is played against the engine in the browser", "", async (page) => {
  await page.waitForSelector(".tile .picture");
  await newGame(page, "tictactoe", { agent: "plyproof", simulations: 300 });
  await page.waitForSelector(".cell.movable");
  await cell(page, "a1").click();
  await page.waitForFunction(() => document.querySelector("#bench").dataset.moves === "2");
  await page.waitForSelector(".cell.movable");
  await page.keyboard.press("h");
  await page.waitForSelector(".overlay .hit");
});

onSite("a position is analysed with moves, terms and tree, and nothing comes from anywhere else", "game=loa(size=6)", async (page) => {
  await page.selectOption("#engine-agent", "pn-mcts");
  await page.click("#tab-table");
  await page.locator(".switch").click();
  await page.waitForSelector("#view-table tbody tr.best");
  await page.click("#tab-why");
  await page.waitForSelector("#view-why tbody tr.best");
  await page.click("#tab-tree");
  await page.waitForSelector("#view-tree [role=treeitem]");
  // The search of another position takes the place of this one.
  await cell(page, "b1").click();
  await page.locator(".cell.target").first().click();
  await page.waitForFunction(() => document.querySelector("#bench").dataset.moves === "1");
  await page.waitForFunction(() => /simulations/.test(document.querySelector("#engine-numbers").textContent));
  await page.locator(".switch").click();
  const missing = asked.filter((path) => path !== "/" && !existsSync(join(folder, path)));
  assert.deepEqual(missing, []);
});

onSite("a position is proven, its certificate downloaded and verified", "game=breakthrough(size=3x5)", async (page) => {
  await page.click("#tab-proof");
  await page.click("#prove");
  await page.waitForSelector(".badge-line", { timeout: 60_000 });
  assert.match(await page.locator(".badge-line").textContent(), /Proven: /);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("a.button")]);
  assert.equal(download.suggestedFilename(), "breakthrough-size-3x5.cert");
  const text = readFileSync(await download.path());
  await page.click(".certificate .check");
  await page.waitForSelector(".certificate .holds");
  assert.match(await page.locator(".certificate .holds").textContent(), /^Verified: in breakthrough\(size=3x5\) from .*wins/);
  await page.click("#view-proof summary");
  await page.setInputFiles("#certificate-file", { name: "x.gz", mimeType: "application/gzip", buffer: gzipSync(text) });
  await page.waitForSelector("#view-proof details .holds");
  const lines = text.toString().split("\n");
  await page.setInputFiles("#certificate-file", { name: "y", mimeType: "text/plain", buffer: Buffer.from([lines[0], ...lines.slice(2)].join("\n")) });
  await page.waitForSelector("#view-proof details .error");
}, { acceptDownloads: true });

onSite("a game is reviewed and saved, and a search stepped through", "game=tictactoe&moves=a1_b1_a2_b2_a3", async (page) => {
  await page.click("#review");
  await page.waitForSelector(".mistakes li", { timeout: 60_000 });
  await page.waitForFunction(() => !document.querySelector(".review progress"));
  const [download] = await Promise.all([page.waitForEvent("download"), page.click('[data-format="games"]')]);
  assert.match(readFileSync(await download.path(), "utf8"), /b1\?\?/);
  assert.match(await status(page), /Crosses wins/);
  await page.click("#go-learn");
  await page.locator("#learn-step").fill("15");
  await page.waitForFunction(() => document.querySelectorAll(".learn .treenode").length > 6);
  for (const [button, words] of [["#go-experiments", /No folder/], ["#go-studio", /need the program/]]) {
    await page.click(button);
    await page.waitForFunction((source) => new RegExp(source).test([...document.querySelectorAll("main")].find((node) => !node.hidden).textContent), words.source);
  }
}, { acceptDownloads: true });

test("the page may load and run nothing but its own files, and is small", async () => {
  const page = await openSite("");
  const refused = await page.evaluate(async () => {
    const tries = [fetch("https://example.org/").catch(() => "refused")];
    const script = document.createElement("script");
    script.textContent = "window.inline = true";
    document.head.append(script);
    return [...(await Promise.all(tries)), window.inline ?? "refused"];
  });
  assert.deepEqual(refused, ["refused", "refused"]);
  await page.context().close();
  const files = ["plyproof.wasm", "catalogue.json", ...asked.filter((path) => /\.(js|css|html|svg)$/.test(path))];
  // As servers of files compress for browsers of today; gzip, with its window of 32 kB, finds fewer of the engine's likenesses.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
  const size = [...new Set(files)].reduce((sum, name) => sum + brotliCompressSync(readFileSync(join(folder, name)), { params }).length, 0);
  if (MODULE.includes("/release/")) assert.ok(size < 3e6, `${size} bytes compressed`);
});
