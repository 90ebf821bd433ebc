/** Research while it goes on: its trace events in words, and its live steps on rows. */

import { follow, operationEnded } from "../../core/follow.js";
import { count, hostOf } from "../../core/words.js";

const VERBS = {
  created: "Asked for",
  execution_started: "Workflow started",
  start_failed: "Could not start",
  interaction_started: "Deep Research began",
  interaction_retried: "Began once more",
  thought: "Thought",
  search: "Searched",
  reading: "Read",
  writing: "Wrote",
  step: "Step",
  status: "Status",
  poll_error: "No answer",
  tagged_again: "Tagged again",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
  note_changed: "Changed",
  note_invalid: "Put right",
  plan_proposed: "Plan made",
  plan_edited: "Plan edited",
  plan_change_asked: "Asked for another plan",
  plan_approved: "Plan approved",
  plan_skipped: "No plan",
};

const TELL = {
  execution_started: ({ execution }) => execution?.split("/").pop(),
  interaction_started: ({ interaction_id, attempt }) => `${interaction_id}${attempt > 1 ? `, attempt ${attempt}` : ""}`,
  search: ({ queries }) => queries?.join("\n"),
  reading: ({ urls }) => urls?.join("\n"),
  writing: ({ characters }) => `${count(characters ?? 0, "character")} so far`,
  completed: ({ citations, unresolved }) => count(citations ?? 0, "source") + (unresolved ? `, ${unresolved} not resolved` : ""),
};

export const verb = ({ type }) => VERBS[type] ?? type.replaceAll("_", " ");

/** The data of an event for a reader: in words where they are known, else each field by its name. */
export function told({ type, data }) {
  if (TELL[type]) return TELL[type](data) ?? "";
  const text = data.text ?? data.message ?? data.title;
  if (typeof text === "string") return text;
  return Object.entries(data)
    .filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && !value.length))
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${typeof value === "object" ? JSON.stringify(value) : value}`)
    .join("\n");
}

const shortened = (text) => (text.length > 90 ? `${text.slice(0, 90).replace(/\s+\S*$/, "")}…` : text);

/** What a run does just now, in a few words; null for an event that says nothing of it. */
export function step({ type, data }) {
  if (type === "thought") return data.text ? shortened(data.text.split("\n")[0].replace(/[*#]/g, "")) : null;
  if (type === "search") return `searching: ${data.queries?.[0] ?? ""}`;
  if (type === "reading") return `reading ${hostOf(data.urls?.[0] ?? "") || count(data.urls?.length ?? 1, "page")}`;
  if (type === "writing") return "writing";
  if (type === "interaction_started" || type === "execution_started") return "beginning";
  if (type === "poll_error") return "the service does not answer, trying again";
  return null;
}

/** The live steps of running research, on whatever rows or notes it stands. */
export class Pending {
  constructor(list, signal) {
    Object.assign(this, { list, signal, steps: new Map(), followed: new Map() });
  }

  /** Follow these operations, and no others. */
  follow(operations) {
    const wanted = new Set(operations.map(({ id }) => id));
    for (const [id, stop] of this.followed) if (!wanted.has(id)) (stop.abort(), this.followed.delete(id));
    for (const { id, seq } of operations) {
      if (!this.followed.has(id)) this.begin(id, seq);
      this.draw(id);
    }
  }

  begin(id, seq) {
    const stop = new AbortController();
    this.followed.set(id, stop);
    const take = ({ data }) => {
      const words = step(data);
      if (words) this.steps.set(id, words);
      this.draw(id);
    };
    const signal = AbortSignal.any([this.signal, stop.signal]);
    follow(`/operations/${encodeURIComponent(id)}/events`, { cursor: Math.max(0, seq - 1), take, ended: operationEnded, signal }).catch(() => {});
  }

  draw(id) {
    const place = this.list.querySelector(`[data-operation="${CSS.escape(id)}"] .step`);
    if (place) place.textContent = this.steps.get(id) ?? "";
  }
}
