/** Text while it is written: finished blocks as the server renders them, the rest as plain text, every 80 ms. */

import { html } from "../../core/html.js";
import { rendered } from "../../core/trusted.js";

const FLUSH_MILLISECONDS = 80;

export class Writing {
  constructor(iteration) {
    Object.assign(this, { iteration, text: "", timer: null });
    this.tail = html`<p class="tail"></p>`;
    this.element = html`<div class="reading answer">${this.tail}</div>`;
  }

  add(text) {
    this.text += text;
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MILLISECONDS);
  }

  /** A block is finished, and never drawn again; `tail` is what is written behind it. */
  freeze(markup, tail) {
    this.tail.before(rendered(markup));
    this.text = tail;
    this.flush();
  }

  /** The whole text, so far or at its end. */
  whole(markup) {
    this.text = "";
    this.flush();
    this.tail.remove();
    renew(this.element, markup);
    this.element.append(this.tail);
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    this.tail.textContent = this.text;
  }
}

/** Show this text; what is equal at its beginning is left as it stands, with a selection in it. */
function renew(element, markup) {
  const fresh = [...rendered(markup).childNodes];
  const old = [...element.childNodes];
  const differs = fresh.findIndex((node, n) => !old[n]?.isEqualNode(node));
  const same = differs < 0 ? fresh.length : differs;
  old.slice(same).forEach((node) => node.remove());
  element.append(...fresh.slice(same));
}
