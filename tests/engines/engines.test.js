// Programs by others play with plyproof. None of these tests depends on time: the limits are generous.
const assert = require("node:assert");
const { execFileSync, spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");
const test = require("node:test");

const binary = process.env.PLYPROOF ?? path.join(__dirname, "../../target/debug/plyproof");

/** The path of a program, or undefined. */
function program(name) {
  const folders = (process.env.PATH ?? "").split(path.delimiter).concat("/usr/games");
  return folders.map((folder) => path.join(folder, name)).find(existsSync);
}

/** Runs a test where a program is there, and says in one line that it was not run elsewhere. */
function withProgram(name, what, run) {
  const found = program(name);
  test(what, { skip: found ? false : `${name} is not installed: "${what}" was not run` }, () => run(found));
}

function match(game, engine, ...options) {
  const line = ["match", game, "mcts", engine, "--games", "2", "--quiet", "--json", "--jobs", "1", ...options];
  return JSON.parse(execFileSync(binary, line, { encoding: "utf8" }));
}

withProgram("fairy-stockfish", "Fairy-Stockfish plays MiniShogi over USI", (fairy) => {
  const engine = `engine(cmd=${fairy},protocol=usi,UCI_Variant=minishogi,margin=60s,handshake=60s)`;
  const played = match("minishogi(repetition=standard)", engine, "--sims", "300", "--openings", "2");
  assert.strictEqual(played.games, 2);
  assert.strictEqual(played.side_a.forfeits, 0, JSON.stringify(played));
  assert.strictEqual(played.side_b.forfeits, 0, JSON.stringify(played));
});

withProgram("fairy-stockfish", "Fairy-Stockfish plays Breakthrough over UCI, from a position in FEN too", (fairy) => {
  const engine = `engine(cmd=${fairy},protocol=uci,UCI_Variant=breakthrough,margin=60s,handshake=60s)`;
  for (const options of [["--openings", "2"], ["--position", "......../oooooooo/......../......../......../......../xxxxxxxx/........ x"]]) {
    const played = match("breakthrough", engine, "--sims", "300", ...options);
    assert.deepStrictEqual([played.games, played.errors], [2, 0], JSON.stringify(played));
  }
});

withProgram("fairy-stockfish", "Fairy-Stockfish counts the lines of Breakthrough as we do", (fairy) => {
  const input = "uci\nsetoption name UCI_Variant value breakthrough\nposition startpos\ngo perft 4\nquit\n";
  const theirs = execFileSync(fairy, { input, encoding: "utf8" }).match(/Nodes searched: (\d+)/)[1];
  const ours = JSON.parse(execFileSync(binary, ["perft", "breakthrough", "4", "--json"], { encoding: "utf8" }));
  assert.strictEqual(Number(theirs), ours.nodes);
});

withProgram("uci2wb", "uci2wb drives our engine through a whole game of MiniShogi", async (uci2wb) => {
  const engine = spawn(uci2wb, ["-s", `${binary} engine`], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = readline.createInterface({ input: engine.stdout });
  const say = (line) => engine.stdin.write(`${line}\n`);
  say("xboard");
  say("protover 2");
  say("new");
  say("variant 5x5+5_shogi");
  say("st 1");
  say("easy");
  say("go");
  let moves = [];
  for await (const line of lines) {
    const move = line.match(/^move (\S+)/);
    if (move) {
      moves.push(move[1]);
      // The engine plays both sides.
      if (moves.length >= 60) break;
      say("force");
      say("go");
    }
    if (/^(1-0|0-1|1\/2-1\/2|resign|RESULT)/.test(line)) break;
    assert.doesNotMatch(line, /illegal/i, moves.join(" "));
  }
  say("quit");
  engine.kill();
  assert.ok(moves.length >= 8, moves.join(" "));
});

test("the GTP controller of Sabaki drives our engine through a whole game", async (context) => {
  let gtp;
  try {
    gtp = require("@sabaki/gtp");
  } catch {
    context.skip('@sabaki/gtp is not installed: "the GTP controller of Sabaki" was not run');
    return;
  }
  const controller = new gtp.Controller(binary, ["engine", "--protocol", "gtp", "--game", "hex(size=5)", "--memory", "16MB"]);
  controller.start();
  const send = async (name, ...args) => {
    const response = await controller.sendCommand({ name, args });
    return response.error ? `error: ${response.content}` : response.content;
  };
  assert.strictEqual(await send("protocol_version"), "2");
  assert.match(await send("list_commands"), /genmove/);
  assert.strictEqual(await send("boardsize", "5"), "");
  assert.strictEqual(await send("clear_board"), "");
  assert.strictEqual(await send("time_settings", "0", "0.05", "1"), "");
  const moves = [];
  for (let ply = 0; ply < 25; ply += 1) {
    const move = await send("genmove", ply % 2 ? "W" : "B");
    if (move.startsWith("error")) {
      assert.match(move, /the game is over/);
      break;
    }
    assert.match(move, /^[A-E][1-5]$/);
    moves.push(move);
  }
  assert.ok(moves.length >= 9, moves.join(" "));
  assert.strictEqual(new Set(moves).size, moves.length, "every cell once");
  assert.match(await send("final_score"), /^[BW]\+1$/);
  assert.match(await send("play", "B", "Z9"), /^error: illegal move/);
  await controller.stop();
});
