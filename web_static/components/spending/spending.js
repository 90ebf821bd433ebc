/** Whether money may be spent: a banner above every view while it may not, with who stopped it; owners switch it. */

import { press } from "../toasts/toasts.js";
import { may } from "../../core/access.js";
import { api } from "../../core/api.js";
import { watchSight } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { token } from "../../core/preferences.js";
import { moment } from "../../core/words.js";

const MILLISECONDS = 60_000;
const changes = new EventTarget();
let state = null;

/** Keep the banner true: asks each minute, and at once when something is refused because of it. */
export function watchSpending() {
  setInterval(() => document.hidden || ask(), MILLISECONDS);
  watchSight({ seen: ask });
  addEventListener("refused", ({ detail }) => detail.code === "spending_paused" && ask());
  changes.addEventListener("change", draw);
  return ask();
}

const ask = () => token.get() && api.get("/spending").then(changed, () => {});

function changed(answer) {
  state = answer;
  changes.dispatchEvent(new Event("change"));
}

function draw() {
  const text = state?.paused ? JSON.stringify(state) : "";
  const place = document.getElementById("paused");
  if (place.dataset.drawn === text) return;
  place.dataset.drawn = text;
  put(place, state?.paused && html`<div class="notice warn row spread"><p><strong>Spending is paused.</strong> ${told(state)}</p>${switching()}</div>`);
}

/** Who paused what, and what follows from it. */
function told({ project, workspace }) {
  const { by, at, reason } = project?.paused ? project : workspace;
  return [`Stopped for ${project?.paused ? "all of this Memex" : "this workspace"}`, by && ` by ${by}`, at && [", ", moment(at)], reason && `: “${reason}”`, ". Nothing is lost: work that costs money waits."];
}

/** The button that owners have; for the whole project it is its operator who decides. */
function switching() {
  if (state.project?.paused) return html`<p class="meta">Its operator can resume it: <code>memex resume --all</code></p>`;
  return html`<button type="button" data-owner onclick=${(event) => press(event, "Not changed", () => set(!state.paused))}>${state.paused ? "Resume spending" : "Pause all spending"}</button>`;
}

async function set(paused) {
  changed(await api.put("/spending", { paused }));
  return paused ? "Spending is paused." : "Spending goes on.";
}

/** The switch with its words, for the view of usage. */
export function spendingCard(signal) {
  const place = html`<section class="card stack" hidden></section>`;
  const fill = () => {
    place.hidden = !state;
    if (state) put(place, html`<h2>Spending</h2>`, html`<p>${state.paused ? told(state) : "Research, chats, runs and memory may spend. Paused, what costs money waits, and nothing is lost."}</p>`, switching(), !may("owner") && html`<p class="meta">An owner of the workspace can pause it.</p>`);
  };
  changes.addEventListener("change", fill, { signal });
  fill();
  ask();
  return place;
}
