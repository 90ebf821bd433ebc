/** Keys: one letter each, or g and a letter. They can be switched off in the settings; Esc and ⌘K stay. */

import { typing } from "./focus.js";
import { keys as preference } from "./preferences.js";

const AFTER_G_MILLISECONDS = 1500;
const always = new Set(["Escape", "mod+k"]);
const known = new Map();
let prefix = 0;

/** Whether the one-letter keys are on. */
export const enabled = () => preference.get() !== "off";

/** Call `act(event)` when `name` is pressed ("c", "g f", "mod+k"), until `signal` is aborted. The newest comes first. */
export function key(name, act, signal) {
  const one = { act };
  known.set(name, [one, ...(known.get(name) ?? [])]);
  signal?.addEventListener("abort", () => known.set(name, known.get(name).filter((other) => other !== one)), { once: true });
}

function pressed(event) {
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented || event.altKey) return;
  const mod = event.metaKey || event.ctrlKey;
  const name = `${mod ? "mod+" : ""}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`;
  if (!always.has(name) && (mod || !enabled() || typing(event.target) || document.querySelector("dialog[open]"))) return;
  const chord = Date.now() - prefix < AFTER_G_MILLISECONDS ? `g ${name}` : name;
  prefix = 0;
  if (chord === "g") prefix = Date.now();
  for (const { act } of known.get(chord) ?? []) {
    if (act(event) === false) continue;
    event.preventDefault();
    return;
  }
}

addEventListener("keydown", pressed);

/** Whether a key event means "commit": ⌘ or Ctrl and Enter, and not while a composition is under way. */
export const commits = (event) => event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.isComposing && event.keyCode !== 229;
