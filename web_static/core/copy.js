/** Taking away: Markdown as plain text and the same as HTML at once, citations as links. */

import { html } from "./html.js";

/** Put `markdown` and what `element` shows onto the clipboard. Rejects where the browser does not allow it. */
export async function copy(markdown, element) {
  const shown = element.cloneNode(true);
  for (const link of shown.querySelectorAll("a[href]")) link.setAttribute("href", link.href);
  for (const chip of shown.querySelectorAll(".cite:not(.named)")) {
    chip.removeAttribute("aria-label");
    chip.textContent = `[${chip.textContent}]`;
  }
  const item = { "text/plain": new Blob([markdown], { type: "text/plain" }), "text/html": new Blob([shown.innerHTML], { type: "text/html" }) };
  await navigator.clipboard.write([new ClipboardItem(item)]);
}

/* What an element shows, as Markdown: headings, lists, tables, links. What can only be pressed or filled in is left out. */

const LEFT_OUT = "button, input, select, textarea, label, svg, [hidden], [aria-hidden='true'], .unseen:not(h1)";
const BLOCKS = "article, blockquote, details, div, dl, form, h1, h2, h3, h4, h5, h6, header, hr, li, ol, p, pre, section, table, ul";
const AROUND = { strong: "**", b: "**", em: "*", i: "*", code: "`", del: "~~", s: "~~" };

export const asMarkdown = (element) => `${blocks(element).join("\n\n")}\n`;

function blocks(element) {
  const made = [];
  const line = [];
  const end = () => {
    const text = line.splice(0).join(element.matches(".row, .meta") ? " " : "").replace(/\s+/g, " ").trim();
    if (text) made.push(text);
  };
  for (const node of element.childNodes) {
    if (node.nodeType === Node.ELEMENT_NODE && !node.matches(LEFT_OUT) && (node.matches(BLOCKS) || node.querySelector(BLOCKS))) {
      end();
      made.push(...block(node));
    } else line.push(inline(node));
  }
  end();
  return made;
}

function block(node) {
  const name = node.localName;
  if (/^h\d$/.test(name)) return [`${"#".repeat(Number(name[1]))} ${within(node)}`];
  if (name === "ul" || name === "ol") return [[...node.children].map((one, n) => indented(one, name === "ol" ? `${n + 1}. ` : "- ")).filter(Boolean).join("\n")];
  if (name === "pre") return [`\`\`\`\n${node.textContent.trimEnd()}\n\`\`\``];
  if (name === "blockquote") return [blocks(node).join("\n\n").replace(/^/gm, "> ")];
  if (name === "hr") return ["---"];
  if (name === "table") return [table(node)];
  if (name === "dl") return [[...node.querySelectorAll("dt")].map((term) => `- ${within(term)}: ${blocks(term.nextElementSibling).join(" ")}`).join("\n")];
  return blocks(node);
}

function indented(item, marker) {
  const text = blocks(item).join("\n\n").replace(/\n/g, `\n${" ".repeat(marker.length)}`);
  return text && marker + text;
}

function table({ rows }) {
  const lines = [...rows].map(({ cells }) => `| ${[...cells].map((cell) => within(cell).replaceAll("|", "\\|")).join(" | ")} |`);
  if (lines.length) lines.splice(1, 0, `|${" --- |".repeat(rows[0].cells.length)}`);
  return lines.join("\n");
}

const within = (element) => [...element.childNodes].map(inline).join("").replace(/\s+/g, " ").trim();

function inline(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE || node.matches(LEFT_OUT)) return "";
  if (node.localName === "img") return node.alt;
  if (node.localName === "br") return " ";
  const text = within(node);
  if (!text) return "";
  if (node.localName === "a" && node.href) return `[${text}](${node.href})`;
  const mark = AROUND[node.localName] ?? "";
  return `${mark}${text}${mark}`;
}

/* Saving a text as a file of this device. */

export const save = (name, text, type = "text/markdown") => saveBlob(name, new Blob([text], { type }));

export function saveBlob(name, blob) {
  const address = URL.createObjectURL(blob);
  html`<a href=${address} download=${name}></a>`.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
