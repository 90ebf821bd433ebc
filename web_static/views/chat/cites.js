/** Notes that an answer names: a chip for each, with the passage; struck where the note is not there. */

import { alive, noteOf } from "../../components/markdown/citation.js";
import { html } from "../../core/html.js";

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) (seen.unobserve(target), verify(target));
});
const idOf = (link) => decodeURIComponent(link.hash.slice("#/notes/".length));

/** Make chips of the links to notes in a text that is finished. */
export function citing(element) {
  for (const link of element.querySelectorAll('a[href^="#/notes/"]')) {
    link.classList.add("cite", "named");
    alive(link, { note_id: idOf(link), title: link.textContent }, () => (link.closest("li, td") ?? link.parentElement).textContent.replace(link.textContent, ""));
    seen.observe(link);
  }
}

async function verify(link) {
  const gone = await noteOf(idOf(link)).then(() => false, ({ status }) => status === 404);
  if (gone) link.replaceWith(html`<s class="cite named unverified" tabindex="0" title="There is no such note.">${link.textContent} unverified</s>`);
}
