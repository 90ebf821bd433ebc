/** The chat beside the other views, from 900 px on, as wide as its reader wants; else it is a page of its own. */

import { html } from "../../core/html.js";
import { beside as wanted, token, width } from "../../core/preferences.js";

const [LEAST, MOST, STEP] = [320, 560, 16];
const room = matchMedia("(min-width: 900px)");
const ample = matchMedia("(min-width: 1200px)");
const aside = document.getElementById("aside");
let shown = null;

const toggle = html`<button type="button" class="quiet" aria-controls="aside" onclick=${() => choose(aside.hidden)}></button>`;
document.querySelector(".rail").append(toggle);
room.addEventListener("change", () => shown && beside(shown));

/** Whether the chat is open beside the views is remembered. */
function choose(open) {
  wanted.set(open ? "yes" : "no");
  beside(shown);
  if (!open) toggle.focus();
}

/** Show or hide it beside the view of this row of views.js. */
export async function beside(row) {
  shown = row;
  toggle.hidden = !token.get() || !room.matches || row.name === "chat";
  const open = !toggle.hidden && (wanted.get() ? wanted.get() === "yes" : ample.matches);
  aside.hidden = !open;
  toggle.textContent = open ? "Hide the chat" : "Show the chat";
  toggle.setAttribute("aria-expanded", String(open));
  if (!open) return;
  const { panel } = await import("./panel.js");
  if (aside.hidden || shown !== row) return;
  if (!aside.firstElementChild?.matches(".edge")) aside.prepend(edge());
  await panel().into(aside);
}

function edge() {
  const handle = html`<div class="edge" role="separator" tabindex="0" aria-orientation="vertical" aria-label="Width of the chat" aria-valuemin=${LEAST} aria-valuemax=${MOST}></div>`;
  const set = (wide) => {
    const now = Math.max(LEAST, Math.min(MOST, Math.round(wide)));
    aside.style.width = `${now}px`;
    handle.setAttribute("aria-valuenow", now);
    return now;
  };
  const keep = (wide) => width.set(String(set(wide)));
  handle.addEventListener("pointerdown", (event) => (event.preventDefault(), handle.setPointerCapture(event.pointerId)));
  handle.addEventListener("pointermove", ({ pointerId, clientX }) => handle.hasPointerCapture(pointerId) && keep(innerWidth - clientX));
  handle.addEventListener("keydown", ({ key }) => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[key];
    if (by) keep(aside.offsetWidth + by);
  });
  set(Number(width.get()) || 380);
  return handle;
}
