/**
 * Deleting with a way back. The note stays on the server until the toast has ended or the page goes away, so an undo
 * loses nothing, and neither does a browser that dies meanwhile: the note is still there then.
 */

import { toast } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { alarm } from "../../core/live.js";

/** The ids of notes that are shown no more. */
export const deleted = new Set();
const changes = new EventTarget();

export function watchDeleted(hear, signal) {
  changes.addEventListener("change", hear, { signal });
}

export function deleteNotes(ids, name) {
  const restore = () => {
    ids.forEach((id) => deleted.delete(id));
    changes.dispatchEvent(new Event("change"));
  };
  const settle = async ({ leaving }) => {
    const results = await Promise.allSettled(ids.map((id) => api.remove(`/notes/${segment(id)}`, { keepalive: leaving })));
    const failed = results.filter(({ reason }) => reason && reason.status !== 404);
    if (!failed.length) return;
    restore();
    const message = `Not deleted: ${failed[0].reason.message}`;
    alarm(message);
    toast(message);
  };
  ids.forEach((id) => deleted.add(id));
  changes.dispatchEvent(new Event("change"));
  toast(ids.length === 1 ? `Deleted “${name}”.` : `Deleted ${ids.length} notes.`, { undo: restore, settle });
}
