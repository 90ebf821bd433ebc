/** People and things, and what is said of two of them: a picture whose names are links, and a list that says the same. */

import { recordAddress } from "../../components/memory/memory.js";
import { picture, shape, shortened } from "../../components/svg/svg.js";
import { api, query, segment } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { walkRows } from "../../core/keys.js";
import { go } from "../../core/router.js";
import { count } from "../../core/words.js";

const [HIGH, BOX, LETTER] = [44, 34, 7];
const MOST = 150;
const MARKS = { person: "●", place: "▲", organisation: "■", thing: "◆", topic: "#" };
const address = (id) => `#/memory/graph?about=${segment(id)}`;
const shownName = ({ name, key }) => (key === "me" ? "You" : name);

export async function graph({ place, signal, wanted }) {
  const { nodes, edges, truncated } = await api.get(`/brain/graph${query({ about: wanted.get("about"), hops: 2, limit: MOST })}`, signal);
  if (!nodes.length) return put(place, html`<div class="empty"><p>No people or things yet. <a href="#/notes?capture">Write a note</a> about somebody.</p><p class="meta">For example: “Anna works at the university.”</p></div>`);
  const names = new Map(nodes.map((node) => [node.id, node]));
  const centre = names.has(wanted.get("about")) ? wanted.get("about") : centreOf(nodes, edges);
  const laid = trees(nodes, edges, centre);
  const host = html`<div class="graph"></div>`;
  const list = html`<ul class="twin">${said(edges, names)}</ul>`;
  const draw = () => put(host, drawn(laid, names.get(centre), host.clientWidth || 600));
  walkRows(list, signal);
  put(
    place,
    middle(nodes, centre),
    host,
    html`<p class="meta row">${Object.entries(MARKS).map(([kind, mark]) => html`<span><span aria-hidden="true">${mark}</span> ${kind}</span>`)}</p>`,
    truncated && html`<p class="meta">There are more than the ${MOST} shown; put another in the middle to see what is around it.</p>`,
    html`<section class="stack"><h2>The same in words</h2>${list}</section>`,
  );
  watchWidth(host, draw, signal);
}

/** Draws at once, and again when the place becomes wider or narrower. */
function watchWidth(host, draw, signal) {
  let wide = 0;
  const watch = new ResizeObserver(() => host.clientWidth !== wide && ((wide = host.clientWidth), draw()));
  watch.observe(host);
  signal.addEventListener("abort", () => watch.disconnect(), { once: true });
}

function middle(nodes, centre) {
  const sorted = nodes.toSorted((a, b) => shownName(a).localeCompare(shownName(b)));
  const option = (node) => html`<option value=${node.id} selected=${node.id === centre}>${shownName(node)}</option>`;
  return html`<label class="row">In the middle <select onchange=${({ currentTarget: { value } }) => go(address(value))}>${sorted.map(option)}</select></label>`;
}

/** Each edge as a sentence with the record that says so; a node nothing is said of by itself. */
function said(edges, names) {
  const link = (id) => html`<a href=${address(id)}>${shownName(names.get(id))}</a>`;
  const there = edges.filter(({ source, target }) => names.has(source) && names.has(target));
  const spoken = new Set(there.flatMap(({ source, target }) => [source, target]));
  return [
    ...there.map(({ id, source, label, target, record_id }) => html`<li data-row=${id}>${link(source)}: ${label} ${link(target)} <a class="meta" href=${recordAddress(record_id)} aria-label=${`Why: ${shownName(names.get(source))} ${label} ${shownName(names.get(target))}`}>why</a></li>`),
    ...[...names.keys()].filter((id) => !spoken.has(id)).map((id) => html`<li data-row=${id}>${link(id)}</li>`),
  ];
}

function drawn({ places, across, rows }, centre, width) {
  const hops = Math.max(...[...places.values()].map(({ hop }) => hop)) + 1;
  const margin = Math.max(14, Math.min(40, width / 20));
  const step = (width - 8) / hops;
  const wide = Math.min(step - margin, 240);
  const at = ({ hop, row }) => [hop * step + 1, row * HIGH + HIGH / 2];
  const curve = (from, to, name) => {
    const [[x1, y1], [x2, y2]] = [at(from), at(to)];
    const half = (x1 + wide + x2) / 2;
    return shape("path", { class: name, d: `M${x1 + wide} ${y1}C${half} ${y1} ${half} ${y2} ${x2} ${y2}` });
  };
  const other = ({ source, target }) => {
    const [from, to] = [places.get(source), places.get(target)].sort((a, b) => a.hop - b.hop);
    if (from.hop !== to.hop) return curve(from, to, "line across");
    const [[x1, y1], [x2, y2]] = [at(from), at(to)];
    const bend = x1 + wide + margin;
    return shape("path", { class: "line across", d: `M${x1 + wide} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2 + wide} ${y2}` });
  };
  const all = [...places.values()];
  const words = `${count(all.length - 1, "name")} besides ${shownName(centre)}, two steps away at most. Each is a link that puts it in the middle; a list beneath says the same, and what is further away.`;
  const box = (place) => node(place, at(place), wide, place.node === centre);
  return picture({ title: `Around ${shownName(centre)}`, words, width, height: rows * HIGH, role: "group" }, all.filter(({ parent }) => parent).map((place) => curve(places.get(place.parent), place, "line")), across.map(other), all.map(box));
}

