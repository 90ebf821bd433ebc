/** The brain: its agents and how they fare, their jobs, and who depends on whom. */

import { tabs } from "../../components/tabs/tabs.js";
import { html, put } from "../../core/html.js";
import { agentRows } from "./agents.js";
import { picture } from "./picture.js";
import { queue } from "./queue.js";

const PARTS = { "": agentRows, queue, picture };

export async function show({ main, signal, argument, wanted }) {
  const place = html`<div class="stack"></div>`;
  const parts = [["#/brain", "Agents"], ["#/brain/queue", "Queue"], ["#/brain/picture", "Picture"]];
  put(main, html`<h1>Brain</h1>`, tabs("Parts of the brain", parts, argument ? `#/brain/${argument}` : "#/brain"), place);
  await PARTS[argument ?? ""]({ place, signal, wanted });
}
