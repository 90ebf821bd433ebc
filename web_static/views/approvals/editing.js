/** Changing what was proposed, before one decides: the server says anew what it would do, and that is what is shown. */

import { api, segment } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { html } from "../../core/html.js";
import { commits } from "../../core/keys.js";

/** A form with the arguments in it. `done(approval)` gets the approval as it then is, or nothing when it was left. */
export function editing(approval, done, signal) {
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
  form.addEventListener("keydown", (event) => {
    if (commits(event)) (event.preventDefault(), form.requestSubmit());
    else if (event.key === "Escape") (event.preventDefault(), event.stopPropagation(), leave());
  });
  return form;
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