function node({ node: one, edge, parent }, [x, y], wide, first) {
  const letters = Math.floor((wide - 26) / LETTER);
  const label = edge && (edge.source === parent ? edge.label : `${edge.label} ←`);
  const top = y - BOX / 2;
  const line = (dy, name, text) => shape("text", { x: x + 22, y: top + dy, class: name }, text);
  return shape(
    "a",
    { href: address(one.id), class: first ? "centre" : null, "aria-label": [shownName(one), one.kind, label].filter(Boolean).join(", ") },
    shape("title", {}, [shownName(one), label].filter(Boolean).join(": ")),
    shape("rect", { x, y: top, width: wide, height: BOX, rx: 6 }),
    shape("text", { x: x + 7, y: top + (label ? 15 : 22), class: "kind-mark" }, MARKS[one.kind] ?? "◆"),
    line(label ? 15 : 22, "name", shortened(shownName(one), letters)),
    label && line(28, "label", shortened(label, letters)),
  );
}

/* Where people and things stand around one of them: two hops as a tree that lies on its side, no force and no chance. */

/** So many rows are seen at once. */
const TALL = 10;

/**
 * `nodes` and `edges` of the graph with `centre` first, as `places` of {node, hop, row, edge, parent, children}, each in a
 * row of its own or beside those that hang on it, `across` (the edges that are no branch of a tree), and `rows`. What is
 * not connected begins a tree of its own below; what is further away than `hops` has no place.
 */
function trees(nodes, edges, centre, hops = 2) {
  const near = neighbours(nodes, edges);
  const places = new Map();
  const known = new Map(nodes.map((node) => [node.id, node]));
  const more = (a, b) => near.get(b).length - near.get(a).length || known.get(a).name.localeCompare(known.get(b).name);
  const hang = (id, given) => places.set(id, { node: known.get(id), children: [], edge: null, parent: null, hop: 0, ...given });
  const grow = (root) => {
    hang(root, {});
    for (const id of reached(root)) {
      const { hop, children } = places.get(id);
      for (const [other, edge] of hop < hops ? near.get(id).toSorted(([a], [b]) => more(a, b)) : [])
        if (!places.has(other)) children.push(hang(other, { hop: hop + 1, edge, parent: id }) && other);
    }
  };
  /** Breadth first, also what is hung on it meanwhile. */
  function* reached(root) {
    for (const waiting = [root]; waiting.length; ) {
      const id = waiting.shift();
      yield id;
      waiting.push(...places.get(id).children);
    }
  }
  const roots = [];
  const seen = new Set();
  for (const id of [centre, ...[...known.keys()].sort(more)]) if (!seen.has(id)) connected(near, id, seen) && roots.push(id) && grow(id);
  const branches = new Set([...places.values()].map(({ edge }) => edge));
  return { places, rows: stand(places, roots), across: unlike(edges, branches, places) };
}

/** The one most is said of. */
function centreOf(nodes, edges) {
  const near = neighbours(nodes, edges);
  return nodes.toSorted((a, b) => near.get(b.id).length - near.get(a.id).length || a.name.localeCompare(b.name))[0]?.id;
}

/** [other, edge] of each node, both ways. */
function neighbours(nodes, edges) {
  const near = new Map(nodes.map(({ id }) => [id, []]));
  for (const edge of edges) {
    const { source, target } = edge;
    if (source === target || !near.has(source) || !near.has(target)) continue;
    near.get(source).push([target, edge]);
    near.get(target).push([source, edge]);
  }
  return near;
}

/** Adds to `seen` what is connected with a node. */
function connected(near, id, seen) {
  for (const waiting = [id]; waiting.length; ) {
    const one = waiting.pop();
    if (!seen.has(one)) waiting.push(...near.get(one).map(([other]) => other));
    seen.add(one);
  }
  return seen;
}

/** Give each its row: in the middle of what hangs on it, or at its top where that is much; returns how many there are. */
function stand(places, roots) {
  let next = 0;
  const put = (id) => {
    const place = places.get(id);
    const rows = place.children.map(put);
    const last = rows.at(-1) - rows[0] > TALL ? rows[0] : rows.at(-1);
    return (place.row = rows.length ? (rows[0] + last) / 2 : next++);
  };
  roots.forEach(put);
  return next;
}

/** Each pair once, and none that a branch shows already. */
function unlike(edges, branches, places) {
  const pair = ({ source, target }) => [source, target].sort().join(" ");
  const seen = new Set([...branches].filter(Boolean).map(pair));
  const there = ({ source, target }) => source !== target && places.has(source) && places.has(target);
  return edges.filter((edge) => there(edge) && !seen.has(pair(edge)) && seen.add(pair(edge)));
}
