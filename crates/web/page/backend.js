// Where the page's answers come from: the server that it was loaded from, or in the static site the engine itself, a
// WebAssembly module in workers.

import { Link } from "./link.js";

/** Whether the engine runs in this browser. */
export const local = document.documentElement.dataset.engine === "wasm";

const loaded = local ? import("./local.js") : null;

/** The connection through which positions are asked for and searches run. */
export const connect = async (handlers) => (local ? new (await loaded).LocalLink(handlers) : new Link(handlers));

/** Games, agents and levels. */
export const fetchCatalogue = () => fetch(local ? "catalogue.json" : "api/catalogue").then((answer) => answer.json());

/** The address of a certificate that a proof has come to. */
export const certificateAddress = async (key) => (local ? (await loaded).certificateAddress(key) : `api/certificate?key=${key}`);

/** The certificate itself, as a file. */
export const certificateFile = async (key) => (local ? (await loaded).certificateFile(key) : fetch(`api/certificate?key=${key}`).then((answer) => answer.blob()));

/** What a check of a certificate says: {claim, entries, seconds, error}. `rules` are those of the game, if it is read from a text. */
export async function checkCertificate(file, game, rules) {
  if (local) return (await loaded).check(file, game, rules);
  // The rules are the beginning of what is posted.
  const text = new TextEncoder().encode(rules ?? "");
  const where = text.length ? `api/verify?game=${encodeURIComponent(game)}&rules=${text.length}` : "api/verify";
  const answer = await fetch(where, { method: "POST", body: text.length ? new Blob([text, file]) : file });
  if (!answer.ok) return { error: (await answer.text()).trim(), refused: true };
  return answer.json();
}
