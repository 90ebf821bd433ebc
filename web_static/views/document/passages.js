/** Passages of a document, found by their words; a citation leads here with the words that it cites. */

import { api, query } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { marked } from "../../core/marked.js";

const WAIT_MILLISECONDS = 250;
const HITS = 10;

/** `wanted` may hold q, and the page that a citation names; `renamed(q)` hears what is looked for. */
export function passages(id, wanted, renamed, signal) {
  const page = Number(wanted.get("page")) || null;
  const field = html`<input type="search" data-search aria-label="Search in this document" placeholder="Search in this document" maxlength="1000" .value=${wanted.get("q") ?? ""} />`;
  const list = html`<ol class="passages"></ol>`;
  const told = html`<p class="meta" role="status"></p>`;
  let [timer, asked] = [null, 0];
  const find = async () => {
    const mine = (asked += 1);
    const text = field.value.trim();
    if (!text) return put(list), (told.textContent = "");
    try {
      const { hits } = await api.get(`/documents/search${query({ q: text, document_id: id, limit: HITS })}`, signal);
      if (mine !== asked) return;
      const first = hits.find((one) => one.page === page);
      put(list, (first ? [first, ...hits.filter((one) => one !== first)] : hits).map((hit) => row(hit, hit === first)));
      told.textContent = hits.length ? "" : "Nothing found in it.";
    } catch (error) {
      if (error.name !== "AbortError" && mine === asked) told.textContent = error.message;
    }
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => (renamed(field.value.trim()), find()), WAIT_MILLISECONDS);
  });
  find();
  const submit = (event) => (event.preventDefault(), find());
  return html`<section class="stack"><h2>Passages</h2><form role="search" onsubmit=${submit}>${field}</form>${told}${list}</section>`;
}

function row({ page, excerpt, matched }, wanted) {
  return html`<li class=${wanted && "wanted"}><p class="reading">${marked(excerpt, matched)}</p>${page && html`<p class="meta">Page ${page}</p>`}</li>`;
}
