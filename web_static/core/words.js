/** Words and numbers for people. */

/** The title of a note, or what stands for one that lacks: the first line with words, as the server has it. */
export function nameOf({ title, body = "" }) {
  const lines = body.split("\n").map((line) => line.replace(/^[#\s]+|[#\s]+$/g, ""));
  return title || lines.find(Boolean)?.slice(0, 200) || "(empty)";
}

/** Plain words of the first paragraph that says something: a heading only where there is nothing else. */
export function excerptOf(body) {
  const lines = body.split("\n").filter((line) => line.trim() && !/^[#\s|:=-]+$/.test(line));
  const line = lines.find((one) => !one.startsWith("#")) ?? lines[0]?.replace(/^#+\s*/, "") ?? "";
  const named = line.replace(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1");
  const words = named.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "").replace(/\s*\|[\s|]*/g, " ").replace(/(?<=^|\s):?-{3,}:?(?=\s|$)/g, "").trim();
  return words.replace(/ ?\[\d{1,4}\]/g, "").replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*_`>]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, "");
}

/** The tags in a text: separated by blanks or commas, with or without #. */
export function tagsOf(text) {
  const tags = text.split(/[\s,]+/).map((tag) => tag.replace(/^#+/, "").toLowerCase());
  return [...new Set(tags.filter(Boolean))];
}

export const count = (n, one, many = `${one}s`) => `${n.toLocaleString()} ${n === 1 ? one : many}`;

export const dollars = (usd) => (usd > 0 && usd < 0.01 ? "under $0.01" : `$${usd.toFixed(2)}`);

/** The host of an address, as it is to be shown; empty for none. */
export function hostOf(address) {
  try {
    return new URL(address).host;
  } catch {
    return "";
  }
}
