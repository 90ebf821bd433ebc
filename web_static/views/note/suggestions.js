/** Summary and suggested tags, as the server has worked them out. Only a person adds a tag. */

import { toast } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { html } from "../../core/html.js";
import { excerptOf } from "../../core/words.js";

const DISMISSED = "memex.dismissed/";

export function suggestions({ note, summary = "", suggested_tags = [] }, refresh) {
  const dismissed = new Set(JSON.parse(localStorage.getItem(DISMISSED + note.id) ?? "[]"));
  const open = suggested_tags.filter((name) => !note.tags.includes(name) && !dismissed.has(name));
  const long = note.body.length > 600;
  if (!open.length && !(summary && long)) return null;
  const dismiss = () => {
    localStorage.setItem(DISMISSED + note.id, JSON.stringify([...dismissed, ...open]));
    refresh();
    document.querySelector("#tags-suggested")?.remove();
  };
  return html`<section class="stack summary" aria-label="Summary and suggestions">
    ${summary && long && html`<p>${excerptOf(summary)}</p>`}
    ${open.length > 0 && html`<div class="row" id="tags-suggested">
      <span class="meta">Suggested tags</span>
      ${open.map((name) => html`<button type="button" class="suggestion" onclick=${(event) => accept(event, note, name, refresh)} aria-label=${`Add the tag ${name}`}>+ ${name}</button>`)}
      <button type="button" class="quiet" onclick=${dismiss}>Dismiss</button>
    </div>`}
  </section>`;
}

async function accept({ currentTarget }, note, name, refresh) {
  const path = `/notes/${segment(note.id)}`;
  currentTarget.disabled = true;
  try {
    await api.patch(path, { add_tags: [name] });
    const back = async () => {
      await api.patch(path, { remove_tags: [name] }).catch((error) => toast(error.message));
      await refresh();
    };
    toast(`Tagged #${name}.`, { undo: back });
    await refresh();
  } catch (error) {
    currentTarget.disabled = false;
    toast(`Not tagged: ${error.message}`);
  }
}
