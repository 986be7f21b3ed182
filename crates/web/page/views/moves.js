// The moves of the game, to jump by.

import { el, put } from "../dom.js";

export function paintMoves(host, table) {
  const { game } = table;
  if (!game.moves.length) {
    put(host, el("p", { class: "fine", text: table.catalogue.games.find((listed) => table.at && listed.name === table.at.game.split("(")[0])?.summary ?? "" }),
      el("p", { class: "fine", text: "No move was made yet." }));
    return;
  }
  const items = game.moves.map((text, index) => {
    const ply = index + 1;
    const value = game.values[ply];
    const mark = value?.proven && value.value ? (value.value > 0 ? " first" : " second") : "";
    return el("li", {}, el("button", {
      type: "button",
      class: `move${mark}`,
      "aria-current": game.ply === ply ? "true" : null,
      on: { click: () => table.go(ply) },
    }, el("span", { class: "ply", text: `${ply}` }), text));
  });
  const list = el("ol", { class: "moves" }, ...items);
  put(host, list);
  // Scrolls the list alone: scrollIntoView would scroll the page as well.
  const current = list.querySelector("[aria-current]");
  const box = host.parentElement;
  if (!current) {
    box.scrollTop = 0;
    return;
  }
  const top = current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
  if (top < box.scrollTop || top + current.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
}
