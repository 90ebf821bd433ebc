/** Rendered text as it is shown everywhere: stored notes and streamed answers alike. */

import { html, put } from "../../core/html.js";
import { rendered } from "../../core/trusted.js";
import { chip } from "./citation.js";

const MARKS = /\[(\d{1,4}(?:\.\d{1,4})?)\]/g;

/** The element of a text that the server rendered; numbers in brackets that name one of `citations` become chips. */
export function reading(markup, citations = []) {
  const element = html`<div class="reading"></div>`;
  fill(element, markup, citations);
  return element;
}

/** Put another text into such an element. */
export function fill(element, markup, citations = []) {
  const content = rendered(markup);
  if (citations.length) cite(content, new Map(citations.map((one) => [String(one.n), one])));
  put(element, ...content.childNodes);
}

function cite(content, known) {
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (MARKS.test(node.data) && !node.parentElement?.closest("a, code, pre")) found.push(node);
    MARKS.lastIndex = 0;
  }
  for (const node of found) node.replaceWith(...pieces(node, known));
}

function pieces(node, known) {
  const out = [];
  let end = 0;
  for (const match of node.data.matchAll(MARKS)) {
    const citation = known.get(match[1]);
    if (!citation) continue;
    out.push(node.data.slice(end, match.index).replace(/\s+$/, "\u2009"), chip(citation, () => saying(node.data, match.index)));
    end = match.index + match[0].length;
  }
  return [...out, node.data.slice(end)];
}

/** The sentence that a mark stands behind. */
function saying(text, index) {
  const before = text.slice(0, index).replace(MARKS, "").trimEnd();
  const start = Math.max(...[". ", "! ", "? ", "\n"].map((end) => before.slice(0, -1).lastIndexOf(end)));
  return before.slice(start + 1).trim();
}
