/** What was used this month, by kind of work and against the quotas. */

import { quota } from "../../components/meter/meter.js";
import { spendingCard } from "../../components/spending/spending.js";
import { api, query } from "../../core/api.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { renameAddress } from "../../core/router.js";
import { dollars } from "../../core/words.js";

const KINDS = { chat: "Chat turns", research: "Research runs", run: "Agent runs", brain: "Memory work", enrich: "Summaries of notes", routine: "Digests and reviews" };
const MONTHS = 6;
const SECONDS = 15;

export async function show({ main, signal, wanted }) {
  const place = html`<div class="stack"></div>`;
  const refresh = keepFresh(() => api.get(`/usage${query({ month: wanted.get("month") })}`, signal), (answer) => put(place, drawn(answer)), signal, SECONDS);
  const choose = ({ currentTarget: { value } }) => {
    if (value) wanted.set("month", value);
    else wanted.delete("month");
    renameAddress(wanted.size ? `#/usage?${wanted}` : "#/usage");
    refresh();
  };
  const option = (month, n) => html`<option value=${n ? month : ""} selected=${wanted.get("month") === month}>${named(month)}</option>`;
  put(main, html`<div class="row spread"><h1>Usage</h1><select aria-label="Month" onchange=${choose}>${months().map(option)}</select></div>`, place, spendingCard(signal));
  await refresh();
}

function months() {
  const now = new Date();
  return Array.from({ length: MONTHS }, (_, n) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1)).toISOString().slice(0, 7));
}

const named = (month) => new Date(`${month}-01T00:00Z`).toLocaleDateString(undefined, { month: "long", year: "numeric", timeZone: "UTC" });
const whole = (n) => n.toLocaleString();

function drawn({ month, renews_at, plan, features, totals, by_kind, states, warnings, prices_as_of }) {
  const row = (name, { count, input_tokens, output_tokens, searches, usd }) =>
    html`<tr><th scope="row">${name}</th><td>${whole(count)}</td><td>${dollars(usd)}</td><td>${whole(input_tokens)}</td><td>${whole(output_tokens)}</td><td>${whole(searches)}</td></tr>`;
  const kinds = Object.entries(by_kind).filter(([, sums]) => sums.count > 0);
  return [
    warnings.map((words) => html`<p class="notice warn">${words}</p>`),
    html`<section class="card stack"><h2>Quotas of ${named(month)}</h2><div class="quotas">${Object.entries(states).map(([name, state]) => quota(name, state))}</div>
      <p class="meta">Plan ${plan}; agent runs are ${features.agent_runs ? "on" : "off"}. They begin anew on ${new Date(renews_at).toLocaleDateString(undefined, { dateStyle: "long", timeZone: "UTC" })} (UTC).</p></section>`,
    html`<section class="card stack"><h2>By kind</h2><div class="wide" tabindex="0" role="region" aria-label="Usage by kind"><table class="sums">
      <thead><tr><th scope="col">Work</th><th scope="col">Count</th><th scope="col">Price</th><th scope="col">Tokens in</th><th scope="col">Tokens out</th><th scope="col">Searches</th></tr></thead>
      <tbody>${kinds.map(([kind, sums]) => row(KINDS[kind] ?? kind, sums))}</tbody><tfoot>${row("Together", totals)}</tfoot>
    </table></div><p class="meta">Counted when work has ended. Prices as of ${prices_as_of}; an emulated model bills nothing.</p></section>`,
  ];
}
