/** Elements from names and values. Text is only ever set as text. */

/** An element: `properties` are attributes (class, href, …) or listeners (onclick), `children` nodes or text. */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Put these children, and no others, into an element; what is null or false is left out. */
export function put(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

/** A link to an outside address: http, https and mailto only; anything else is shown as text. */
export function outside(address, text = address) {
  let url = null;
  try {
    url = new URL(address);
  } catch {
    /* shown as text below */
  }
  if (!url || !["http:", "https:", "mailto:"].includes(url.protocol)) return h("span", {}, text);
  const link = h("a", { href: url.href, rel: "noopener noreferrer" }, text);
  return text === address || !url.host ? link : h("span", {}, link, h("span", { class: "meta" }, ` ${url.host}`));
}

/** A date and time in the reader’s own manner. */
export function moment(value) {
  const date = new Date(value);
  const text = date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return h("time", { datetime: value, title: value }, text);
}

/** Elapsed time since `from`, to `to` or, kept up to date by `tick`, to now. */
export function elapsed(from, to) {
  const element = h("span", { class: "number" });
  element.dataset.since = from;
  if (to) element.dataset.until = to;
  renewElapsed(element);
  return element;
}

/** Renew every elapsed time that still grows. */
export function tick() {
  document.querySelectorAll("[data-since]:not([data-until])").forEach(renewElapsed);
}

function renewElapsed(element) {
  const until = element.dataset.until ? Date.parse(element.dataset.until) : Date.now();
  const seconds = Math.max(0, Math.floor((until - Date.parse(element.dataset.since)) / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  element.textContent = hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

const ICONS = { completed: "✓", failed: "✕", cancelled: "–" };

/** A status as icon, word and colour. */
export function state(status, word = status) {
  const icon = status === "running" ? h("span", { class: "ring" }) : h("span", { "aria-hidden": "true" }, ICONS[status] ?? "?");
  return h("span", { class: `state ${status in ICONS || status === "running" ? status : ""}` }, icon, word);
}

let fading;
let next = "";

/** Say nothing more of what was, but what was kept for the next view. */
export function hush() {
  say(next);
  next = "";
}

/** Say something when the next view is shown. */
export function sayNext(text) {
  next = text;
}

/** Say something to everyone, screen readers included, for a while. */
export function say(text) {
  const place = document.getElementById("status");
  place.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => (place.textContent = ""), 6000);
}
