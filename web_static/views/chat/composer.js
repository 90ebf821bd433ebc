/** Where one writes: Enter sends on a desk and breaks the line on touch; what is not sent is kept. */

import { draft } from "../../core/drafts.js";
import { html } from "../../core/html.js";
import { commits } from "../../core/keys.js";
import { ulid } from "../../core/ulid.js";

const desk = matchMedia("(hover: hover) and (pointer: fine)");

export class Composer {
  /** `send({text, key})` and `stop()` are what its button does. */
  constructor(send, stop) {
    this.field = html`<textarea rows="1" placeholder="Ask, or say what to do…" aria-label="Message" maxlength="32000" enterkeyhint=${desk.matches ? "send" : "enter"}></textarea>`;
    this.button = html`<button class="primary"></button>`;
    this.waiting = null;
    this.running = false;
    const submit = (event) => {
      event.preventDefault();
      if (this.running) return stop();
      const text = this.field.value.trim();
      if (!text) return this.focus();
      const message = { text, key: this.stored?.text === text ? this.stored.key : ulid() };
      this.field.value = "";
      send(message);
    };
    this.element = html`<form class="composer" onsubmit=${submit} oninput=${() => this.kept.touch()}>${this.field}${this.button}</form>`;
    this.field.addEventListener("keydown", (event) => {
      const sends = event.key === "Enter" && !event.shiftKey && desk.matches && !event.isComposing && event.keyCode !== 229;
      if (!sends && !commits(event)) return;
      event.preventDefault();
      if (!this.running) this.element.requestSubmit();
    });
    this.turns(false);
  }

  /** The draft of another session. */
  of(id, signal) {
    this.waiting = null;
    const read = () => ({ text: [this.waiting?.text, this.field.value].filter(Boolean).join("\n\n"), key: this.waiting?.key });
    this.kept = draft({ surface: "chat", object: id || "new", read, signal });
    this.stored = this.kept.stored?.value;
    this.field.value = this.stored?.text ?? "";
  }

  /** What was said and is not with the server yet; null once it is. */
  waits(message) {
    this.waiting = message;
    if (message || this.field.value) this.kept.touch();
    else this.kept.clear();
  }

  put(text) {
    this.waiting = null;
    this.field.value = [text, this.field.value].filter(Boolean).join("\n\n");
    this.kept.touch();
    this.focus();
  }

  turns(running) {
    this.running = running;
    this.button.textContent = running ? "Stop" : "Send";
    this.button.title = running ? "." : "⌘Enter";
    this.button.classList.toggle("primary", !running);
  }

  focus() {
    this.field.focus({ preventScroll: true });
  }
}
