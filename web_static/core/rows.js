/** j k o on the rows of a list. */

import { key } from "./keys.js";

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
