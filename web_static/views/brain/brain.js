/** The brain: its agents and how they fare, their jobs, and who depends on whom. */

import { agentRows, picture } from "./agents.js";
import { queue } from "./queue.js";
import { tabs } from "../../components/tags/tags.js";
import { html, put } from "../../core/html.js";

const PARTS = { "": agentRows, queue, picture };

export async function show({ main, signal, argument, wanted }) {
  const place = html`<div class="stack"></div>`;
  const parts = [["#/brain", "Agents"], ["#/brain/queue", "Queue"], ["#/brain/picture", "Picture"]];
  put(main, html`<h1>Brain</h1>`, tabs("Parts of the brain", parts, argument ? `#/brain/${argument}` : "#/brain"), place);
  await PARTS[argument ?? ""]({ place, signal, wanted });
}
