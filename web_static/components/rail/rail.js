/** The rail: the views, which of them is shown, how many approvals wait, and how many captures are still on this device. */

import { api } from "../../core/api.js";
import { watchSight } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { waiting, watchOutbox } from "../../core/outbox.js";
import { token } from "../../core/preferences.js";
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

const MILLISECONDS = 60_000;
const MOST = 50;

/** Keep telling how many approvals wait, plans of research among them. */
export function badge() {
  const ask = () => document.hidden || !token.get() || Promise.all([api.get(`/approvals?status=pending&limit=${MOST}`), plans()]).then(([{ approvals }, waits]) => tellApprovals(approvals.length + waits.length), () => {});
  setInterval(ask, MILLISECONDS);
  watchSight({ seen: ask });
  ask();
}

/** The operations whose plan waits for a person's word. */
export const plans = async (signal) => (await api.get(`/operations?status=awaiting_approval&limit=${MOST}`, signal)).operations;

export function tellApprovals(n) {
  const link = document.querySelector('#nav [data-name="approvals"]');
  put(link, "Approvals", n > 0 && html`<span class="badge">${n < MOST ? n : `${n}+`}<span class="unseen"> waiting</span></span>`);
}
