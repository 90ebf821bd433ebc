/** What can be done with a note. */

import { toast } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { copy } from "../../core/copy.js";
import { html } from "../../core/html.js";
import { RESEARCH_RANGE } from "../../core/prices.js";
import { save } from "../../core/save.js";

export function actions(note, operations, { edit, refresh, remove }) {
  const running = operations.some(({ status }) => status === "running");
  const research = note.kind === "capture" && !running && html`<button type="button" onclick=${(event) => start(event, note, refresh)}>${note.tags.includes("research") ? "Research again" : "Research this"}</button>`;
  return html`<div class="row actions">
    ${research}${research && html`<span class="meta">$${RESEARCH_RANGE[0]} to $${RESEARCH_RANGE[1]}</span>`}
    <button type="button" data-edit onclick=${edit}>Edit</button>
    <button type="button" onclick=${() => copyNote(note)}>Copy</button>
    <button type="button" onclick=${() => exportNote(note)}>Export</button>
    <button type="button" onclick=${remove}>Delete</button>
  </div>`;
}

/** Tags the note; one that has the tag loses it first, since only a new tag starts a new run. */
async function start({ currentTarget }, note, refresh) {
  const path = `/notes/${segment(note.id)}`;
  currentTarget.disabled = true;
  try {
    if (note.tags.includes("research")) await api.patch(path, { remove_tags: ["research"] });
    await api.patch(path, { add_tags: ["research"] });
    toast("Tagged. The research starts.");
  } catch (error) {
    currentTarget.disabled = false;
    toast(`Not tagged: ${error.message}`);
  }
  await refresh().catch(() => {});
}

async function copyNote(note) {
  const shown = document.querySelector("main .reading");
  try {
    await copy(`${note.title ? `# ${note.title}\n\n` : ""}${note.body}`, shown);
    toast("Copied, as Markdown and as formatted text.");
  } catch {
    toast("Not copied: the browser does not allow it.");
  }
}

async function exportNote(note) {
  try {
    save(`${(note.title || "note").replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.md`, await api.text(`/notes/${segment(note.id)}.md`));
  } catch (error) {
    toast(`Not exported: ${error.message}`);
  }
}
