/** How many approvals wait, beside their name in the rail. */

import { api } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { token } from "../../core/preferences.js";
import { watchSight } from "../../core/visible.js";

const MILLISECONDS = 60_000;
const MOST = 50;

export function badge() {
  const ask = () => document.hidden || !token.get() || api.get(`/approvals?status=pending&limit=${MOST}`).then(({ approvals }) => waiting(approvals.length), () => {});
  setInterval(ask, MILLISECONDS);
  watchSight({ seen: ask });
  ask();
}

export function waiting(n) {
  const link = document.querySelector('#nav [data-name="approvals"]');
  put(link, "Approvals", n > 0 && html`<span class="badge">${n < MOST ? n : `${n}+`}<span class="unseen"> waiting</span></span>`);
}
