/** The form in which a note is changed. What is typed is kept as a draft; what others changed meanwhile is shown, not lost. */

import { difference } from "../../components/diff/diff.js";
import { say } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { html, put } from "../../core/html.js";
import { commits, key } from "../../core/keys.js";
import { tagsOf } from "../../core/words.js";

/** A form with the note in it; `done(note)` is called with the note as saved, or without one. */
export function editor(note, done, signal) {
  const title = html`<input name="title" .value=${note.title} autocomplete="off" maxlength="300" />`;
  const body = html`<textarea name="body" rows="16" .value=${note.body}></textarea>`;
  const tags = html`<input name="tags" .value=${note.tags.join(", ")} autocapitalize="off" autocomplete="off" spellcheck="false" />`;
  const problem = html`<p class="problem" role="alert"></p>`;
  const other = html`<div></div>`;
  const button = html`<button class="primary" title="⌘Enter">Save</button>`;
  const read = () => ({ title: title.value, body: body.value, tags: tags.value });
  const kept = draft({ surface: "edit", object: note.id, revision: note.updated_at, read, signal });
  const fill = (values) => [title.value, body.value, tags.value] = [values.title, values.body, values.tags];
  const cancel = () => {
    kept.clear();
    done();
  };
  if (kept.stored) offer(kept, note, { other, fill, read });
  const submit = async (event) => {
    event.preventDefault();
    const change = changes(note, read());
    if (!Object.keys(change).length) return cancel();
    button.disabled = true;
    problem.textContent = "";
    try {
      const { note: now } = await api.get(`/notes/${segment(note.id)}`);
      if (change.body !== undefined && now.body !== note.body && !other.dataset.seen) return collide(now, body, other, button);
      const answer = await api.patch(`/notes/${segment(note.id)}`, change);
      kept.clear();
      say("Saved.");
      await done(answer.note);
    } catch (error) {
      problem.textContent = `Not saved: ${error.message}`;
      button.disabled = false;
    }
  };
  const form = html`<form class="card stack" onsubmit=${submit} oninput=${kept.touch}>
    ${other}
    <label class="field"><span>Title</span>${title}</label>
    <label class="field"><span>Text, in Markdown</span>${body}</label>
    <label class="field"><span>Tags</span>${tags}</label>
    ${problem}
    <div class="row">${button}<button type="button" onclick=${cancel}>Cancel</button></div>
  </form>`;
  form.addEventListener("keydown", (event) => commits(event) && (event.preventDefault(), form.requestSubmit()));
  key("Escape", () => (form.contains(document.activeElement) ? void document.activeElement.blur() : false), signal);
  return form;
}

/** A draft of an earlier time is put into the fields; where the note has changed since, both are shown. */
function offer(kept, note, { other, fill, read }) {
  const stored = read();
  const drop = () => {
    fill(stored);
    kept.clear();
    put(other);
  };
  const changed = kept.stored.revision !== note.updated_at;
  fill(kept.stored.value);
  put(
    other,
    html`<div class="notice warn stack">
      <p>${changed ? "The note has changed since you began this draft. What your draft would change:" : "Your draft of an earlier time."}</p>
      ${changed && difference(note.body, kept.stored.value.body)}
      <p><button type="button" onclick=${drop}>Use what is stored</button></p>
    </div>`,
  );
}

/** Someone saved another text meanwhile: nothing is overwritten before that was seen. */
function collide(now, body, other, button) {
  other.dataset.seen = "yes";
  button.disabled = false;
  put(
    other,
    html`<div class="notice warn stack" role="alert">
      <p>The text was changed elsewhere while you wrote. Save once more to replace it with yours. From theirs to yours:</p>
      ${difference(now.body, body.value)}
    </div>`,
  );
  other.scrollIntoView({ block: "nearest" });
}

/** Only what was changed here, so that what others changed meanwhile stays. */
function changes(note, now) {
  const tags = tagsOf(now.tags);
  const added = tags.filter((tag) => !note.tags.includes(tag));
  const removed = note.tags.filter((tag) => !tags.includes(tag));
  return {
    ...(now.title !== note.title && { title: now.title }),
    ...(now.body !== note.body.replaceAll("\r\n", "\n") && { body: now.body }),
    ...(added.length && { add_tags: added }),
    ...(removed.length && { remove_tags: removed }),
  };
}
