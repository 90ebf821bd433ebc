/** The parts of a view, each with an address of its own. */

import { html } from "../../core/html.js";

/** `parts` are [address, words, further words or null]; the one whose address is `current` is marked. */
export const tabs = (label, parts, current) => html`<nav class="tabs" aria-label=${label}>${parts.map(
  ([address, words, further]) => html`<a href=${address} aria-current=${address === current ? "page" : null}>${words}${further}</a>`,
)}</nav>`;
