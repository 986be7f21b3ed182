// Keys of the whole page. What a field or the board needs for itself is left to it.

export function listenKeys(keys, active) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || !active() || document.querySelector("dialog[open]")) return;
    const inField = event.target.closest?.("input:not([type=checkbox]), select, textarea");
    const inList = event.target.closest?.("[role=tablist], [role=tree]");
    const work = keys[nameOf(event)];
    if (!work || inField || (inList && (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End"))) return;
    event.preventDefault();
    work();
  });
}

/** "Ctrl+z" for Control or Command with a key, else the key as it is. */
function nameOf({ key, ctrlKey, metaKey, shiftKey }) {
  return ctrlKey || metaKey ? `Ctrl+${shiftKey ? "Shift+" : ""}${key.toLowerCase()}` : key;
}
