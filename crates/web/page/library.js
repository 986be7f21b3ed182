// Games that the browser keeps, in its database on this machine: every game with a move in it, until it is deleted.

const [BASE, STORE] = ["plyproof", "games"];
let opening = null;

function database() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(BASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

/** Does something with the store; resolves to the result of the request when it is safely written. */
async function within(mode, work) {
  const base = await database();
  return new Promise((resolve, reject) => {
    const transaction = base.transaction(STORE, mode);
    const request = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** All kept games, the latest first: {id, name, saved, game}. */
export const keptGames = async () => (await within("readonly", (store) => store.getAll())).sort((a, b) => b.saved - a.saved);

/** Keeps a game under its own id, with the name that it had. */
export async function keepGame(game, name = null) {
  const old = await within("readonly", (store) => store.get(game.id));
  await within("readwrite", (store) => store.put({ id: game.id, name: name ?? old?.name ?? "", saved: Date.now(), game }));
}

export const forgetGame = (id) => within("readwrite", (store) => store.delete(id));

/** Brings a game back as it was. */
export const restoreGame = (entry) => within("readwrite", (store) => store.put(entry));

let waiting = null;

/** Keeps a game soon: while moves follow each other quickly, once for all of them. */
export function keepSoon(game) {
  if (game.tree.length < 2) return;
  clearTimeout(waiting?.timer);
  if (waiting && waiting.game.id !== game.id) keepGame(waiting.game).catch(() => {});
  const work = () => {
    waiting = null;
    // A browser that keeps nothing, as in a private window, still has the game in this tab.
    keepGame(game).catch(() => {});
  };
  waiting = { game, timer: setTimeout(work, 300) };
}

addEventListener("pagehide", () => {
  if (waiting) keepGame(waiting.game).catch(() => {});
});
