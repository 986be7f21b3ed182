// The static site as a plain file server has it, for the tests that use it: the engine runs in the browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, open } from "./workbench.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const target = `${process.env.CARGO_TARGET_DIR ?? `${root}/target`}`;
const PLYPROOF = process.env.PLYPROOF ?? `${target}/debug/plyproof`;
export const MODULE = process.env.PLYPROOF_MODULE ?? ["release", "debug"].map((profile) => `${target}/wasm32-unknown-unknown/${profile}/plyproof_wasm.wasm`).find((path) => existsSync(path));
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".json": "application/json" };

/** A site for all tests of a file: `asked` are the paths that were asked for, and `onSite` is a test on a page of its own. */
export function staticSite() {
  const folder = mkdtempSync(join(tmpdir(), "plyproof-site-"));
  const asked = [];
  let server, browser, url;

  before(async () => {
    assert.ok(MODULE, "the engine's module is not built; tests/browser/run builds it");
    execFileSync(PLYPROOF, ["site", folder, "--module", MODULE]);
    server = createServer((request, response) => {
      const path = normalize(new URL(request.url, "http://x").pathname);
      const file = join(folder, path === "/" ? "index.html" : path);
      asked.push(path);
      if (!existsSync(file) || !statSync(file).isFile()) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { "content-type": KINDS[extname(file)] ?? "text/plain" }).end(readFileSync(file));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${server.address().port}/`;
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const onSite = (name, hash, work, options) => test(name, async () => {
    const page = await open(browser, url, hash, options);
    await work(page);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });
  return { folder, asked, onSite, openSite: (hash) => open(browser, url, hash) };
}
