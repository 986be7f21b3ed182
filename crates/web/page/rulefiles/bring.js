// Rules files that are dropped on the page or chosen by a button.

import { isTaken, keepRules } from "./gallery.js";
import { LONGEST, nameOfFile } from "./known.js";
import { say } from "../notice.js";

/** A record of a game in the format KIF has the ending of rules in KIF; rules begin with a list or a comment. */
const isRules = (name, text) => /\.rbg$/i.test(name) || (/\.(kif|gdl)$/i.test(name) && /^\uFEFF?\s*[(;]/.test(text));

/**
 * Takes a file: into the gallery if its rules can be read, else to the editor with what is wrong. `check(name, text)` asks
 * for a check of rules; `edit(name, text)` opens the editor. Resolves to the name of the game, null if it is none.
 */
export async function bring(file, check, edit) {
  try {
    if (file.size > LONGEST) throw new Error(`it is larger than ${LONGEST / 1000} kB, which is too much for the page; name it on the command line, plyproof serve ${file.name}`);
    const text = await file.text();
    if (!isRules(file.name, text)) throw new Error("it is no rules file: expected a name that ends in .rbg, or in .kif with rules in it");
    const name = nameOfFile(file.name);
    if (isTaken(name)) throw new Error("the program was started with a game of this name; rename the file");
    const { game, problem } = await check(name, text);
    if (problem) {
      edit(name, text);
      say(`${name} cannot be played yet: ${problem.message}`);
      return null;
    }
    await keepRules(name, text, game.game);
    say(`${game.game.title} is in your gallery.`);
    return name;
  } catch (error) {
    say(`${file.name}: ${error.message}`);
    return null;
  }
}

/** Lets files be dropped anywhere on the page: `take(file)` is called with each. */
export function listenDrops(take) {
  const holdsFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  let depth = 0;
  const mark = (on) => document.documentElement.classList.toggle("dropping", on);
  addEventListener("dragenter", (event) => {
    if (!holdsFiles(event)) return;
    depth += 1;
    mark(true);
  });
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (!depth) mark(false);
  });
  addEventListener("dragover", (event) => {
    if (holdsFiles(event)) event.preventDefault();
  });
  addEventListener("drop", async (event) => {
    depth = 0;
    mark(false);
    if (!holdsFiles(event)) return;
    event.preventDefault();
    for (const file of [...event.dataTransfer.files].slice(0, 20)) await take(file);
  });
}
