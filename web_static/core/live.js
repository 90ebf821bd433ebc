/** What screen readers hear: a polite status for progress and ends, an alert for errors. */

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
