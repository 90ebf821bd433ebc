/** The sources of a report, from its citations. */

import { addressOf } from "../markdown/citation.js";
import { html } from "../../core/html.js";
import { hostOf } from "../../core/words.js";

/** The text without the list of sources at its end, which is shown from the citations. */
export function textOnly(element) {
  const heading = [...element.children].findLast((one) => /^H\d$/.test(one.nodeName) && one.textContent.trim() === "Sources");
  while (heading?.nextSibling) heading.nextSibling.remove();
  heading?.remove();
  return element;
}

export function sources({ citations }) {
  if (!citations.length) return null;
  return html`<section class="stack"><h2>Sources</h2><ol class="sources">${citations.map(row)}</ol></section>`;
}

function row(citation) {
  const { n, title, url, note_id, document_id, page, resolved } = citation;
  const own = addressOf(citation);
  const what = note_id ? "your note" : `your document${page ? `, page ${page}` : ""}`;
  const place = own
    ? html`<a href=${own}>${title || note_id || document_id}</a><span class="meta"> ${what}</span>`
    : url
      ? html`<a href=${url} rel="noopener noreferrer">${title || hostOf(url)}</a><span class="meta"> ${hostOf(url)}</span>`
      : html`<s>${title}</s><span class="meta"> unverified</span>`;
  const doubt = url && !resolved && html`<span class="meta"> a redirect that could not be followed</span>`;
  return html`<li id=${`source-${n}`}><span class="number">${n}</span><span>${place}${doubt}</span></li>`;
}
