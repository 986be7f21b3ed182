// What a person likes, kept for all tabs: colours, pieces, the engine.

const KEPT = "plyproof.settings";
const DEFAULTS = { theme: "auto", kanji: false, overlay: true, sounds: false, pace: true, agent: "plyproof", second: "", tuned: {}, lines: 1, picture: false, treeSize: 60, tab: "moves" };

function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEPT)) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = read();

export function set(name, value) {
  settings[name] = value;
  localStorage.setItem(KEPT, JSON.stringify(settings));
  if (name === "theme") applyTheme();
}

/** Light, dark, or what the system says. */
export function applyTheme() {
  const dark = settings.theme === "dark" || (settings.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
applyTheme();
