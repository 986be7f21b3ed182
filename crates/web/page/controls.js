// The buttons and the field around the board.

import { byId } from "./dom.js";
import { linkOf } from "./game.js";
import { copy, note } from "./notice.js";
import { set, settings } from "./settings.js";
import { parseSpec } from "./spec.js";

export function listenControls(table) {
  const click = (id, work) => byId(id).addEventListener("click", work);
  click("first", () => table.go(0));
  click("back", () => table.step(-1));
  click("forward", () => table.step(1));
  click("last", () => table.go(table.game.moves.length));
  click("take-back", () => table.takeBack());
  click("undo", () => table.undo());
  click("redo", () => table.redo());
  click("flip", () => table.flip());
  click("pass", () => table.play("pass"));
  click("hint", () => table.askHint());
  click("resign", () => table.resign());
  click("move-now", () => table.moveNow());
  click("edit", () => table.editor.toggle());
  click("pause", () => table.pause(!table.game.paused));
  click("kanji", () => {
    set("kanji", !settings.kanji);
    table.scene.show();
  });
  click("notice-close", () => note(null));
  click("copy", () => copy(byId("position").value, "The position is copied."));
  click("share", () => copy(`${location.origin}${location.pathname}#${linkOf(table.game)}`, table.game.rules
    ? `The link is copied, without the rules, which are too long for a link: whoever opens it needs the file ${parseSpec(table.game.game).name} in the gallery.`
    : "The link is copied: it holds the game, the position and the moves."));
  byId("position-form").addEventListener("submit", (event) => {
    event.preventDefault();
    table.setUp(byId("position").value);
  });
  for (const [id, name] of [["set-sounds", "sounds"], ["set-pace", "pace"]]) {
    byId(id).checked = settings[name];
    byId(id).addEventListener("change", (event) => set(name, event.target.checked));
  }
}
