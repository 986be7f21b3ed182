// What the module promises: the answers of the native program, within the time and the memory that it is given.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { imports, load } from "./module.mjs";

const MIB = 2 ** 20;
const GAMES = ["loa", "awari", "minishogi", "gomoku", "knightthrough", "tictactoe", "mnk(m=5,n=4,k=4)", "connect4",
  "breakthrough", "hex(size=5)", "othello", "domineering", "clobber"];

/** Answers of the native program. */
function natively(requests) {
  const input = requests.map((request) => JSON.stringify(request) + "\n").join("");
  const output = execFileSync(process.env.PLYPROOF_ANSWERS, { input, encoding: "utf8", maxBuffer: 64 * MIB });
  return output.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** An answer without what depends on the clock. */
function timeless({ seconds, simulations_per_s, nodes_per_s, ...rest }) {
  return rest;
}

test("a clock and somebody to tell are all that the module imports", () => {
  assert.deepEqual(imports.map(({ module, name, kind }) => `${module} ${name} ${kind}`).sort(), ["plyproof now function", "plyproof tell function"]);
});

test("messages of the workbench's page are answered, and its searches tell how they stand", () => {
  const module = load();
  const tab = (message) => module.ask({ call: "tab", message });
  const at = { game: "loa(size=6)", moves: ["b1b3"] };
  assert.equal(tab({ do: "position", id: 7, at }).position.to_move, 2);
  assert.match(tab({ do: "position", id: 8, at: { game: "loa", moves: ["a1a1"] } }).error, /^move 1: /);
  const search = { do: "search", id: 9, role: "analyse", at, agent: "pn-mcts", simulations: 3000 };
  assert.deepEqual(tab(search), { over: 9 });
  const heads = module.told.map(({ search: { id, head } }) => ({ id, ...head }));
  assert.ok(heads.every(({ id }) => id === 9) && heads.at(-1).stopped === "simulations");
  const native = natively([{ call: "search", game: at.game, moves: at.moves, agent: "pn-mcts", simulations: 3000 }])[0];
  assert.equal(Object.assign({}, ...heads).best, native.best);
  const [{ nodes }] = tab({ do: "read", id: 10, text: '[Game "tictactoe"]\n\n1. b2 {The centre.} a1 *\n' }).games;
  assert.deepEqual(nodes.map(({ move = "", comment = "" }) => move + comment), ["", "b2The centre.", "a1"]);
  assert.match(tab({ do: "balance", id: 11, game: "loa", agent: "mcts", simulations: [1], games: 2 }).error, /plyproof serve/);
});

test("every game is searched as it is natively, move by move and visit by visit", () => {
  const requests = GAMES.flatMap((game) =>
    ["plyproof", "pn-mcts", "mcts"].map((agent) => ({ call: "search", game, agent, simulations: 400, seed: 7 })));
  requests.push({ call: "search", game: "loa", agent: "pn-mcts", simulations: 5000, seed: 1 });
  requests.push({ call: "search", game: "loa(size=5)", agent: "pn2", simulations: 2000 });
  const module = load();
  const expected = natively(requests);
  requests.forEach((request, place) => {
    const report = module.ask(request);
    assert.ok(report.best, JSON.stringify({ request, report }));
    assert.deepEqual(timeless(report), timeless(expected[place]), JSON.stringify(request));
  });
});

test("values are proven as they are natively, and their certificates hold", () => {
  const requests = [
    { call: "solve", game: "tictactoe", simulations: 1e6 },
    { call: "solve", game: "tictactoe", moves: ["a1", "a2"], simulations: 1e6 },
    { call: "solve", game: "connect4(width=5,height=4)", simulations: 1e6, memory: 32 * MIB },
    { call: "solve", game: "hex(size=3)", agent: "pn-mcts", simulations: 1e6, memory: 32 * MIB },
  ];
  const module = load();
  const expected = natively(requests);
  const values = requests.map((request, place) => {
    const solution = module.ask(request);
    assert.deepEqual(timeless(solution), timeless(expected[place]), JSON.stringify(request));
    assert.ok(solution.certificates.length > 0, JSON.stringify(request));
    for (const certificate of solution.certificates) {
      const checked = module.ask({ call: "verify", certificate });
      assert.match(checked.claim ?? checked.error, /player (wins|gets at least a draw)/);
      assert.equal(checked.entries, certificate.trimEnd().split("\n").length - 1);
    }
    return solution.value;
  });
  assert.deepEqual(values, ["draw", "win", "draw", "win"]);
});

test("a certificate that was tampered with is refused", () => {
  const module = load();
  const solution = module.ask({ call: "solve", game: "tictactoe", moves: ["a1", "a2"], simulations: 1e6 });
  const [certificate] = solution.certificates;
  const refused = (text, why) => {
    assert.notEqual(text, certificate);
    assert.match(module.ask({ call: "verify", certificate: text }).error ?? "accepted", why);
  };
  const lines = certificate.trimEnd().split("\n");
  refused(certificate.replace('"first"', '"second"'), /line \d/);
  refused(certificate.replace('"entries":', '"entries":1'), /line \d/);
  refused([lines[0].replace(/"entries":\d+/, `"entries":${lines.length - 2}`), ...lines.slice(2), ""].join("\n"), /line \d/);
  // The last entry is the position itself, where c3 draws only.
  const [position] = lines.at(-1).split("\t");
  refused([...lines.slice(0, -1), `${position}\tc3`, ""].join("\n"), /line \d/);
  assert.ok(module.ask({ call: "verify", certificate }).claim, "and the true one still holds");
});

test("the clock that is imported ends a search, and nothing else does", () => {
  const run = (agent) => {
    let readings = 0;
    const module = load(() => readings++);
    const report = module.ask({ call: "search", game: "loa", agent, milliseconds: 50 });
    assert.equal(report.stopped, "time", agent);
    return { readings, seconds: report.seconds, simulations: report.simulations, best: report.best };
  };
  for (const agent of ["mcts", "pn-mcts", "df-pn"]) {
    const ended = run(agent);
    assert.ok(ended.readings > 50 && ended.readings < 70, `${agent}: ${ended.readings} readings`);
    assert.ok(ended.seconds >= 0.05 && ended.seconds < 0.07, `${agent}: ${ended.seconds} s`);
    assert.deepEqual(run(agent), ended, "the real time does not matter");
  }
  const strange = [NaN, -5, Infinity, "soon", 1e300];
  for (const time of strange) {
    const report = load(() => time).ask({ call: "search", game: "tictactoe", simulations: 50, milliseconds: 1e6 });
    assert.equal(report.stopped ?? report.error, "simulations", String(time));
  }
});

test("a search and a proof take little more memory than they are given", () => {
  const started = load();
  started.ask({ call: "search", game: "loa", agent: "mcts", simulations: 1, memory: 1 });
  const base = started.bytes();
  assert.ok(base < 8 * MIB, `${base} bytes before any tree`);
  // A list that grows is copied where it cannot be extended, and both copies are there for a moment.
  const [times, rest] = [2.5, MIB];
  for (const [agent, memory] of [["mcts", MIB / 4], ["pn-mcts", MIB / 4], ["plyproof", 4 * MIB]]) {
    const module = load();
    const report = module.ask({ call: "search", game: "gomoku", agent, simulations: 10000, memory });
    assert.ok(report.full_after !== null && report.bytes <= memory, `${agent}: ${report.bytes} bytes in a full tree`);
    assert.ok(module.bytes() < base + times * memory + rest, `${agent}: ${module.bytes()} bytes`);
  }
  // A large budget is a limit: nothing is taken before it is needed.
  const modest = load();
  modest.ask({ call: "search", game: "loa", agent: "pn-mcts", simulations: 500, memory: 2 ** 40 });
  assert.ok(modest.bytes() < base + rest, `${modest.bytes()} bytes for 500 simulations`);
  const solver = load();
  const solution = solver.ask({ call: "solve", game: "loa(size=6)", simulations: 20000, memory: 4 * MIB });
  assert.equal(solution.stopped, "simulations");
  assert.ok(solver.bytes() < base + times * 4 * MIB, `${solver.bytes()} bytes`);
});

test("what cannot be answered is refused in words, and the next request is answered", () => {
  const module = load();
  assert.match(module.ask({ call: "search", game: "lao", simulations: 1 }).error, /did you mean loa/);
  assert.match(module.ask({ call: "search", game: "loa" }).error, /give one/);
  assert.match(module.ask({ call: "verify", certificate: "" }).error, /line 1/);
  // Files are no part of a module.
  assert.match(module.ask({ call: "search", game: "awari", agent: "pn-mcts(table=a.table)", simulations: 1 }).error, /table/);
  assert.equal(module.ask({ call: "search", game: "tictactoe", simulations: 10, agent: "mcts" }).simulations, 10);
});
