/** Where people and things stand around one of them: two hops as a tree that lies on its side, no force and no chance. */

/** So many rows are seen at once. */
const HIGH = 10;

/**
 * `nodes` and `edges` of the graph around `centre`, as `places` of {node, hop, row, edge, parent}, each in a row of its
 * own or beside those that hang on it, `across` (the edges that are no branch of the tree), and `rows`.
 */
export function tree(nodes, edges, centre, hops = 2) {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const near = new Map(nodes.map(({ id }) => [id, []]));
  for (const edge of edges) {
    if (edge.source === edge.target || !known.has(edge.source) || !known.has(edge.target)) continue;
    near.get(edge.source).push([edge.target, edge]);
    near.get(edge.target).push([edge.source, edge]);
  }
  const places = new Map([[centre, { node: known.get(centre), hop: 0, edge: null, parent: null, children: [] }]]);
  for (const [id, place] of places) {
    if (place.hop >= hops) continue;
    for (const [other, edge] of near.get(id).sort((a, b) => ordered(known, near, a[0], b[0]))) {
      if (places.has(other)) continue;
      places.set(other, { node: known.get(other), hop: place.hop + 1, edge, parent: id, children: [] });
      place.children.push(other);
    }
  }
  const rows = stand(places, centre);
  const branches = new Set([...places.values()].map(({ edge }) => edge));
  const across = edges.filter((edge) => !branches.has(edge) && places.has(edge.source) && places.has(edge.target) && edge.source !== edge.target);
  return { places, across: unlike(across, branches), rows };
}

/** The one most is said of. */
export function centreOf(nodes, edges) {
  const degree = (id) => edges.filter(({ source, target }) => source === id || target === id).length;
  return nodes.toSorted((a, b) => degree(b.id) - degree(a.id) || a.name.localeCompare(b.name))[0]?.id;
}

const ordered = (known, near, a, b) => near.get(b).length - near.get(a).length || known.get(a).name.localeCompare(known.get(b).name);

/** Give each its row: in the middle of what hangs on it, or at its top where that is much; returns how many there are. */
function stand(places, centre) {
  let next = 0;
  const put = (id) => {
    const place = places.get(id);
    const rows = place.children.map(put);
    const last = rows.at(-1) - rows[0] > HIGH ? rows[0] : rows.at(-1);
    return (place.row = rows.length ? (rows[0] + last) / 2 : next++);
  };
  put(centre);
  return next;
}

/** Each pair once, and none that a branch shows already. */
function unlike(edges, branches) {
  const pair = ({ source, target }) => [source, target].sort().join(" ");
  const seen = new Set([...branches].filter(Boolean).map(pair));
  return edges.filter((edge) => !seen.has(pair(edge)) && seen.add(pair(edge)));
}
