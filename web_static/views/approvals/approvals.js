/** Changes that were proposed: what would become of what, to be approved exactly as shown or rejected. */

import { plans, waiting } from "./badge.js";
import { editing } from "./editing.js";
import { wordsCompared } from "../../components/diff/diff.js";
import { planCard } from "../../components/plan/plan.js";
import { status as shownStatus } from "../../components/tags/tags.js";
import { toast } from "../../components/toasts/toasts.js";
import { api, query, segment } from "../../core/api.js";
import { keepFresh } from "../../core/fresh.js";
import { arrange, html, put } from "../../core/html.js";
import { focusOn } from "../../core/keys.js";
import { moment } from "../../core/time.js";

const STATES = { approved: ["completed", "Approved"], rejected: ["cancelled", "Rejected"], stale: ["cancelled", "Out of date"], failed: ["failed", "Failed"] };
const BESIDE = 120;
const ROUTINES = [["digest", "Digest of today"], ["review", "Review of the week"]];

export async function show({ main, signal }) {
  const heading = html`<h1>Approvals</h1>`;
  const pending = html`<div class="stack"></div>`;
  const decided = html`<ul class="list"></ul>`;
  const earlier = html`<section class="stack"><h2>Decided</h2>${decided}</section>`;
  const load = async () => {
    const [planned, open, all] = await Promise.all([plans(signal), api.get(`/approvals${query({ status: "pending", limit: 50 })}`, signal), api.get("/approvals?limit=50", signal)]);
    return { planned, open: open.approvals, decided: all.approvals.filter(({ status }) => status !== "pending") };
  };
  const refresh = keepFresh(load, draw, signal);
  const decide = async (approval, card, how) => {
    const problem = card.querySelector(".problem");
    const buttons = card.querySelectorAll("button");
    buttons.forEach((one) => (one.disabled = true));
    try {
      toast((await api.post(`/approvals/${segment(approval.id)}/${how}`, how === "approve" ? { edits: approval.edits } : undefined)).message);
    } catch (error) {
      buttons.forEach((one) => (one.disabled = false));
      if (error.status !== 409 && error.status !== 404) return (problem.textContent = `Not decided: ${error.message}`);
      toast(error.message);
    }
    await settled();
  };
  const settled = async () => {
    await refresh().catch(() => {});
    focusOn(pending.querySelector("h2") ?? heading);
  };
  /** The form takes the place of what is shown and of its buttons: nothing is approved that nobody sees. */
  const edit = (approval, element) => {
    const done = (after = approval) => {
      const fresh = card(after, { decide, edit });
      element.replaceWith(fresh);
      focusOn(fresh.querySelector("h2"));
      refresh().catch(() => {});
    };
    element.querySelectorAll(".change, details, .decision, .problem").forEach((one) => one.remove());
    element.append(editing(approval, done, signal));
    element.querySelector("form :is(input, textarea)")?.focus();
  };
  function draw({ planned, open, decided: done }) {
    waiting(planned.length + open.length);
    const focused = document.activeElement?.closest?.("article");
    const known = new Map([...pending.children].map((one) => [one.dataset.approval ?? one.dataset.plan, one]));
    const plan = (one) => {
      const there = known.get(one.id);
      const name = ["Plan for ", html`<a href=${`#/operations/${segment(one.id)}`}>${one.title || "research"}</a>`];
      return Number(there?.dataset.revision) === one.plan.revision ? there : planCard(one, { name, done: settled, signal });
    };
    const kept = ({ id, edits }) => {
      const there = known.get(id);
      return there && (there.querySelector("form") || Number(there.dataset.edits) === edits) ? there : null;
    };
    const cards = [...planned.map(plan), ...open.map((one) => kept(one) ?? card(one, { decide, edit }))];
    arrange(pending, cards.length ? cards : [nothing()]);
    put(decided, done.map(row));
    earlier.hidden = !done.length;
    if (focused && !pending.contains(document.activeElement)) focusOn(pending.querySelector("h2") ?? heading);
  }
  const make = async ({ currentTarget }, kind) => {
    currentTarget.disabled = true;
    try {
      const { message, note_id } = await api.post(`/routines/${kind}/run`);
      toast(note_id ? html`${message || "It is written."} <a href=${`#/notes/${segment(note_id)}`}>Read it</a>` : message);
      await refresh();
    } catch (error) {
      toast(`Not made: ${error.message}`);
    }
    currentTarget.disabled = false;
  };
  const buttons = ROUTINES.map(([kind, name]) => html`<button type="button" data-writes onclick=${(event) => make(event, kind)}>${name}</button>`);
  put(main, html`<div class="row spread">${heading}<div class="row">${buttons}</div></div>`, pending, earlier);
  await refresh();
}

const nothing = () => html`<div class="empty"><p>Nothing waits for your word.</p><p class="meta">Plans of research wait here before money is spent, and routines propose changes, such as a task for what a digest found; make a digest to see.</p></div>`;

function card(approval, { decide, edit }) {
  const { id, title, reason, proposed_by, created_at, before, after, target, tool, edits, arguments: given } = approval;
  const by = proposed_by.startsWith("chat_sessions/") ? html`<a href=${`#/chat/${proposed_by.split("/")[1]}`}>a chat</a>` : proposed_by.replace(/^routine\/(\w+)-/, "the $1 of ");
  const place = target?.startsWith("notes/") && html`<a href=${`#/${target}`}>The note as it is</a>`;
  const element = html`<article class="card stack" data-approval=${id} data-edits=${edits}>
    <h2>${title}</h2>
    ${reason && html`<p>${reason}</p>`}
    <p class="meta row"><span>Proposed by ${by}</span>${moment(created_at)}${edits > 0 && html`<span class="kind">edited by you</span>`}${place}</p>
    ${Object.keys(after).map((name) => field(name, before[name], after[name], target))}
    <details><summary>Exactly what is run</summary><pre tabindex="0">${tool} ${JSON.stringify(given, null, 1)}</pre></details>
    <p class="problem" role="alert"></p>
    <div class="row decision" data-writes>
      <button type="button" class="primary" onclick=${() => decide(approval, element, "approve")}>Approve</button>
      <button type="button" onclick=${() => decide(approval, element, "reject")}>Reject</button>
      <button type="button" class="quiet" onclick=${() => edit(approval, element)}>Edit</button>
    </div>
  </article>`;
  return element;
}

/** A field before and after, side by side, what differs marked word by word. */
function field(name, before, after, target) {
  const [old, now] = [inWords(before), inWords(after)];
  const rows = [];
  for (const [sign, text] of wordsCompared(old, now)) {
    if (rows.at(-1)?.[0] === sign) rows.at(-1)[1] += text;
    else rows.push([sign, text]);
  }
  const cut = ([sign, text], n) => (sign === " " ? shortened(text, n === 0, n === rows.length - 1) : text);
  const side = (sign, Mark) => rows.flatMap((row, n) => (row[0] === " " ? [cut(row, n)] : row[0] === sign ? [Mark(row[1])] : []));
  const gone = side("-", (text) => html`<del>${text}</del>`);
  const come = side("+", (text) => html`<ins>${text}</ins>`);
  return html`<section class="change"><h3>${name.replaceAll("_", " ")}</h3><div class="sides">
    ${target && html`<div><p class="meta">Before</p><div class="text" tabindex="0">${old ? gone : html`<span class="meta">empty</span>`}</div></div>`}
    <div><p class="meta">${target ? "After" : "New"}</p><div class="text" tabindex="0">${now ? (target ? come : now) : html`<span class="meta">empty</span>`}</div></div>
  </div></section>`;
}

/** Long stretches that stay are cut to what stands beside a change. */
function shortened(text, first, last) {
  if (text.length < 3 * BESIDE) return text;
  const before = text.slice(0, BESIDE).replace(/\S+$/, "");
  const after = text.slice(-BESIDE).replace(/^\S+/, "");
  return `${first ? "" : before}…${last ? "" : after}`;
}

function inWords(value) {
  if (value === null || value === undefined || value === false) return value === false ? "no" : "";
  if (value === true) return "yes";
  if (Array.isArray(value)) return value.map(inWords).join(value.some((one) => typeof one === "object") ? "\n" : ", ");
  if (value.title) return [value.title, ...Object.entries(value).filter(([name, one]) => name !== "title" && one).map(([name, one]) => `${name}: ${inWords(one)}`)].join(" · ");
  if (typeof value === "object") return Object.entries(value).filter(([, one]) => one !== null && one !== "").map(([name, one]) => `${name}: ${inWords(one)}`).join(", ");
  return String(value);
}

function row({ title, status, decided_at, error, target }) {
  return html`<li>
    <p>${title}</p>
    <p class="meta row">${shownStatus(...STATES[status])}${decided_at && moment(decided_at)}${target?.startsWith("notes/") && html`<a href=${`#/${target}`}>Note</a>`}</p>
    ${error && html`<p class="meta">${error.message}</p>`}
  </li>`;
}
