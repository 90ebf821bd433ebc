/** What has happened to a note: its own stream of events, fetched when it is opened. */

import { segment, send } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { moment } from "../../core/time.js";
import { told, verb } from "../operation/telling.js";

let opened = "";

export function history(note, seq) {
  const place = html`<div></div>`;
  const element = html`<details class="history"><summary>History</summary>${place}</details>`;
  const fill = async () => {
    opened = note.id;
    try {
      const response = await send("GET", `/notes/${segment(note.id)}/events?limit=200`, { headers: { Accept: "application/json" } });
      const { events } = await response.json();
      const made = html`<li>${moment(note.created_at)}<span class="what">Written</span><span class="words"></span></li>`;
      const line = (event) => html`<li>${moment(event.at)}<span class="what">${verb(event)}</span><span class="words">${told(event)}</span></li>`;
      put(place, html`<ol class="events" data-seq=${seq}>${made}${events.map(line)}</ol>`);
    } catch (error) {
      put(place, html`<p class="problem" role="alert">${error.message}</p>`);
    }
  };
  element.addEventListener("toggle", () => (element.open ? fill() : (opened = "")));
  if (opened === note.id) element.open = true;
  return element;
}
