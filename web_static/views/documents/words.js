/** Documents in words. */

import { status } from "../../components/tags/tags.js";
import { count } from "../../core/words.js";

const UNITS = ["bytes", "KB", "MB", "GB"];

/** "1.4 MB". */
export function size(bytes) {
  let [value, n] = [bytes, 0];
  while (value >= 1000 && n < UNITS.length - 1) [value, n] = [value / 1000, n + 1];
  return `${value.toLocaleString(undefined, { maximumFractionDigits: n && value < 10 ? 1 : 0 })} ${UNITS[n]}`;
}

/** Where a document is, as icon, word and colour. */
export function state({ status: name, position, pages, problems }) {
  if (name === "uploading") return status("running", "being sent");
  if (name === "extracting") return status("running", pages > 1 ? `reading, ${position.part} of ${pages}` : "reading");
  if (name === "failed") return status("failed", "not readable");
  return problems.length ? status("cancelled", `ready, ${count(problems.length, "problem")}`) : status("completed", "ready");
}

/** "12 pages", "3 sheets"; empty where it has none. */
export const parts = ({ type, pages }) => (pages ? count(pages, type === "xlsx" ? "sheet" : "page") : "");
