/** What waits for a word: plans of research, and proposed changes, to be approved exactly as shown, edited first, or rejected. */

import { wordsCompared } from "../../components/diff/diff.js";
import { planCard } from "../../components/plan/plan.js";
import { plans, tellApprovals } from "../../components/rail/rail.js";
import { status as shownStatus } from "../../components/tags/tags.js";
import { press, toast } from "../../components/toasts/toasts.js";
import { api, query, segment } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { keepFresh } from "../../core/fresh.js";
import { arrange, html, put } from "../../core/html.js";
import { committing, focusOn } from "../../core/keys.js";
import { moment } from "../../core/words.js";

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
    tellApprovals(planned.length + open.length);
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
  const make = async (kind) => {
    const { message, note_id } = await api.post(`/routines/${kind}/run`);
    return note_id ? html`${message || "It is written."} <a href=${`#/notes/${segment(note_id)}`}>Read it</a>` : message;
  };
  const buttons = ROUTINES.map(([kind, name]) => html`<button type="button" data-writes onclick=${(event) => press(event, "Not made", () => make(kind), refresh)}>${name}</button>`);
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

/* Changing what was proposed, before one decides: the server says anew what it would do, and that is what is shown. */

/** A form with the arguments in it. `done(approval)` gets the approval as it then is, or nothing when it was left. */
function editing(approval, done, signal) {
  const { id, edits, arguments: given } = approval;
  let fields = fieldsOf(given);
  const kept = draft({ surface: "approval", object: id, revision: String(edits), read: () => fields.read(), signal });
  if (kept.stored?.revision === String(edits)) fields = fieldsOf(kept.stored.value);
  const problem = html`<p class="problem" role="alert"></p>`;
  const button = html`<button class="primary">Show what it would do</button>`;
  const leave = () => (kept.clear(), done());
  const submit = async (event) => {
    event.preventDefault();
    button.disabled = true;
    problem.textContent = "";
    try {
      const answer = await api.patch(`/approvals/${segment(id)}`, { arguments: fields.read(), edits });
      kept.clear();
      done(answer.approval);
    } catch (error) {
      button.disabled = false;
      problem.textContent = `Not changed: ${error.message}`;
    }
  };
  const form = html`<form class="stack" onsubmit=${submit} oninput=${kept.touch}>${fields.element}${problem}
    <div class="row">${button}<button type="button" onclick=${leave}>Cancel</button></div>
  </form>`;
  return committing(form, leave);
}

/* The arguments of a call as fields that can be changed, whatever their shape. */

const DAY = /^\d{4}-\d\d-\d\d$/;
const FIRST = ["title", "goal", "summary", "body", "notes", "due"];
const FIXED = /(^|_)id$/;

/** {element, read} of a value: `read()` is the value as it now stands in the fields. Names that end in id stay as they are. */
function fieldsOf(value, name = "") {
  if (FIXED.test(name)) return fixed(name, value);
  if (Array.isArray(value)) return value.some((one) => one && typeof one === "object") ? several(name, value) : words(name, value);
  if (value && typeof value === "object") return group(name, value);
  if (typeof value === "boolean") return check(name, value);
  return text(name, value);
}

const rank = (name) => (FIRST.indexOf(name) + 1 || FIRST.length + 1);
const said = (name) => name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());

const fixed = (name, value) => ({ read: () => value, element: html`<p class="meta">${said(name)}: <code>${value}</code></p>` });

function text(name, value) {
  const shown = value ?? "";
  const long = typeof value === "string" && (name === "body" || value.length > 80 || value.includes("\n"));
  const kind = typeof value === "number" ? "number" : DAY.test(shown) || name === "due" ? "date" : "text";
  const field = long ? html`<textarea rows="6" .value=${shown}></textarea>` : html`<input type=${kind} step="any" .value=${String(shown)} autocomplete="off" />`;
  const read = () => (typeof value === "number" ? Number(field.value) : field.value === "" && (value === null || kind === "date") ? null : field.value);
  return { read, element: html`<label class="field"><span>${said(name)}</span>${field}</label>` };
}

function check(name, value) {
  const field = html`<input type="checkbox" checked=${value} />`;
  return { read: () => field.checked, element: html`<label class="choice">${field} ${said(name)}</label>` };
}

function words(name, value) {
  const field = html`<input .value=${value.join(", ")} autocomplete="off" autocapitalize="off" spellcheck="false" />`;
  const read = () => field.value.split(",").map((one) => one.trim()).filter(Boolean);
  return { read, element: html`<label class="field"><span>${said(name)}, separated by commas</span>${field}</label>` };
}

function group(name, value) {
  const parts = Object.entries(value).sort(([one], [other]) => rank(one) - rank(other)).map(([key, one]) => [key, fieldsOf(one, key)]);
  const read = () => Object.fromEntries(parts.map(([key, part]) => [key, part.read()]));
  return { read, element: html`<fieldset class="stack">${name && html`<legend class="meta">${said(name)}</legend>`}${parts.map(([, part]) => part.element)}</fieldset>` };
}

function several(name, value) {
  const parts = value.map((one, n) => fieldsOf(one, `${said(name).replace(/s$/, "")} ${n + 1}`));
  const list = html`<div class="stack"></div>`;
  const remove = (part) => {
    if (parts.length === 1) return;
    parts.splice(parts.indexOf(part), 1);
    part.whole.remove();
    list.querySelector("input, textarea")?.focus();
  };
  for (const part of parts) {
    part.whole = html`<div class="stack part">${part.element}<div><button type="button" class="quiet" onclick=${() => remove(part)}>Leave this one out</button></div></div>`;
    list.append(part.whole);
  }
  return { read: () => parts.map((part) => part.read()), element: list };
}
