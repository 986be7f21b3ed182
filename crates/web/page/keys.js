// Keys of the whole page. What a field or the board needs for itself is left to it.

export function listenKeys(keys, active) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !active() || document.querySelector("dialog[open]")) return;
    const inField = event.target.closest?.("input:not([type=checkbox]), select, textarea");
    const inList = event.target.closest?.("[role=tablist], [role=tree]");
    const work = keys[event.key];
    if (!work || inField || (inList && (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End"))) return;
    event.preventDefault();
    work();
  });
}
