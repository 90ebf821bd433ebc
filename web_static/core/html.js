/**
 * Elements from templates: html`<p class=${name}>${text}</p>`.
 *
 * What is put between tags is text, a node, a list of either, or nothing (null, undefined, false). What is put in as an
 * attribute is its whole value: false, null and undefined leave it out, true leaves it empty; onclick=${f} and the like
 * listen, .value=${v} sets a property. Data is never parsed as markup.
 */

import { template } from "./trusted.js";

const ATTRIBUTE = /\s([^\s"'<>=]+)=(["']?)$/;
const parsed = new WeakMap();

export function html(strings, ...values) {
  if (!parsed.has(strings)) parsed.set(strings, parse(strings));
  const { element, names } = parsed.get(strings);
  const content = document.importNode(element.content, true);
  const comments = document.createTreeWalker(content, NodeFilter.SHOW_COMMENT);
  const holes = [];
  while (comments.nextNode()) holes.push(comments.currentNode);
  for (const [n, name] of names.entries()) {
    if (name === null) continue;
    const owner = content.querySelector(`[data-hole-${n}]`);
    owner.removeAttribute(`data-hole-${n}`);
    set(owner, name, values[n]);
  }
  for (const hole of holes) {
    const n = /^hole-(\d+)$/.exec(hole.data)?.[1];
    if (n !== undefined) hole.replaceWith(...nodes(values[n]));
  }
  const parts = [...content.childNodes].filter((node) => node.nodeType !== Node.TEXT_NODE || node.data.trim());
  return parts.length === 1 ? parts[0] : content;
}

function parse(strings) {
  const names = [];
  let markup = strings[0];
  for (let n = 1; n < strings.length; n += 1) {
    let next = strings[n];
    if (markup.lastIndexOf("<") > markup.lastIndexOf(">")) {
      const [whole, name, quote] = ATTRIBUTE.exec(markup) ?? [];
      if (!whole || (quote && !next.startsWith(quote))) throw new SyntaxError(`An attribute is given whole: ${markup.slice(-60)}`);
      markup = `${markup.slice(0, -whole.length)} data-hole-${n - 1}`;
      next = next.slice(quote.length);
      names.push(name);
    } else {
      markup += `<!--hole-${n - 1}-->`;
      names.push(null);
    }
    markup += next;
  }
  return { element: template(markup.trim()), names };
}

function set(element, name, value) {
  if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value);
  else if (name.startsWith(".")) element[name.slice(1)] = value;
  else if (value === true) element.setAttribute(name, "");
  else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
}

/** The nodes of what may stand between tags. */
function nodes(value) {
  if (value === null || value === undefined || value === false) return [];
  if (Array.isArray(value)) return value.flatMap(nodes);
  return [value instanceof Node ? value : document.createTextNode(String(value))];
}

/** The same without moving what is there and stays, so that it keeps the focus and what is typed into it. */
export function arrange(parent, wanted) {
  for (const child of [...parent.children]) if (!wanted.includes(child)) child.remove();
  let at = parent.firstElementChild;
  for (const node of wanted) {
    if (node === at) at = at.nextElementSibling;
    else parent.insertBefore(node, at);
  }
}

const arranged = new WeakMap();

/** A list of what `make` makes of each item, which is plain data; what has not changed keeps its element. */
export function arrangeItems(parent, items, make) {
  const before = arranged.get(parent) ?? new Map();
  const now = new Map(items.map((item) => [JSON.stringify(item), item]));
  const after = new Map([...now].map(([state, item]) => [state, before.get(state) ?? make(item)]));
  arranged.set(parent, after);
  arrange(parent, [...after.values()]);
}

/** Put these, and nothing else, into an element. */
export function put(parent, ...children) {
  parent.replaceChildren(...nodes(children));
}
