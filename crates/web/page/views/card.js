// The card that says how a game ended, and what one may do next.

import { byId, el, put } from "../dom.js";

export function paintCard(table) {
  const { finished, atEnd, game } = table;
  const card = byId("card");
  const shown = finished && atEnd && game.moves.length > 0;
  card.hidden = !shown;
  if (!shown) return;
  const signature = `${game.id} ${game.moves.length}`;
  if (card.dataset.for === signature) return;
  card.dataset.for = signature;
  put(card,
    el("span", { class: "fine", text: `${game.moves.length} moves` }),
    el("span", { class: "buttons" },
      el("button", { type: "button", class: "main", id: "rematch", on: { click: () => table.rematch() }, text: "Rematch" }),
      el("button", { type: "button", id: "card-review", on: { click: () => {
        table.tab("moves");
        table.review.start();
        table.panel.paint();
      } }, text: "Review the game" })));
}
