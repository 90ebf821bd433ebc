/** How much of something is used: a bar with its words, which say the same. */

import { html } from "../../core/html.js";

/** `parts` are [part of the whole, class] from the left; `label` says what the bar shows. */
export function meter(parts, label) {
  const bar = html`<span class="meter" role="img" aria-label=${label}></span>`;
  for (const [part, name] of parts) {
    const piece = html`<span class=${name}></span>`;
    piece.style.width = `${Math.min(1, Math.max(0, part)) * 100}%`;
    bar.append(piece);
  }
  return bar;
}
