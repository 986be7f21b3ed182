// The lines above and below the board: who plays, what they hold, whose turn it is; and the line that says how it stands.

import { clockText } from "./clock.js";
import { byId, el, put, short } from "./dom.js";
import { LEVELS, engineOf, levelText } from "./levels.js";

export function paintStrips(table) {
  const { game, at, family } = table;
  if (!at) return;
  const counted = family.counted?.(family.parse(at)) ?? {};
  const bottom = game.flipped ? 2 : 1;
  for (const [id, player] of [["strip-bottom", bottom], ["strip-top", 3 - bottom]]) {
    const strip = byId(id);
    const signature = JSON.stringify([player, game.seats, family.look, family.names, game.level, game.custom, game.engines, game.headers]);
    if (strip.dataset.signature !== signature) {
      strip.dataset.signature = signature;
      build(strip, table, player);
    }
    strip.classList.toggle("turn", !table.finished && at.to_move === player);
    strip.querySelector(".counted").textContent = counted[player] ?? "";
    const thinking = table.player.running && table.player.mover === player && game.seats[player] === "engine";
    strip.querySelector(".thinking").textContent = thinking ? `thinking… ${short(table.player.head.simulations ?? 0)}` : "";
  }
  byId("move-now").hidden = !(table.player.running && table.player.head.best);
  paintClocks(table);
  byId("status").textContent = standing(table);
  byId("status").classList.toggle("over", table.finished);
}

export function paintClocks({ game, at }) {
  const bottom = game.flipped ? 2 : 1;
  for (const [id, player] of [["strip-bottom", bottom], ["strip-top", 3 - bottom]]) {
    const shown = byId(id).querySelector(".clock");
    if (!shown) continue;
    shown.hidden = !game.clock;
    if (!game.clock) continue;
    shown.textContent = clockText(game.clock.left[player]);
    shown.classList.toggle("low", game.clock.left[player] < 20 && at?.to_move === player);
  }
}

/** The name of a player in the headers of the game; empty if there is none. */
export const nameOf = (game, player) => game.headers?.find(([name]) => name === (player === 1 ? "First" : "Second"))?.[1] ?? "";

function build(strip, table, player) {
  const { game, family } = table;
  const change = ({ target }) => {
    const level = target.value;
    if (level === "human") table.seat(player, "human");
    else table.seat(player, "engine", { level, custom: engineOf(game, player).custom });
  };
  const name = nameOf(game, player);
  const own = engineOf(game, player).level === "custom" || game.seats[player] === "engine";
  const choose = el(
    "select",
    { "aria-label": `Who plays ${family.names[player]}`, on: { change } },
    el("option", { value: "human", text: "Person" }),
    ...Object.entries(LEVELS).map(([value, level]) => el("option", { value, text: `Engine: ${level.title}` })),
    own ? el("option", { value: "custom", text: `Engine: ${engineOf(game, player).level === "custom" ? levelText(game, player) : "custom"}` }) : null,
  );
  choose.value = game.seats[player] === "human" ? "human" : engineOf(game, player).level;
  put(
    strip,
    el("span", { class: `token look-${family.look} p${player}`, "aria-hidden": "true" }),
    el("b", { text: family.names[player] }),
    name ? el("span", { class: "name", text: name, title: name }) : null,
    el("span", { class: "counted" }),
    el("span", { class: "grow" }),
    el("span", { class: "thinking" }),
    el("span", { class: "clock", hidden: true }),
    choose,
  );
}

/** What an agent says of its parameters can fill a page. */
const cut = (text) => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

/** The result in words: who won and why. */
export function resultText({ at, family, result }) {
  const { winner, margin, reason } = result;
  if (reason) return `${family.names[winner]} wins: ${family.names[3 - winner]} ${reason === "time" ? "ran out of time" : "resigned"}.`;
  const why = family.reason?.(family.parse(at), at.outcome, at.last);
  const said = winner ? `${family.names[winner]} wins${margin ? ` by ${margin}` : ""}` : "Draw";
  return why ? `${said}: ${why}.` : `${said}.`;
}

/** How it stands, in words. */
export function standing(table) {
  const { at, family, game, finished, personsTurn, atEnd, online, waiting, player } = table;
  if (finished) return resultText(table);
  const mover = family.names[at.to_move];
  if (!online) return "The connection to the server is lost. Your game is kept, and continues when the connection is back.";
  if (waiting) return "Waiting for the server…";
  if (player.error) return `${mover} to move: the engine has failed (${cut(player.error)}). “Resume” lets it try again.`;
  if (!atEnd) return `Move ${game.ply} of ${game.moves.length}. ${mover}${personsTurn ? "" : " (engine)"} to move.`;
  if (personsTurn) return at.legal.length === 1 && at.legal[0] === "pass" ? `${mover} has no move and must pass.` : `${mover} to move.`;
  return game.paused ? `${mover} to move; the engine is paused.` : `${mover} to move: the engine thinks.`;
}
