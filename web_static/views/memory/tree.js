/** Where people and things stand around one of them: two hops as a tree that lies on its side, no force and no chance. */

/** So many rows are seen at once. */
const HIGH = 10;

/**
 * `nodes` and `edges` of the graph with `centre` first, as `places` of {node, hop, row, edge, parent, children}, each in a
 * row of its own or beside those that hang on it, `across` (the edges that are no branch of a tree), and `rows`. What is
 * not connected begins a tree of its own below; what is further away than `hops` has no place.
 */
export function trees(nodes, edges, centre, hops = 2) {
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
export function centreOf(nodes, edges) {
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
    const last = rows.at(-1) - rows[0] > HIGH ? rows[0] : rows.at(-1);
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
