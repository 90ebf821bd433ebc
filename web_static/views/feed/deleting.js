/** Deleting with a way back: a note goes to the trash of the server at once, and an undo has it back from there. */

import { alarm, toast } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";

/** The ids of notes that are shown no more. */
export const deleted = new Set();
const changes = new EventTarget();

/** Call `hear()` when notes were deleted or have come back. */
export function watchDeleted(hear, signal) {
  changes.addEventListener("change", hear, { signal });
}

export function deleteNotes(ids, name) {
  hide(ids);
  const going = each(ids, (id) => api.remove(`/notes/${segment(id)}`, { keepalive: true }), "Not deleted");
  const undo = () => going.then(() => restoreNotes(ids)).catch(() => {});
  going.catch(() => {});
  toast(ids.length === 1 ? `Deleted “${name}”.` : `Deleted ${ids.length} notes.`, { undo });
}

/** Have notes back from the trash. Rejects where one cannot be had. */
export async function restoreNotes(ids) {
  await each(ids, (id) => api.post(`/notes/${segment(id)}/restore`), "Not restored");
  show(ids);
}

/** Do it to each; what fails is told, and shown again. */
async function each(ids, act, told) {
  const results = await Promise.allSettled(ids.map(act));
  const failed = ids.filter((_, n) => results[n].reason && results[n].reason.status !== 404);
  if (!failed.length) return;
  show(failed);
  const message = `${told}: ${results.find(({ reason }) => reason && reason.status !== 404).reason.message}`;
  alarm(message);
  toast(message);
  throw new Error(message);
}

const hide = (ids) => (ids.forEach((id) => deleted.add(id)), changes.dispatchEvent(new Event("change")));
const show = (ids) => (ids.forEach((id) => deleted.delete(id)), changes.dispatchEvent(new Event("change")));
