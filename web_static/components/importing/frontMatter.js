/** Markdown with front matter, as Memex and others export it, as notes. */

const FENCE = /^---[ \t]*$/;
/** What the API takes off a tag too: with it a tag would pass for another one than it becomes. */
const AROUND = /^[#\s\x85]+|[\s\x85]+$/g;

/** The notes {title, body, tags} of a file; one that Memex wrote may hold several, each with its front matter. */
export function notesOf(text, name = "") {
  const lines = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n").split("\n");
  const starts = lines.flatMap((line, n) => (FENCE.test(line) && begins(lines, n) ? [n] : []));
  const pieces = starts[0] === 0 ? starts.map((start, n) => lines.slice(start, starts[n + 1])) : [lines];
  return pieces.map((piece) => noteOf(piece, pieces.length === 1 ? name : "")).filter(({ title, body }) => title || body);
}

/** Front matter begins the file, or is one of ours: its first line is an id. */
const begins = (lines, n) => (n === 0 && end(lines, 0) > 0) || (/^id: "/.test(lines[n + 1] ?? "") && lines[n - 1] === "");

const end = (lines, start) => lines.findIndex((line, n) => n > start && FENCE.test(line));

function noteOf(lines, name) {
  const close = FENCE.test(lines[0]) ? end(lines, 0) : -1;
  const given = close > 0 ? fields(lines.slice(1, close)) : {};
  let body = lines.slice(close + 1).join("\n").trim();
  let title = typeof given.title === "string" ? given.title : "";
  const heading = /^# (.+)(?:\n|$)/.exec(body);
  if (heading && (!title || heading[1].trim() === title)) [title, body] = [heading[1].trim(), body.slice(heading[0].length).trim()];
  const tags = [given.tags ?? given.tag ?? []].flat().flatMap((tags) => String(tags).split(",")).map((tag) => tag.replace(AROUND, "").toLowerCase().replace(/\s+/g, "-"));
  return { title: (title || name.replace(/\.(md|markdown|txt)$/i, "")).slice(0, 300), body, tags: [...new Set(tags.filter(Boolean))].slice(0, 50) };
}

/** The little of YAML that front matter uses: `name: value`, lists in one line, or an item a line. */
function fields(lines) {
  const found = {};
  let open = null;
  for (const line of lines) {
    const item = /^\s*-\s+(.*)$/.exec(line);
    const pair = /^([\w-]+):\s*(.*)$/.exec(line);
    if (item && open) (found[open] = [found[open] || []].flat()).push(plain(item[1]));
    else if (pair) found[(open = pair[1].toLowerCase())] = plain(pair[2]);
  }
  return found;
}

function plain(text) {
  const value = text.trim();
  if (/^["[{]/.test(value)) {
    try {
      return JSON.parse(value);
    } catch {
      if (value[0] === "[") return value.replace(/^\[|\]$/g, "").split(",").map(plain).filter(Boolean);
    }
  }
  return value.replace(/^(['"])(.*)\1$/, "$2");
}
