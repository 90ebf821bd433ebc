/** How many approvals wait, plans of research among them, beside their name in the rail. */

import { api } from "../../core/api.js";
import { watchSight } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { token } from "../../core/preferences.js";

const MILLISECONDS = 60_000;
const MOST = 50;

export function badge() {
  const ask = () => document.hidden || !token.get() || Promise.all([api.get(`/approvals?status=pending&limit=${MOST}`), plans()]).then(([{ approvals }, waits]) => waiting(approvals.length + waits.length), () => {});
  setInterval(ask, MILLISECONDS);
  watchSight({ seen: ask });
  ask();
}

/** The operations whose plan waits for a person's word. */
export const plans = async (signal) => (await api.get(`/operations?status=awaiting_approval&limit=${MOST}`, signal)).operations;

export function waiting(n) {
  const link = document.querySelector('#nav [data-name="approvals"]');
  put(link, "Approvals", n > 0 && html`<span class="badge">${n < MOST ? n : `${n}+`}<span class="unseen"> waiting</span></span>`);
}
