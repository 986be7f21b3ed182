// Games that the browser keeps, in its database on this machine: every game with a move in it, until it is deleted.

const [BASE, STORE] = ["plyproof", "games"];
/** Stores of the database, by the field that names what is in them. */
const STORES = { games: "id", rules: "name" };
let opening = null;

function database() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(BASE, 2);
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) {
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name, { keyPath });
      }
    };
    request.onsuccess = () => {
      // A later version of the page in another tab must not wait for this one.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onblocked = () => reject(new Error("another tab has an older version of this page open"));
    request.onerror = () => reject(request.error);
  });
  return opening;
}

/** Does something with a store; resolves to the result of the request when it is safely written. */
export async function within(name, mode, work) {
  const base = await database();
  return new Promise((resolve, reject) => {
    const transaction = base.transaction(name, mode);
    const request = work(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** All kept games, the latest first: {id, name, saved, game}. */
export const keptGames = async () => (await within(STORE, "readonly", (store) => store.getAll())).sort((a, b) => b.saved - a.saved);

/** Keeps a game under its own id, with a new name or the one that it had. */
export async function keepGame(game, name = null) {
  const put = (store, name) => store.put({ id: game.id, name, saved: Date.now(), game });
  await within(STORE, "readwrite", (store) => {
    // One request, which is written even if the page is left now.
    if (name !== null) return put(store, name);
    // One transaction, so that no name is lost that is given meanwhile.
    const read = store.get(game.id);
    read.onsuccess = () => put(store, read.result?.name ?? "");
    return read;
  });
}

export const forgetGame = (id) => within(STORE, "readwrite", (store) => store.delete(id));

/** Brings a game back as it was. */
export const restoreGame = (entry) => within(STORE, "readwrite", (store) => store.put(entry));

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
