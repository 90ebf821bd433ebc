/** Who waits for whom, drawn from the registry; the same in words beneath. */

import { named } from "../../components/memory/words.js";
import { picture as drawing, shape, wrapped } from "../../components/svg/svg.js";
import { api } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { worker } from "./agents.js";
import { layers } from "./layers.js";

const [WIDE, BESIDE, BELOW, LINE, EDGE] = [150, 12, 36, 16, 8];
const LETTERS = 21;

export async function picture({ place, signal }) {
  const { agents } = await api.get("/brain/agents", signal);
  put(
    place,
    html`<p class="meta">An arrow leads from an agent to one that waits for it. What stands apart works when it is asked.</p>`,
    html`<div class="wide" tabindex="0" role="region" aria-label="Picture of the agents">${drawn(agents)}</div>`,
    html`<h2>The same in words</h2>`,
    html`<ul class="twin">${agents.map(told)}</ul>`,
  );
}

function told(agent) {
  const { id, depends_on, reads, writes, emits } = agent;
  const parts = [
    depends_on.length ? `waits for ${list(depends_on.map(named))}` : "waits for no other",
    reads.length && `reads ${list(reads)}`,
    writes.length && `writes ${list(writes)}`,
    emits.length && `tells of ${list(emits.map((one) => one.replaceAll("_", " ")))}`,
  ];
  return html`<li><strong>${named(id)}</strong> ${parts.filter(Boolean).join("; ")}. <span class="meta">${worker(agent)}</span></li>`;
}

const list = (words) => new Intl.ListFormat("en").format(words);

function drawn(agents) {
  const known = new Map(agents.map((agent) => [agent.id, { agent, lines: linesOf(agent) }]));
  const { rows, columns } = layers(agents);
  let top = 1;
  for (const row of rows) {
    const high = Math.max(...row.map(([id]) => known.get(id).lines.length)) * LINE + 2 * EDGE;
    for (const [id, column] of row) Object.assign(known.get(id), { x: 1 + column * (WIDE + BESIDE), y: top, high: known.get(id).lines.length * LINE + 2 * EDGE });
    top += high + BELOW;
  }
  const arrows = [...known.values()].flatMap((one) => {
    const above = one.agent.depends_on.filter((id) => known.has(id)).map((id) => known.get(id)).sort((a, b) => a.x - b.x || a.y - b.y);
    return above.map((from, n) => arrow(from, one, (n + 1) / (above.length + 1)));
  });
  const about = { title: "The agents of the brain", words: `${agents.length} agents; each stands below those it waits for. A list beneath says the same.` };
  return drawing({ ...about, width: columns * (WIDE + BESIDE) - BESIDE + 2, height: top - BELOW + 1 }, arrows, [...known.values()].map(box));
}

const linesOf = ({ id, reads, writes }) => [
  ...wrapped(named(id), LETTERS - 2).map((text) => ["name", text]),
  ...(reads.length ? wrapped(`reads ${reads.join(", ")}`, LETTERS).map((text) => ["", text]) : []),
  ...(writes.length ? wrapped(`writes ${writes.join(", ")}`, LETTERS).map((text) => ["writes", text]) : []),
];

function box({ x, y, high, lines }) {
  const line = ([name, text], n) => shape("text", { x: x + EDGE, y: y + EDGE + (n + 1) * LINE - 4, class: name }, text);
  return shape("g", {}, shape("rect", { x, y, width: WIDE, height: high, rx: 6 }), lines.map(line));
}

/** It ends at a part of the width, so that those that come together can be told apart. */
function arrow(from, to, part) {
  const [x1, y1, x2, y2] = [from.x + WIDE / 2, from.y + from.high, to.x + WIDE * part, to.y - 1];
  const bend = Math.max(BELOW / 2, (y2 - y1) / 2);
  return shape("path", { class: "line", d: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}m-4 -7l4 7l4 -7` });
}
