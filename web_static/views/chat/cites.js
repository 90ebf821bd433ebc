/** Notes and documents that an answer names: a chip for each, with the passage; struck where it is not there. */

import { alive, sourceOf } from "../../components/markdown/citation.js";
import { query } from "../../core/api.js";
import { html } from "../../core/html.js";

const LINK = /^#\/(notes|documents)\/([^?]+)(?:\?page=(\d+))?$/;
const NAME = /\[\[([^\]|]+)(?:\|([^\]]+))?\]\]/;
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) (seen.unobserve(target), verify(target));
});

function citationOf(link) {
  const [, kind, id, page] = LINK.exec(link.hash) ?? [];
  if (!id) return null;
  const name = { notes: "note_id", documents: "document_id" }[kind];
  return { [name]: decodeURIComponent(id), page: page ? Number(page) : null, title: link.textContent };
}

/** Make chips of the links to notes and documents in a text that is finished. */
export function citing(element) {
  named(element);
  for (const link of element.querySelectorAll('a[href^="#/"]')) {
    const citation = citationOf(link);
    if (!citation) continue;
    link.classList.add("cite", "named");
    alive(link, citation, () => (link.closest("li, td, p") ?? link.parentElement).textContent.replace(link.textContent, ""));
    seen.observe(link);
  }
}

/** A name in brackets, as it stands in a note that is quoted, leads to where notes of that name are found. */
function named(element) {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    const [whole, name, words = name] = (!text.parentElement.closest("a, code") && NAME.exec(text.data)) || [];
    if (!whole) continue;
    const rest = text.splitText(text.data.indexOf(whole));
    rest.data = rest.data.slice(whole.length);
    rest.before(html`<a href=${`#/notes${query({ q: name })}`}>${words}</a>`);
  }
}

async function verify(link) {
  const gone = await sourceOf(citationOf(link)).then(() => false, ({ status }) => status === 404);
  if (gone) link.replaceWith(html`<s class="cite named unverified" tabindex="0" title="It is not there, or not any more.">${link.textContent} unverified</s>`);
}
