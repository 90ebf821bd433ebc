/** Correcting what is remembered: the person's words become a note, which the brain reads, and the record is retracted. */

import { toast } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { html } from "../../core/html.js";
import { commits } from "../../core/keys.js";
import { ulid } from "../../core/ulid.js";

/** The form; `done(corrected)` ends it. */
export function correction(record, done, signal) {
  const path = `/brain/records/${segment(record.id)}`;
  const text = html`<textarea rows="2" maxlength="2000" required></textarea>`;
  const problem = html`<p class="problem" role="alert"></p>`;
  const kept = draft({ surface: "record", object: record.id, read: () => ({ text: text.value }), signal });
  text.value = kept.stored?.value.text ?? record.text;
  const name = ulid();
  const submit = async (event) => {
    event.preventDefault();
    if (!text.value.trim() || text.value === record.text) return text.focus();
    try {
      const { note } = await api.post("/notes", { body: text.value, tags: ["correction"] }, { key: name });
      await api.post(`${path}/retract`);
      kept.clear();
      const undo = () => Promise.all([api.post(`${path}/restore`), api.remove(`/notes/${segment(note.id)}`)]).then(() => done(true), (error) => toast(`Not undone: ${error.message}`));
      toast(html`Kept as <a href=${`#/notes/${segment(note.id)}`}>a note</a>; what was remembered is retracted.`, { undo });
      done(true);
    } catch (error) {
      problem.textContent = `Not corrected: ${error.message}`;
    }
  };
  const form = html`<form class="card stack" onsubmit=${submit} oninput=${kept.touch}><label class="field"><span>How it is</span>${text}</label><p class="meta">Your words become a note; the brain remembers from it, and retracts this record.</p>${problem}
    <p class="row"><button class="primary">Correct it</button><button type="button" class="quiet" onclick=${() => (kept.clear(), done(false))}>Leave it</button></p></form>`;
  form.addEventListener("keydown", (event) => commits(event) && (event.preventDefault(), form.requestSubmit()));
  return form;
}
