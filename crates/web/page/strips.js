// The lines above and below the board: who plays, what they hold, whose turn it is; and the line that says how it stands.

import { byId, el, put, short } from "./dom.js";
import { levelText } from "./levels.js";

export function paintStrips(table) {
  const { game, at, family } = table;
  if (!at) return;
  const counted = family.counted?.(family.parse(at)) ?? {};
  const bottom = game.flipped ? 2 : 1;
  for (const [id, player] of [["strip-bottom", bottom], ["strip-top", 3 - bottom]]) {
    const strip = byId(id);
    const signature = JSON.stringify([player, game.seats, family.look, game.level, game.custom]);
    if (strip.dataset.signature !== signature) {
      strip.dataset.signature = signature;
      build(strip, table, player);
    }
    strip.classList.toggle("turn", !table.finished && at.to_move === player);
    strip.querySelector(".counted").textContent = counted[player] ?? "";
    const thinking = table.player.running && table.player.mover === player && game.seats[player] === "engine";
    strip.querySelector(".thinking").textContent = thinking ? `thinking… ${short(table.player.head.simulations ?? 0)}` : "";
  }
  byId("status").textContent = standing(table);
  byId("status").classList.toggle("over", table.finished);
}

function build(strip, table, player) {
  const { game, family } = table;
  const choose = el(
    "select",
    { "aria-label": `Who plays ${family.names[player]}`, on: { change: (event) => table.seat(player, event.target.value) } },
    el("option", { value: "human", text: "Person" }),
    el("option", { value: "engine", text: `Engine (${levelText(game)})` }),
  );
  choose.value = game.seats[player];
  put(
    strip,
    el("span", { class: `token look-${family.look} p${player}`, "aria-hidden": "true" }),
    el("b", { text: family.names[player] }),
    el("span", { class: "counted" }),
    el("span", { class: "grow" }),
    el("span", { class: "thinking" }),
    choose,
  );
}

/** What an agent says of its parameters can fill a page. */
const cut = (text) => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

/** How it stands, in words. */
export function standing({ at, family, game, finished, personsTurn, atEnd, online, waiting, player }) {
  if (finished) {
    const { winner, margin } = at.outcome;
    const why = family.reason?.(family.parse(at), at.outcome, at.last);
    const said = winner ? `${family.names[winner]} wins${margin ? ` by ${margin}` : ""}` : "Draw";
    return why ? `${said}: ${why}.` : `${said}.`;
  }
  const mover = family.names[at.to_move];
  if (!online) return "The connection to the server is lost. Your game is kept, and goes on when the connection is back.";
  if (waiting) return "Waiting for the server…";
  if (player.error) return `${mover} to move: the engine has failed (${cut(player.error)}). “Go on” lets it try again.`;
  if (!atEnd) return `Move ${game.ply} of ${game.moves.length}. ${mover}${personsTurn ? "" : " (engine)"} to move.`;
  if (personsTurn) return at.legal.length === 1 && at.legal[0] === "pass" ? `${mover} has no move and must pass.` : `${mover} to move.`;
  return game.paused ? `${mover} to move; the engine is paused.` : `${mover} to move: the engine thinks.`;
}
