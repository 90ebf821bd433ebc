/** Two texts side by side, with what is gone and what is new. */

import { compared } from "../../core/diff.js";
import { html } from "../../core/html.js";

const SAME_SHOWN = 2;

/** `before` and `after` as one list of lines; long stretches without a change are left out. */
export function difference(before, after) {
  const rows = compared(before, after);
  const near = rows.map((_, n) => rows.slice(Math.max(0, n - SAME_SHOWN), n + SAME_SHOWN + 1).some(([sign]) => sign !== " "));
  const shown = rows.flatMap((row, n) => (near[n] ? [row] : near[n - 1] ? [["…", ""]] : []));
  const line = ([sign, text]) => html`<div class=${sign === "-" ? "gone" : sign === "+" ? "come" : "same"}>
    <span class="sign">${sign}</span><span class="unseen">${sign === "-" ? "removed: " : sign === "+" ? "added: " : ""}</span>${text || " "}
  </div>`;
  return html`<div class="difference">${shown.length ? shown.map(line) : html`<p class="meta">No difference in the text.</p>`}</div>`;
}
