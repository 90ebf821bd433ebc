/** The brain: its agents and how they fare, their jobs, and who depends on whom. */

import { queue } from "./queue.js";
import { named, percent } from "../../components/memory/memory.js";
import { picture as drawing, shape, wrapped } from "../../components/svg/svg.js";
import { status, tabs } from "../../components/tags/tags.js";
import { api, segment } from "../../core/api.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { keepingFocus, walkRows } from "../../core/keys.js";
import { count, moment } from "../../core/words.js";

const PARTS = { "": agentRows, queue, picture };

export async function show({ main, signal, argument, wanted }) {
  const place = html`<div class="stack"></div>`;
  const parts = [["#/brain", "Agents"], ["#/brain/queue", "Queue"], ["#/brain/picture", "Picture"]];
  put(main, html`<h1>Brain</h1>`, tabs("Parts of the brain", parts, argument ? `#/brain/${argument}` : "#/brain"), place);
  await PARTS[argument ?? ""]({ place, signal, wanted });
}

/* The agents: what each is for, how its jobs fare, what it works with, and a picture of them. */

const SECONDS = 10;

async function agentRows({ place, signal }) {
  const list = html`<ul class="list agents"></ul>`;
  const together = html`<p class="meta row"></p>`;
  const draw = ({ agents, jobs }) => {
    put(together, html`<span>Jobs:</span>`, Object.entries(jobs).map(([name, n]) => html`<a href=${`#/brain/queue?status=${name}`}>${n.toLocaleString()} ${name}</a>`));
    keepingFocus(list, () => put(list, agents.length ? agents.map(row) : html`<li class="empty"><p>No agents here. The brain of this Memex is not set up.</p></li>`));
  };
  walkRows(list, signal);
  put(place, together, list);
  await keepFresh(() => api.get("/brain/agents", signal), draw, signal, SECONDS)();
}

function row(agent) {
  const { id, description, last_run_at, success_rate, refusal_rate, pending, failed } = agent;
  const some = (n, words) => n > 0 && html`<span>${count(n, words, words)}</span>`;
  return html`<li data-row=${id}>
    <a class="title" href=${`#/brain/queue?agent=${segment(id)}`}>${named(id)}</a>
    <p>${description}</p>
    <p class="meta row">${health(agent)}<span>${worker(agent)}</span>${last_run_at && html`<span>last ${moment(last_run_at)}</span>`}${some(pending, "pending")}${some(failed, "failed")}
      ${success_rate !== null && html`<span>${percent(success_rate)} done well</span>`}${refusal_rate !== null && html`<span>refuses ${percent(refusal_rate)}</span>`}</p>
  </li>`;
}

function health({ running, last_run_at, success_rate }) {
  if (running) return status("running", running > 1 ? `${running} running` : "running");
  if (!last_run_at) return html`<span>not run yet</span>`;
  return success_rate !== null && success_rate < 0.5 ? status("failed", "mostly failing") : status("completed", "well");
}

/** Which model works for it, or that none does. */
function worker({ model, model_class }) {
  if (model && model !== "rules") return model;
  if (model_class === "none") return "by rule, needs no model";
  return model ? "by rule" : `model for ${model_class}`;
}

/* Who waits for whom, drawn from the registry; the same in words beneath. */

const [WIDE, BESIDE, BELOW, LINE, EDGE] = [150, 12, 36, 16, 8];
const LETTERS = 21;

async function picture({ place, signal }) {
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

/* Where the agents stand in the picture: below those they wait for, and beside what they have nothing to do with. */

/**
 * `agents` by their depends_on as rows of [id, column] from the top, and the number of columns. A column may be a
 * fraction: an agent stands below the middle of those it waits for, as far as there is room. The largest group of what
 * is connected comes first, the others stand one below the other on its right.
 */
function layers(agents) {
  const known = new Map(agents.map(({ id, depends_on }) => [id, depends_on]));
  const before = (id) => known.get(id).filter((one) => known.has(one) && one !== id);
  const groups = connected([...known.keys()], before).sort((a, b) => b.length - a.length);
  const [main = [], ...others] = groups.map((group) => levels(group, before));
  const wide = widest(main);
  const [left, right] = [placed(main, before), others.flatMap((rows) => placed(rows, before))];
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, n) => [...(left[n] ?? []), ...(right[n] ?? []).map(([id, x]) => [id, wide + x])]);
  return { rows, columns: wide + Math.max(0, ...others.map(widest)) };
}

const widest = (rows) => Math.max(0, ...rows.map((row) => row.length));
const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;

/** Ids in groups of what depends on each other. */
function connected(ids, before) {
  const group = new Map(ids.map((id) => [id, id]));
  for (const id of ids)
    for (const one of before(id)) {
      const [from, to] = [group.get(id), group.get(one)];
      for (const [other, of] of group) if (of === from) group.set(other, to);
    }
  return [...new Set(group.values())].map((of) => ids.filter((id) => group.get(id) === of));
}

/** Each id one row below the lowest of those it waits for; a circle is cut where it closes. */
function levels(ids, before) {
  const level = new Map();
  const of = (id, below) => {
    if (!level.has(id)) level.set(id, Math.max(0, ...before(id).filter((one) => !below.includes(one)).map((one) => of(one, [...below, id]) + 1)));
    return level.get(id);
  };
  const rows = [];
  for (const id of ids) (rows[of(id, [])] ??= []).push(id);
  return [...rows].map((row) => row ?? []);
}

function placed(rows, before) {
  const at = new Map();
  const last = widest(rows) - 1;
  return rows.map((row) => {
    const wish = (id, n) => {
      const above = before(id).filter((one) => at.has(one));
      return above.length ? mean(above.map((one) => at.get(one))) : (last + 1 - row.length) / 2 + n;
    };
    const sorted = row.map((id, n) => [id, wish(id, n)]).sort((a, b) => a[1] - b[1]);
    const wishes = sorted.map(([, x]) => x);
    const apart = (xs) => xs.reduce((done, x, n) => [...done, Math.max(x, n ? done[n - 1] + 1 : 0)], []);
    const first = apart(wishes);
    const xs = apart(first.map((x) => x - mean(first) + mean(wishes)));
    xs.forEach((x, n) => at.set(sorted[n][0], Math.min(x, last - (xs.length - 1 - n))));
    return sorted.map(([id]) => [id, at.get(id)]);
  });
}
