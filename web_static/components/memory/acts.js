/** What a person may do to a record: pin it, keep it out of recall, retract it and have it back. */

import { api, segment } from "../../core/api.js";
import { html } from "../../core/html.js";
import { alarm } from "../../core/live.js";
import { toast } from "../toasts/toasts.js";

const path = ({ id }) => `/brain/records/${segment(id)}`;

/** Do it, then `done()`; what fails is told. Returns whether it succeeded. */
async function tried(act, told, done) {
  try {
    await act();
  } catch (error) {
    alarm(`${told}: ${error.message}`);
    toast(`${told}: ${error.message}`);
    return false;
  }
  await done().catch(() => {});
  return true;
}

/** Retract a record, with a way back. */
export async function retract(record, done) {
  if (await tried(() => api.post(`${path(record)}/retract`), "Not retracted", done)) toast(`Retracted: ${record.text}`, { undo: () => restore(record, done) });
}

/** Have a record back; whether it is. */
const restore = (record, done) => tried(() => api.post(`${path(record)}/restore`), "Not restored", done);

/** The buttons of a record; `done()` draws it anew. */
export function acts(record, done) {
  const { text, pinned, excluded, status } = record;
  const set = (name) => () => tried(() => api.patch(path(record), { [name]: !record[name] }), "Not changed", done);
  const button = (name, words, act) => html`<button type="button" class="quiet" data-act=${name} aria-label=${`${words}: ${text}`} onclick=${act}>${words}</button>`;
  if (status === "retracted") return button("restore", "Restore", async () => (await restore(record, done)) && toast("It is remembered again."));
  return [
    button("pin", pinned ? "Unpin" : "Pin", set("pinned")),
    button("exclude", excluded ? "Include" : "Exclude", set("excluded")),
    button("retract", "Retract", () => retract(record, done)),
  ];
}
