/** The form of a task, new or changed in its place; the day is typed or picked. */

import { html } from "../../core/html.js";
import { commits } from "../../core/keys.js";

/** `save(values)` may reject; the form then says why, and keeps what was typed. */
export function form(task, { save, close = null, remove = null, word = "Save" }) {
  const problem = html`<p class="problem" role="alert"></p>`;
  const title = html`<input name="title" aria-label=${close ? "Task" : "New task"} placeholder="What is to be done" .value=${task.title} maxlength="300" autocomplete="off" required />`;
  const due = html`<input name="due" type="date" aria-label="Due day" .value=${task.due ?? ""} />`;
  const notes = close && html`<textarea name="notes" aria-label="Notes" rows="2" placeholder="Notes" .value=${task.notes}></textarea>`;
  const button = html`<button class="primary">${word}</button>`;
  const submit = async (event) => {
    event.preventDefault();
    if (!title.value.trim()) return title.focus();
    button.disabled = true;
    problem.textContent = "";
    try {
      await save({ title: title.value, due: due.value || null, ...(notes && { notes: notes.value }) });
      if (!close) element.reset();
      title.focus();
    } catch (error) {
      problem.textContent = `Not saved: ${error.message}`;
    }
    button.disabled = false;
  };
  const element = html`<form class="task-form" onsubmit=${submit}>
    <div class="row">${title}${due}${!close && button}</div>${notes}${problem}
    ${close && html`<div class="row">${button}<button type="button" onclick=${close}>Cancel</button><button type="button" class="quiet" onclick=${remove}>Delete</button></div>`}
  </form>`;
  element.addEventListener("keydown", (event) => {
    if (commits(event)) element.requestSubmit();
    else if (event.key === "Escape" && close) (event.preventDefault(), event.stopPropagation(), close());
  });
  return element;
}
