/** A note in few words, and tags as they are typed. */

/** The title of a note, or what stands for one that lacks: the first line with words, as the server has it. */
export function nameOf({ title, body }) {
  const lines = body.split("\n").map((line) => line.replace(/^[#\s]+|[#\s]+$/g, ""));
  return title || lines.find(Boolean)?.slice(0, 200) || "(empty)";
}

/** The first line that says something: a heading only where there is nothing else. */
export function excerptOf(body) {
  const lines = body.split("\n").filter((line) => line.trim() && !/^[#\s|-]+$/.test(line));
  return lines.find((line) => !line.startsWith("#")) ?? lines[0]?.replace(/^#+\s*/, "") ?? "";
}

/** The tags in a text: separated by blanks or commas, with or without #. */
export function tagsOf(text) {
  const tags = text.split(/[\s,]+/).map((tag) => tag.replace(/^#+/, "").toLowerCase());
  return [...new Set(tags.filter(Boolean))];
}
