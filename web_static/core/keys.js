/**
 * Keys, and where they act: one letter each, or g and a letter, on what has the focus and on the rows of a list. They can
 * be switched off in the settings; Esc and ⌘K stay.
 */

import { keys as preference, role } from "./preferences.js";

const AFTER_G_MILLISECONDS = 1500;
const always = new Set(["Escape", "mod+k"]);
const changing = new Set(["c", "e", "#", "."]);
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
  if (role.get() === "reader" && changing.has(chord)) return; // what may not be done has no key either
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

/** A form that ⌘/Ctrl+Enter commits, and Esc leaves where one can leave it; the form. */
export function committing(form, leave = null) {
  form.addEventListener("keydown", (event) => {
    const left = event.key === "Escape" && leave;
    if (!left && !commits(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (left) leave();
    else form.requestSubmit();
  });
  return form;
}

/* Where the focus goes: to what a view is about, and back to where it came from. */

/** Focus an element that need not be focusable, without scrolling to it. */
export function focusOn(element) {
  if (!element) return;
  if (!element.matches("a[href], button, input, textarea, select, summary, [tabindex]")) element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
}

/** Whether what is typed now belongs to a field. */
function typing(target = document.activeElement) {
  return Boolean(target?.closest?.("input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]"));
}

/** Whether the reader holds a selection, which nothing that draws may take away. */
export function selecting(within = document.body) {
  const selection = getSelection();
  return Boolean(selection && !selection.isCollapsed && within.contains(selection.anchorNode));
}

/* j k o on the rows of a list. */

const ROW = "[data-row]";

/** The row that has the focus. */
export const currentRow = () => document.activeElement?.closest(ROW);

/** Calls `act(row)` with the row that has the focus; without one the key is left to others. */
export const withRow = (act) => () => {
  const row = currentRow();
  return row ? act(row) : false;
};

/** Draw a list anew; the focus stays on what it was on: the same act (data-act) of the same row, or that row. */
export function keepingFocus(list, draw) {
  const at = list.contains(document.activeElement) ? document.activeElement : null;
  const row = at?.closest(ROW)?.dataset.row;
  draw();
  if (!row || list.contains(document.activeElement)) return;
  const place = list.querySelector(`[data-row="${CSS.escape(row)}"]`);
  (place?.querySelector(`[data-act="${at.dataset.act}"]`) ?? place?.querySelector("a, button, summary"))?.focus({ preventScroll: true });
}

/** Let rows with a link be walked and opened, until `signal` is aborted. */
export function walkRows(list, signal) {
  const move = (by) => {
    const all = [...list.querySelectorAll(ROW)];
    const at = all.indexOf(currentRow());
    const next = at < 0 ? all[0] : all[Math.min(all.length - 1, Math.max(0, at + by))];
    next?.querySelector("a, button").focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  key("j", () => move(1), signal);
  key("k", () => move(-1), signal);
  key("o", withRow((row) => void row.querySelector("a")?.click()), signal);
}
