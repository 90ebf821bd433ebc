/** Two texts side by side, with what is gone and what is new. */

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

/* What differs between two texts, line by line. */

const MOST = 2000;

/** Rows [sign, line]: " " in both, "-" only before, "+" only after. Very long texts are compared as a whole. */
const compared = (before, after) => parts(before.split("\n"), after.split("\n"));

/** The same word by word, with what is between them. */
export const wordsCompared = (before, after) => parts(...[before, after].map((text) => text.split(/(\s+|[^\p{L}\p{N}\s]+)/u).filter(Boolean)));

function parts(old, now) {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const rows = middle(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const same = (lines) => lines.map((line) => [" ", line]);
  return [...same(old.slice(0, start)), ...rows, ...same(end ? old.slice(-end) : [])];
}

/** By the longest common subsequence. */
function middle(old, now) {
  const [gone, come] = [old.map((line) => ["-", line]), now.map((line) => ["+", line])];
  if (!old.length || !now.length || old.length * now.length > MOST * MOST) return [...gone, ...come];
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = old[i] === now[j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  const rows = [];
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    if (i < old.length && j < now.length && old[i] === now[j]) rows.push([" ", old[(i += 1) - 1], (j += 1)].slice(0, 2));
    else if (j >= now.length || (i < old.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) rows.push(gone[(i += 1) - 1]);
    else rows.push(come[(j += 1) - 1]);
  }
  return rows;
}
