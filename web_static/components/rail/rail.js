/** The rail: the views, which of them is shown, and how many captures are still on this device. */

import { html, put } from "../../core/html.js";
import { waiting, watchOutbox } from "../../core/outbox.js";
import { count } from "../../core/words.js";

export function rail(views) {
  put(document.getElementById("nav"), views.filter(({ nav }) => nav).map(link));
  watchOutbox(tellWaiting);
  tellWaiting();
}

function link({ nav, address, name, key }) {
  return html`<a href=${address} data-name=${name} title=${key ? `g ${key}` : null}>${nav}</a>`;
}

/** Mark the link of the view that is shown. */
export function mark(row) {
  const name = row.within ?? row.name;
  for (const one of document.querySelectorAll("#nav a")) {
    if (one.dataset.name === name) {
      one.setAttribute("aria-current", "page");
      one.parentElement.scrollLeft = one.offsetLeft - one.parentElement.clientWidth / 2;
    } else one.removeAttribute("aria-current");
  }
}

async function tellWaiting() {
  const here = (await waiting()).length;
  document.getElementById("outbox").textContent = here ? `${count(here, "note")} saved on this device` : "";
}
