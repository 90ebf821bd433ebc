/** Files on their way: they go on while their sender walks about, and stay where they are when they fail. */

import { meter } from "../../components/meter/meter.js";
import { status } from "../../components/tags/tags.js";
import { html } from "../../core/html.js";
import { say } from "../../core/live.js";
import { ulid } from "../../core/ulid.js";
import { upload } from "../../core/upload.js";
import { count } from "../../core/words.js";

const AT_ONCE = 2;
const changes = new EventTarget();
let uploads = [];

export function watchUploads(hear, signal) {
  changes.addEventListener("change", ({ detail }) => hear(detail), { signal });
}

export function add(files) {
  uploads.push(...[...files].map((file) => ({ file, key: ulid(), part: 0, state: "waiting", problem: "", stop: null })));
  next();
}

/** Whether a document that is still being sent is one of ours, which has its row here. */
export const sending = ({ status: at, name, bytes }) => at === "uploading" && uploads.some(({ file }) => file.name === name && file.size === bytes);

export const uploadRows = () => uploads.map((one) => row(one));

function next() {
  changed();
  if (uploads.filter(({ state }) => state === "running").length >= AT_ONCE) return;
  const one = uploads.find(({ state }) => state === "waiting");
  if (!one) return;
  send(one);
  next();
}

async function send(one) {
  Object.assign(one, { state: "running", problem: "", part: 0, stop: new AbortController() });
  const progress = (part) => ((one.part = part), changed());
  try {
    await upload(one.file, { key: one.key, progress, signal: one.stop.signal });
    leave(one);
    say(`${one.file.name} is there.`);
    changed({ added: true });
  } catch (error) {
    if (error.name === "AbortError") leave(one);
    else Object.assign(one, { state: "failed", problem: error.message });
  }
  next();
}

const leave = (one) => (uploads = uploads.filter((other) => other !== one));
const changed = (detail = {}) => changes.dispatchEvent(new CustomEvent("change", { detail }));

function row(one) {
  const { file, part, state, problem } = one;
  const percent = Math.round(part * 100);
  const again = () => ((one.state = "waiting"), next());
  const drop = () => (one.state === "running" ? one.stop.abort() : (leave(one), changed()));
  const word = { waiting: "Waiting", running: part < 1 ? `Sending, ${percent} %` : "Looking at it", failed: "Not taken" }[state];
  return html`<li>
    <p class="title">${file.name}</p>
    ${state === "running" && meter([[part, "used"]], `${percent} % sent`)}
    <p class="meta row">${status(state, word)}<span>${size(file.size)}</span>
      ${state === "failed" && html`<button type="button" onclick=${again}>Retry</button>`}
      <button type="button" class="quiet" aria-label=${`Leave ${file.name} out`} onclick=${drop}>${state === "running" ? "Stop" : "Leave it out"}</button></p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  </li>`;
}

/* Documents in words. */

const UNITS = ["bytes", "KB", "MB", "GB"];

/** "1.4 MB". */
export function size(bytes) {
  let [value, n] = [bytes, 0];
  while (value >= 1000 && n < UNITS.length - 1) [value, n] = [value / 1000, n + 1];
  return `${value.toLocaleString(undefined, { maximumFractionDigits: n && value < 10 ? 1 : 0 })} ${UNITS[n]}`;
}

/** Where a document is, as icon, word and colour. */
export function state({ status: name, position, pages, problems }) {
  if (name === "uploading") return status("running", "being sent");
  if (name === "extracting") return status("running", pages > 1 ? `reading, ${position.part} of ${pages}` : "reading");
  if (name === "failed") return status("failed", "not readable");
  return problems.length ? status("cancelled", `ready, ${count(problems.length, "problem")}`) : status("completed", "ready");
}

/** "12 pages", "3 sheets"; empty where it has none. */
export const parts = ({ type, pages }) => (pages ? count(pages, type === "xlsx" ? "sheet" : "page") : "");
