// What the page says to the person: a sentence that goes away by itself, and one that stays until it was read.

import { byId } from "./dom.js";

let hush = null;

/** A sentence that goes away by itself. */
export function say(text) {
  const toast = byId("toast");
  toast.textContent = text;
  toast.classList.add("shown");
  clearTimeout(hush);
  hush = setTimeout(() => toast.classList.remove("shown"), 6000);
}

/** A sentence above the board that stays until it is dismissed or another game is opened; nothing takes it away. */
export function note(text) {
  byId("notice").hidden = !text;
  byId("notice-text").textContent = text ?? "";
}

/** Copies a text and says so; where that is not allowed, shows the text. */
export async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    say(said);
  } catch {
    say(text);
  }
}
