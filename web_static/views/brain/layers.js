/** Where the agents stand in the picture: below those they wait for, and beside what they have nothing to do with. */

/**
 * `agents` by their depends_on as rows of [id, column] from the top, and the number of columns. A column may be a
 * fraction: an agent stands below the middle of those it waits for, as far as there is room. The largest group of what
 * is connected comes first, the others stand one below the other on its right.
 */
export function layers(agents) {
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
