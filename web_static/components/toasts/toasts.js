/** Toasts: what has just happened, for ten seconds or as long as their reader wants, with a way back; and buttons that tell. */

import { api } from "../../core/api.js";
import { html } from "../../core/html.js";
import { key } from "../../core/keys.js";
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

/** Do what a button is for: `act()` says what to tell when it is done; what fails is told, after what did not happen. */
export async function press({ currentTarget: button }, failed, act, after = async () => {}) {
  button.disabled = true;
  try {
    const words = await act();
    if (words) toast(words);
  } catch (error) {
    alarm(error.message);
    toast(`${failed}: ${error.message}`);
  }
  button.disabled = false;
  await after().catch(() => {});
}

/** A button that stops what is at this path of the API; what there is stays. */
export const stopButton = (path, done) => html`<button type="button" data-stop data-writes onclick=${(event) => press(event, "Not stopped", async () => (await api.post(`${path}/cancel`)).message, done)}>Stop</button>`;

key("z", () => {
  const last = shown.findLast(({ undo }) => undo);
  if (!last) return false;
  last.back();
  return true;
});
addEventListener("pagehide", () => [...shown].forEach((one) => one.end(true)));

/* What screen readers hear: a polite status for progress and ends, an alert for errors. */

const GAP_MILLISECONDS = 7000;
let last = 0;

const place = (id) => document.getElementById(id);

/** Say something once the reader has a moment. */
export function say(text) {
  speak("status", text);
}

/** Say how far something is; what comes within seven seconds of the last is left out. */
export function sayProgress(text) {
  if (Date.now() - last >= GAP_MILLISECONDS) say(text);
}

/** Say at once that something went wrong. */
export function alarm(text) {
  speak("alert", text);
}

function speak(id, text) {
  last = Date.now();
  place(id).textContent = "";
  setTimeout(() => (place(id).textContent = text), 50);
}
