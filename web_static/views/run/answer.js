/** The answer of a run: as it is written, and then the note that it became. */

import { fill } from "../../components/markdown/markdown.js";
import { isPlot, plot } from "../../components/plot/plot.js";
import { over } from "../../components/run/watching.js";
import { sources as listed, textOnly } from "../../components/sources/sources.js";
import { api, segment } from "../../core/api.js";
import { selecting } from "../../core/focus.js";
import { html, put } from "../../core/html.js";

/** Sources of steps as citations: an answer in the making names them by step and number. */
export const numbered = (sources) => sources.map(({ id, source }) => ({ ...source, n: id, quote: source.passage, resolved: true }));

export class Answer {
  constructor(signal) {
    this.signal = signal;
    this.text = html`<div class="reading"></div>`;
    this.plots = html`<div class="stack"></div>`;
    this.sources = html`<div></div>`;
    this.element = html`<section class="stack" hidden><h2>Answer</h2>${this.text}${this.plots}${this.sources}</section>`;
  }

  draw(run) {
    const { answer_html, answer_note_id, steps } = run;
    this.plotted(steps);
    if (over(run) && answer_note_id) return this.note(answer_note_id);
    if (answer_html) this.element.hidden = false;
    if (!answer_html || answer_html === this.shown || selecting(this.text)) return;
    this.shown = answer_html;
    fill(this.text, answer_html, numbered(steps.flatMap((step) => step.sources)));
  }

  /** What steps have drawn stands below the answer. */
  plotted(steps) {
    const found = steps.flatMap(({ steps: calls }) => calls.map(({ tool_output }) => tool_output)).filter(isPlot);
    if (found.length === this.plots.children.length) return;
    put(this.plots, found.map(plot));
    this.element.hidden = false;
  }

  async note(id) {
    if (this.noted === id) return;
    this.noted = id;
    try {
      const { note, html: markup } = await api.get(`/notes/${segment(id)}`, this.signal);
      fill(this.text, markup, note.citations);
      if (note.citations.length) textOnly(this.text);
      put(this.sources, listed(note));
    } catch (error) {
      if (error.name === "AbortError") return;
      put(this.text, html`<p class="meta">${error.status === 404 ? "The answer was deleted." : error.message}</p>`);
    }
    this.element.hidden = false;
  }
}
