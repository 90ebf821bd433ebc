/** Copying: Markdown as plain text and the same as HTML at once, citations as links. */

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
