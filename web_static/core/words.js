/** Words, numbers and times for people. */

import { html } from "./html.js";

/** The title of a note, or what stands for one that lacks: the first line with words, as the server has it. */
export function nameOf({ title, body = "" }) {
  const lines = body.split("\n").map((line) => line.replace(/^[#\s]+|[#\s]+$/g, ""));
  return title || lines.find(Boolean)?.slice(0, 200) || "(empty)";
}

/** Plain words of the first paragraph that says something: a heading only where there is nothing else. */
export function excerptOf(body) {
  const lines = body.split("\n").filter((line) => line.trim() && !/^[#\s|:=-]+$/.test(line));
  const line = lines.find((one) => !one.startsWith("#")) ?? lines[0]?.replace(/^#+\s*/, "") ?? "";
  const named = line.replace(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1");
  const words = named.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "").replace(/\s*\|[\s|]*/g, " ").replace(/(?<=^|\s):?-{3,}:?(?=\s|$)/g, "").trim();
  return words.replace(/ ?\[\d{1,4}\]/g, "").replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*_`>]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, "");
}

/** The tags in a text: separated by blanks or commas, with or without #. */
export function tagsOf(text) {
  const tags = text.split(/[\s,]+/).map((tag) => tag.replace(/^#+/, "").toLowerCase());
  return [...new Set(tags.filter(Boolean))];
}

export const count = (n, one, many = `${one}s`) => `${n.toLocaleString()} ${n === 1 ? one : many}`;

export const dollars = (usd) => (usd > 0 && usd < 0.01 ? "under $0.01" : `$${usd.toFixed(2)}`);

/** The host of an address, as it is to be shown; empty for none. */
export function hostOf(address) {
  try {
    return new URL(address).host;
  } catch {
    return "";
  }
}

/* Times: a moment in the reader’s own manner, and elapsed time that goes on by itself. */

const DAY = 86_400_000;

/** When something was or will be: the time today, the day otherwise; the whole on hover. */
export function moment(value) {
  const date = new Date(value);
  const whole = date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "medium" });
  return html`<time datetime=${value} title=${whole}>${short(date)}</time>`;
}

function short(date) {
  const now = new Date();
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const clock = date.toLocaleTimeString(undefined, { timeStyle: "short" });
  const days = Math.floor((date - midnight) / DAY);
  if (days === 0) return clock;
  if (days === -1 || days === 1) return `${days < 0 ? "Yesterday" : "Tomorrow"} ${clock}`;
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
