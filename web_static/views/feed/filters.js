/** What narrows the feed: words, a kind, a tag; kept in the address, so that going back finds them again. */

import { html, put } from "../../core/html.js";
import { renameAddress } from "../../core/router.js";

const KINDS = ["capture", "research", "digest", "review", "report", "answer"];
const WAIT_MILLISECONDS = 200;

export function filters(wanted, refresh) {
  const words = html`<input type="search" data-search aria-label="Search notes" placeholder="Search" maxlength="200" .value=${wanted.get("q") ?? ""} />`;
  const option = (kind) => html`<option value=${kind} selected=${wanted.get("kind") === kind}>${kind}</option>`;
  const kind = html`<select aria-label="Kind"><option value="">All kinds</option>${KINDS.map(option)}</select>`;
  const tag = html`<p class="chosen"></p>`;
  const problem = html`<p class="problem" role="alert"></p>`;
  let timer;
  const apply = () => {
    clearTimeout(timer);
    for (const [name, value] of [["q", words.value.trim()], ["kind", kind.value]]) value ? wanted.set(name, value) : wanted.delete(name);
    for (const name of ["capture", "search"]) wanted.delete(name);
    renameAddress(wanted.size ? `#/notes?${wanted}` : "#/notes");
    drawTag();
    const settled = (text) => (problem.textContent = text);
    refresh().then(() => settled(""), (error) => error.name === "AbortError" || settled(error.message));
  };
  const clear = () => {
    wanted.delete("tag");
    apply();
    words.focus();
  };
  const drawTag = () => {
    const name = wanted.get("tag");
    put(tag, name && html`<span class="tag">#${name}</span><button type="button" class="quiet" onclick=${clear}>All tags</button>`);
  };
  words.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(apply, WAIT_MILLISECONDS);
  });
  kind.addEventListener("change", apply);
  drawTag();
  const submit = (event) => (event.preventDefault(), apply());
  return html`<form class="filters" role="search" onsubmit=${submit}>${words}${kind}${tag}${problem}</form>`;
}

/** One sentence, one action, one example. */
export function empty(filtered) {
  if (filtered) return html`<p>Nothing found. Try fewer words, or <a href="#/notes">see all notes</a>.</p><p class="meta">A word or two of the note is enough, such as “battery”.</p>`;
  return html`<p>No notes yet. Write one above, and ⌘Enter keeps it.</p><p class="meta">For example: “What does the cold do to a home battery?” with the tag research.</p>`;
}
