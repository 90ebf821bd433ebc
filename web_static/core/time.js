/** Times: a moment in the reader’s own manner, and elapsed time that goes on by itself. */

import { html } from "./html.js";

const DAY = 86_400_000;

/** When something was: the time today, the day before that; the whole on hover. */
export function moment(value) {
  const date = new Date(value);
  const whole = date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "medium" });
  return html`<time datetime=${value} title=${whole}>${short(date)}</time>`;
}

function short(date) {
  const now = new Date();
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const clock = date.toLocaleTimeString(undefined, { timeStyle: "short" });
  if (date >= midnight) return clock;
  if (midnight - date < DAY) return `Yesterday ${clock}`;
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" };
  return date.toLocaleDateString(undefined, { day: "numeric", month: "short", ...year });
}

/** Elapsed time since `from`, to `to` or, kept up to date, to now. */
export function elapsed(from, to = null) {
  const element = html`<span class="number" data-since=${from} data-until=${to}></span>`;
  renew(element);
  return element;
}

/** "3:07", "1:02:45". */
export function clock(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function renew(element) {
  const until = element.dataset.until ? Date.parse(element.dataset.until) : Date.now();
  const text = clock(until - Date.parse(element.dataset.since));
  if (element.textContent !== text) element.textContent = text;
}

setInterval(() => document.hidden || document.querySelectorAll("[data-since]:not([data-until])").forEach(renew), 1000);
