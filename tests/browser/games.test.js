// Whole games of the five games of the paper, played by clicks against the engine, to a result.

import assert from "node:assert/strict";
import { chooser, clickMove, moves, myTurn, newGame, status, workbench } from "./workbench.js";

const { onPage } = workbench();

const GAMES = [
  ["loa", /wins: all its stones are connected|Draw: both/],
  ["awari", /seeds to|Draw/],
  ["minishogi", /wins: the opponent has no legal move/],
  ["gomoku", /wins: five in a row|Draw: the board is full/],
  ["knightthrough", /wins: (the far row is reached|the last enemy piece is captured)/],
];

for (const [game, result] of GAMES) {
  onPage(`a whole game of ${game} is played by clicks against the engine to a result`, "", async (page) => {
    await newGame(page, game, { agent: "pn-mcts", simulations: 300 });
    const choose = chooser(7);
    while (await myTurn(page)) {
      assert.ok((await moves(page)) < 400, "the game does not end");
      await clickMove(page, choose);
    }
    assert.match(await status(page), result);
    // The list has every move, and each can be jumped to.
    assert.equal(await page.locator(".moves .move").count(), await moves(page));
  });
}

onPage("every game can be begun and one move of it clicked", "", async (page) => {
  const games = await page.locator("#new-game option").evaluateAll((all) => all.map((option) => option.value));
  assert.ok(games.length >= 13);
  for (const game of games) {
    await newGame(page, game, { agent: "mcts", simulations: 20 });
    await myTurn(page);
    await clickMove(page, chooser(3));
    // The engine answers.
    await page.waitForFunction(() => Number(document.querySelector("#bench").dataset.moves) >= 2);
  }
});
