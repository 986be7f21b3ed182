// Shows the board some moves ahead while the pointer is over something that stands for these moves.

/** Elements in `host` say with data-line which moves they stand for, separated by spaces. They may come and go. */
export function previewOnHover(host, table) {
  let shown = null;
  const show = (line) => {
    if (line === shown) return;
    shown = line;
    table.preview(line ? line.split(" ") : null);
  };
  host.addEventListener("mouseover", (event) => show(event.target.closest("[data-line]")?.dataset.line || null));
  host.addEventListener("mouseleave", () => show(null));
}
