/** Markdown as elements: headings, paragraphs, lists, quotes, code, tables, emphasis, links. Text is only ever set as text. */

import { h, outside } from "./dom.js";

const FENCE = /^\s*(```+|~~~+)/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^\s*>\s?/;
const ROW = /^\s*\|.*\|\s*$/;
const LINE_OF_TABLE = /^[\s|:-]+$/;
const LONGEST = 20000; // a paragraph beyond it is shown as it is written: looking for pairs in it would take too long

/** The elements of a text; `cite` answers the link for a number in brackets, or null where it is no citation. */
export function markdown(text, cite = () => null) {
  return blocks(text.replaceAll("\r\n", "\n").split("\n"), cite, 0);
}

function blocks(lines, cite, depth) {
  const made = [];
  let at = 0;
  const while_ = (belongs) => {
    const from = at;
    while (at < lines.length && belongs(lines[at])) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at];
    if (!line.trim()) at += 1;
    else if (FENCE.test(line)) {
      const fence = line.match(FENCE)[1];
      at += 1;
      const code = while_((one) => !one.trim().startsWith(fence));
      at += 1;
      made.push(h("pre", { tabindex: "0" }, h("code", {}, code.join("\n"))));
    } else if (HEADING.test(line)) {
      const [, marks, words] = line.match(HEADING);
      at += 1;
      made.push(h(`h${Math.min(6, marks.length + 1)}`, {}, inline(words, cite)));
    } else if (RULE.test(line)) {
      at += 1;
      made.push(h("hr"));
    } else if (QUOTE.test(line) && depth < 4) {
      const inner = while_((one) => QUOTE.test(one)).map((one) => one.replace(QUOTE, ""));
      made.push(h("blockquote", {}, blocks(inner, cite, depth + 1)));
    } else if (ROW.test(line) && LINE_OF_TABLE.test(lines[at + 1] ?? "")) {
      made.push(table(while_((one) => ROW.test(one)), cite));
    } else if (ITEM.test(line) && depth < 4) {
      made.push(list(while_((one) => ITEM.test(one) || /^\s+\S/.test(one)), cite, depth));
    } else {
      at += 1;
      const rest = while_((one) => one.trim() && ![FENCE, HEADING, RULE, QUOTE, ITEM, ROW].some((start) => start.test(one)));
      made.push(h("p", {}, inline([line, ...rest].join("\n"), cite)));
    }
  }
  return made;
}

/** A list: what is indented further than its first item belongs to the item before it. */
function list(lines, cite, depth) {
  const [, margin, mark] = lines[0].match(ITEM);
  const items = [];
  for (const line of lines) {
    const found = line.match(ITEM);
    if (found && (!items.length || found[1].length <= margin.length)) items.push([found[3]]);
    else items.at(-1).push(line.slice(Math.min(line.search(/\S/), margin.length + 2)));
  }
  const ordered = /\d/.test(mark);
  const start = ordered && Number.parseInt(mark, 10) !== 1 && Number.parseInt(mark, 10);
  return h(
    ordered ? "ol" : "ul",
    { start },
    items.map(([first, ...rest]) => h("li", {}, inline(first, cite), blocks(rest, cite, depth + 1))),
  );
}

function table(lines, cite) {
  const cells = (line) => line.trim().slice(1, -1).split(/(?<!\\)\|/).map((cell) => inline(cell.trim(), cite));
  const [head, , ...rows] = lines;
  return h(
    "div",
    { class: "wide", tabindex: "0" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, cells(head).map((cell) => h("th", { scope: "col" }, cell)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, cells(row).map((cell) => h("td", {}, cell))))),
    ),
  );
}

const INLINE = new RegExp(
  [
    /\\([\\`*_{}[\]()#+.!|<>-])/, // 1 an escaped character
    /(`+)(.+?)\2(?!`)/, // 3 code
    /!?\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"[^"]*")?\)/, // 4 text, 5 address
    /\[(\d{1,4})\]/, // 6 a citation
    /\*\*(?=\S)(.+?\S?)\*\*/, // 7 bold
    /(?<!\d)\*(?=[^\s*])([^*]*[^\s*])\*/, // 8 italic
    /(?<![\p{L}\d_])_(?=[^\s_])([^_]*[^\s_])_(?![\p{L}\d_])/, // 9 italic
    /(https?:\/\/[^\s<>"\]]*[^\s<>"\].,;:!?)*_'])/, // 10 an address
  ]
    .map((part) => part.source)
    .join("|"),
  "su",
);

/** The nodes of a stretch of text. */
function inline(text, cite) {
  if (text.length > LONGEST) return [text];
  const nodes = [];
  let rest = text;
  for (let found = rest.match(INLINE); found; found = rest.match(INLINE)) {
    if (found.index) nodes.push(rest.slice(0, found.index));
    nodes.push(node(found, cite));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest) nodes.push(rest);
  return nodes;
}

function node([whole, escaped, , code, words, target, number, bold, star, line, address], cite) {
  if (escaped !== undefined) return escaped;
  if (code !== undefined) return h("code", {}, code);
  if (target !== undefined) return link(target, words ? inline(words, cite) : [target]);
  if (number !== undefined) return cite(Number(number)) ?? whole;
  if (bold !== undefined) return h("strong", {}, inline(bold, cite));
  if (address !== undefined) return outside(address);
  return h("em", {}, inline(star ?? line, cite));
}

/** A link to a note of ours, or to the outside; anything else stays text. */
function link(target, words) {
  const note = target.match(/^(?:memex:\/\/|#?\/?)notes\/([\w.~-]+)$/)?.[1];
  return note ? h("a", { href: `#/notes/${encodeURIComponent(note)}` }, words) : outside(target, words);
}
