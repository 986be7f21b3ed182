// The gallery of this browser: rules files that a person has brought, kept in its database until they are removed.

import { within } from "../library.js";
import { learnTitles } from "../spec.js";

const STORE = "rules";
let builtin = [];
let catalogue = null;
let ready = Promise.resolve();
const watchers = [];

/** Adds the kept rules to the games that the page offers; they stay there as the gallery changes. */
export function fillCatalogue(games) {
  catalogue = games;
  builtin = games.games;
  ready = refresh();
  return ready;
}

async function refresh() {
  const kept = await within(STORE, "readonly", (store) => store.getAll()).catch(() => []);
  const mine = kept.filter((entry) => !builtin.some((game) => game.name === entry.name)).sort((a, b) => b.added - a.added);
  catalogue.games = [...builtin, ...mine.map(({ name, text, listed }) => ({ ...listed, name, rules: text }))];
  learnTitles(catalogue.games);
  for (const watcher of watchers) watcher();
}

/** `changed()` is called whenever there are other rules in the gallery. */
export const watchGallery = (changed) => watchers.push(changed);

/** The rules in the gallery, the latest first: games as the catalogue lists them, with `rules`. */
export const gallery = () => catalogue.games.filter((game) => game.rules);

/** The text of rules by name; null if there is none. */
export async function textOf(name) {
  await ready;
  return gallery().find((game) => game.name === name)?.rules ?? null;
}

/** Whether a name is that of a game which the program has itself. */
export const isTaken = (name) => builtin.some((game) => game.name === name);

/** Keeps rules under a name, in the place of those that had it. `listed` is how a catalogue lists the game. */
export async function keepRules(name, text, listed) {
  await within(STORE, "readwrite", (store) => store.put({ name, text, listed, added: Date.now() }));
  await refresh();
}

export async function removeRules(name) {
  await within(STORE, "readwrite", (store) => store.delete(name));
  await refresh();
}
