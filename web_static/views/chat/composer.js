/** Where one writes: Enter sends on a desk and breaks the line on touch; what is not sent is kept. */

import { ulid } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { html } from "../../core/html.js";
import { commits, selecting } from "../../core/keys.js";

const desk = matchMedia("(hover: hover) and (pointer: fine)");

export class Composer {
  /** `send({text, key})` and `stop()` are what its button does. */
  constructor(send, stop) {
    this.field = html`<textarea rows="1" placeholder="Ask, or say what to do…" aria-label="Message" maxlength="32000" enterkeyhint=${desk.matches ? "send" : "enter"}></textarea>`;
    this.button = html`<button class="primary"></button>`;
    this.waiting = new Map();
    this.running = false;
    const submit = (event) => {
      event.preventDefault();
      if (this.running) return stop();
      const text = this.field.value.trim();
      if (!text) return this.focus();
      const message = { text, key: (this.stored?.text === text && this.stored.key) || ulid() };
      this.stored = null; // the same words once more are another message
      this.field.value = "";
      send(message);
    };
    this.element = html`<form class="composer" data-writes onsubmit=${submit} oninput=${() => this.kept.touch()}>${this.field}${this.button}</form>`;
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
    this.waiting = new Map();
    const read = () => {
      const said = [...this.waiting.values()];
      const text = [...said.map((one) => one.text), this.field.value].filter(Boolean).join("\n\n");
      return { text, key: said.length === 1 && !this.field.value ? said[0].key : undefined };
    };
    this.kept = draft({ surface: "chat", object: id || "new", read, signal });
    this.stored = this.kept.stored?.value;
    this.field.value = this.stored?.text ?? "";
  }

  /** All that is here belongs to a session that was just made for it. */
  moves(id, signal) {
    const { waiting, field: { value } } = this;
    this.kept.clear();
    this.of(id, signal);
    this.waiting = waiting;
    this.field.value = value;
    this.kept.touch();
  }

  /** What was said and is not with the server yet. */
  waits(message) {
    this.waiting.set(message.key, message);
    this.kept.touch();
  }

  /** The server has the message of this key: it is kept here no more, be it from before the page was loaded. */
  arrived(key) {
    if (key === undefined) return;
    const { stored } = this;
    const before = stored?.key === key;
    if (before) this.stored = null;
    if (before && this.field.value === stored.text) this.field.value = "";
    if (!this.waiting.delete(key) && !before) return;
    if (this.waiting.size || this.field.value) this.kept.touch();
    else this.kept.clear();
  }

  /** It was taken back: it is text to be written on. */
  back({ text, key }) {
    this.waiting.delete(key);
    this.put(text);
    this.stored = { text, key };
  }

  put(text) {
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

/* Where the reader stands: the view follows what is written only while the end is in sight. */

const NEAR = 48;

export class Scrolling {
  constructor(log, content) {
    Object.assign(this, { log, following: true, left: false, top: 0 });
    this.pill = html`<button type="button" class="pill" hidden onclick=${() => this.end()}>↓ New</button>`;
    new ResizeObserver(() => this.grew()).observe(content);
    new ResizeObserver(() => this.grew()).observe(log);
    const leave = () => (this.following = !(this.left = true));
    log.addEventListener("wheel", ({ deltaY }) => deltaY < 0 && leave(), { passive: true });
    log.addEventListener("touchmove", leave, { passive: true });
    log.addEventListener("keydown", ({ key }) => ["PageUp", "ArrowUp", "Home"].includes(key) && leave());
    log.addEventListener("pointerdown", ({ target }) => target === log && leave());
    document.addEventListener("selectionchange", () => selecting(log) && leave());
    log.addEventListener("scroll", () => this.moved(), { passive: true });
  }

  get below() {
    return this.log.scrollHeight - this.log.clientHeight - this.log.scrollTop;
  }

  /** The same place again, after it was taken out of the document and put back. */
  restore() {
    this.to(this.following ? this.log.scrollHeight : this.top);
  }

  to(top) {
    this.log.scrollTop = top;
    this.top = this.log.scrollTop;
  }

  /** It was moved by its reader: what is told of a place to which it was put here may be told late, and changes nothing. */
  moved() {
    const by = this.log.scrollTop - this.top;
    if (!by) return;
    this.top += by;
    if (by < 0 && this.below > NEAR) this.following = !(this.left = true);
    if (this.below > (this.left ? 2 : NEAR) || selecting(this.log)) return;
    this.following = !(this.left = false);
    this.pill.hidden = true;
  }

  grew() {
    if (this.following) this.to(this.log.scrollHeight);
    else this.pill.hidden = this.below <= NEAR;
  }

  end() {
    this.following = !(this.left = false);
    this.pill.hidden = true;
    this.grew();
  }

  /** Put a question at the top, with room for its answer. */
  pin(turn) {
    for (const other of turn.parentElement.children) other.style.minHeight = "";
    turn.style.minHeight = `${this.log.clientHeight - 32}px`;
    this.end();
  }
}
