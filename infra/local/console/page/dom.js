// Elements and words. Content only ever becomes text: there is no way from here to markup.

export function h(tag, props, ...kids) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : value); // to ARIA, "" is false
  }
  element.append(...kids.flat(9).filter((kid) => kid !== null && kid !== undefined && kid !== false));
  return element;
}

// A part of a view that is made anew when its data has changed: focus and opened details stay, a selection is left alone.
export function region(props) {
  const element = h("div", props);
  let shown;
  element.show = (data, build) => {
    const key = JSON.stringify(data);
    const selection = getSelection();
    if (key === shown || (!selection.isCollapsed && element.contains(selection.anchorNode))) return;
    shown = key;
    const focus = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    const open = [...element.querySelectorAll("details[open][data-key]")].map((one) => one.dataset.key);
    element.replaceChildren(...[build(data)].flat(9).filter(Boolean));
    for (const one of element.querySelectorAll("details[data-key]")) one.open ||= open.includes(one.dataset.key);
    if (focus) element.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  };
  return element;
}

// columns: [label, cell(row), class]. On a phone each row is a block of lines with their labels.
export function table(columns, rows, foot) {
  const put = ([label, cell, kind = ""], row) => {
    const content = cell(row);
    return h("td", { class: content || content === 0 ? kind || null : `${kind} none`, "data-label": label }, h("div", null, content));
  };
  const line = (row) => h("tr", null, columns.map((column) => put(column, row)));
  const head = h("thead", null, h("tr", null, columns.map(([label, , kind]) => h("th", { scope: "col", class: kind === "num" ? kind : null }, label))));
  return h("div", { class: "wrap" }, h("table", { class: "stack" }, head, h("tbody", null, rows.map(line)), foot && h("tfoot", null, line(foot))));
}

export const empty = (text) => h("p", { class: "empty" }, text);
export const code = (text) => h("code", null, text);
// A path that breaks after its slashes, where it must break.
export const pathname = (path) => h("code", null, path.split("/").flatMap((word, at) => (at ? ["/", h("wbr"), word] : [word])));
export const state = (kind, word) => h("span", { class: `state ${kind}` }, word);
export const link = (href, ...kids) => h("a", { href }, ...kids);
export const facts = (pairs) => h("dl", { class: "facts" }, pairs.filter(([, value]) => value !== null && value !== "").map(([name, value]) => [h("dt", null, name), h("dd", null, value)]));
export const field = (name, control) => h("label", null, h("span", null, name), control);
export const short = (name) => name.split("/").at(-1);
export const usd = (amount) => (amount > 0 && amount < 1e-6 ? "< $0.000001" : dollars(amount));
const dollars = (amount) => `$${amount === 0 || amount >= 0.1 ? amount.toFixed(2) : amount.toFixed(6)}`;

export function head(title, about, json, ...actions) {
  const twin = json && h("a", { class: "button", href: json, target: "_blank", rel: "noopener" }, "JSON");
  return h("div", { class: "head" }, h("div", null, h("h1", null, title), about && h("p", { class: "lead" }, about)), h("div", { class: "row" }, actions, twin));
}

export function span(seconds) {
  if (seconds < 1) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} days`;
}

const distance = (at) => {
  const seconds = (Date.now() - at) / 1000;
  return Math.abs(seconds) < 1 ? "now" : seconds > 0 ? `${span(seconds)} ago` : `in ${span(-seconds)}`;
};

// A moment (RFC 3339, or seconds since 1970) as a distance from now that goes on counting.
export function when(moment) {
  if (moment === null || moment === undefined) return "";
  const at = typeof moment === "number" ? moment * 1000 : Date.parse(moment);
  const full = new Date(at);
  return h("time", { datetime: full.toISOString(), title: full.toLocaleString(), "data-at": at, class: "num" }, distance(at));
}

export function tick() {
  for (const one of document.querySelectorAll("time[data-at]")) {
    const text = distance(Number(one.dataset.at));
    if (one.textContent !== text) one.textContent = text;
  }
}
