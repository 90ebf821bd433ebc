/** Text with the words that were looked for marked in it. */

import { html } from "./html.js";

export function marked(text, words) {
  const wanted = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).filter(Boolean);
  if (!wanted.length) return text;
  return text.split(new RegExp(`(${wanted.join("|")})`, "gi")).map((piece, n) => (n % 2 ? html`<mark>${piece}</mark>` : piece));
}
