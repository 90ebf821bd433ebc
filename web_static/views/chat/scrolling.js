/** Where the reader stands: the view follows what is written only while the end is in sight. */

import { selecting } from "../../core/focus.js";
import { html } from "../../core/html.js";

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
