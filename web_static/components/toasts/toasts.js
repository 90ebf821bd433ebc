/** Toasts: what has just happened, for ten seconds or as long as their reader wants, with a way back. */

import { html } from "../../core/html.js";
import { key } from "../../core/keys.js";
import { say } from "../../core/live.js";
import { notices } from "../../core/preferences.js";

const SECONDS = 10;
const shown = [];

/**
 * Show a notice. With `undo` it can be taken back, by the button or by z, until `settle` is called: when its time is up,
 * when it is closed, or (with `{leaving: true}`) when the page goes away. One of the two is called, once. The time
 * stands still while the toast is pointed at or has the focus.
 */
export function toast(text, { undo = null, settle = () => {} } = {}) {
  const one = { undo, settle, element: null, timer: null };
  const finish = (how, ...given) => {
    if (!shown.includes(one)) return;
    shown.splice(shown.indexOf(one), 1);
    clearTimeout(one.timer);
    one.element.remove();
    how?.(...given);
  };
  one.back = () => finish(undo);
  one.end = (leaving = false) => finish(settle, { leaving });
  const stays = notices.get() === "stay";
  const run = () => stays || (one.timer = setTimeout(one.end, (Number(notices.get()) || SECONDS) * 1000));
  const hold = () => clearTimeout(one.timer);
  one.element = html`<div class="toast" onpointerenter=${hold} onpointerleave=${run} onfocusin=${hold} onfocusout=${run}>
    <span>${text}</span>
    ${undo && html`<button type="button" class="quiet" onclick=${() => one.back()}>Undo</button>`}
    <button type="button" class="quiet icon" aria-label="Close" onclick=${() => one.end()}>✕</button>
  </div>`;
  document.getElementById("toasts").append(one.element);
  shown.push(one);
  run();
  say(undo ? `${text} Press z to undo.` : text);
  return { end: one.end };
}

key("z", () => {
  const last = shown.findLast(({ undo }) => undo);
  if (!last) return false;
  last.back();
  return true;
});
addEventListener("pagehide", () => [...shown].forEach((one) => one.end(true)));
