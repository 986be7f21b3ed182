// The status page of a proof by jobs: what it shows is what the search reports in the end.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, open } from "./workbench.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const root = fileURLToPath(new URL("../..", import.meta.url));
const PLYPROOF = process.env.PLYPROOF ?? `${root}/target/debug/plyproof`;

/** Starts a proof; resolves to the address of its page, and later to its report. */
async function proof(...extra) {
  const child = spawn(PLYPROOF, ["solve", ...extra, "--metrics", "0", "--json"], { stdio: ["ignore", "pipe", "pipe"], cwd: root });
  let out = "";
  child.stdout.on("data", (part) => (out += part));
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stderr.on("data", (part) => {
      text += part;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`it ended with ${code}: ${text}`)));
  });
  const report = new Promise((resolve) => child.on("exit", () => resolve(JSON.parse(out))));
  return { url, report, end: () => child.kill("SIGINT") };
}

const text = (page, id) => page.locator(`#${id}`).textContent();
const count = async (page, id) => Number((await text(page, id)).replaceAll(",", ""));

for (const colorScheme of ["light", "dark"]) {
  test(`a running proof can be watched, its last figures are those of the report, and axe finds nothing, ${colorScheme}`, async () => {
    const browser = await launch();
    const { url, report, end } = await proof("connect4", "--jobs", "2", "--memory", "200MB");
    try {
      const page = await open(browser, url, "", { colorScheme });
      const before = await count(page, "nodes");
      await page.waitForFunction((before) => Number(document.querySelector("#nodes").textContent.replaceAll(",", "")) > before, before);
      assert.equal(await text(page, "state"), "running");
      assert.match(await text(page, "busy"), /^[012] of 2$/);
      assert.equal(await page.locator("#worker-rows tr").count(), 2);
      assert.equal(await page.locator("#root-graph path.a").count(), 2, "the line and its key");
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`), []);
      assert.deepEqual(page.complaints, []);
      const metrics = await (await fetch(new URL("/metrics", url))).text();
      assert.match(metrics, /^plyproof_workers 2$/m);
      end();
      await page.waitForFunction(() => document.querySelector("#state").className === "done");
      const { jobs, nodes } = await report;
      for (const key of ["done", "stale", "lost", "retried", "shared", "positions"]) assert.equal(await count(page, key), jobs[key], key);
      assert.equal(await count(page, "nodes"), nodes);
      assert.equal(await text(page, "state"), "ended without an answer");
    } finally {
      end();
      await browser.close();
    }
  });
}
