/** A popover in the top layer beside what it explains: on hover, focus or tap; Esc closes it. */

import { html, put } from "../../core/html.js";

const OPEN_MILLISECONDS = 250;
const CLOSE_MILLISECONDS = 200;
const GAP = 8;
let box = null;
let owner = null;
let timer = null;

/** Give an element a popover; `content()` makes its nodes when it opens, and may be async. */
export function explain(element, content) {
  element.setAttribute("aria-haspopup", "dialog");
  const soon = () => later(() => open(element, content), OPEN_MILLISECONDS);
  element.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && soon());
  element.addEventListener("pointerleave", () => later(close, CLOSE_MILLISECONDS));
  element.addEventListener("focus", () => element.matches(":focus-visible") && open(element, content));
  element.addEventListener("blur", ({ relatedTarget }) => box?.contains(relatedTarget) || later(close, CLOSE_MILLISECONDS));
  return { open: () => open(element, content), isOpen: () => owner === element };
}

export function close() {
  clearTimeout(timer);
  if (!owner) return;
  owner.removeAttribute("aria-describedby");
  owner = null;
  box.hidePopover();
}

function later(act, milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(act, milliseconds);
}

async function open(element, content) {
  clearTimeout(timer);
  if (owner === element) return;
  close();
  owner = element;
  box ??= made();
  put(box, html`<p class="meta">…</p>`);
  element.setAttribute("aria-describedby", box.id);
  box.showPopover();
  place(element);
  const shown = await content();
  if (owner !== element) return;
  put(box, shown);
  place(element);
}

function made() {
  const element = html`<div id="popover" class="popover" popover="manual" role="tooltip"
    onpointerenter=${() => clearTimeout(timer)} onpointerleave=${() => later(close, CLOSE_MILLISECONDS)}></div>`;
  document.body.append(element);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !owner) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  }, { capture: true });
  document.addEventListener("pointerdown", ({ target }) => owner && !element.contains(target) && !owner.contains(target) && close());
  addEventListener("scroll", close, { passive: true });
  addEventListener("hashchange", close);
  return element;
}

function place(element) {
  const there = element.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const left = Math.max(GAP, Math.min(there.left, innerWidth - width - GAP));
  const below = there.bottom + GAP;
  const top = below + height <= innerHeight - GAP ? below : Math.max(GAP, there.top - height - GAP);
  Object.assign(box.style, { left: `${left}px`, top: `${top}px` });
}
