/** Which passage of a text bears out a sentence: the one that shares most of its words. */

const LONGEST = 400;

const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);

/** The sentence of `text` closest to `saying`, word for word; empty when none shares a third of its words. */
export function closest(text, saying) {
  const wanted = wordsOf(saying);
  let [best, most] = ["", wanted.size / 3];
  for (const sentence of text.split(/(?<=[.!?])\s+|\n+/)) {
    const shared = [...wordsOf(sentence)].filter((word) => wanted.has(word)).length;
    if (shared > most) [best, most] = [sentence.replace(/^[#>*\-\s]+/, "").trim(), shared];
  }
  return best.slice(0, LONGEST);
}

/** Mark a passage in what is shown, and return its element; null when it is not there. */
export function markPassage(root, passage) {
  const wanted = passage.replace(/[*_`]/g, "").slice(0, 80);
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const at = node.data.indexOf(wanted);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, Math.min(node.length, at + passage.length));
    const mark = document.createElement("mark");
    range.surroundContents(mark);
    return mark;
  }
  return null;
}
