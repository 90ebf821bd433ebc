/** The chats there are: to open, rename and delete. */

import { toast } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { moment } from "../../core/words.js";

const deleted = new Set();

export class Sessions {
  /** `open(id)` opens one; `current()` is the one that is open. */
  constructor(open, current) {
    Object.assign(this, { open, current });
    this.element = html`<div class="sessions" hidden></div>`;
  }

  async show() {
    this.element.hidden = false;
    try {
      this.all = (await api.get("/chat/sessions?limit=50")).sessions;
      this.draw();
    } catch (error) {
      put(this.element, html`<p class="problem" role="alert">${error.message}</p>`);
    }
  }

  draw() {
    const rows = this.all.filter(({ id }) => !deleted.has(id)).map((one) => this.row(one));
    put(this.element, rows.length ? html`<ul class="list">${rows}</ul>` : html`<p class="empty">No chats yet. Ask something below.</p>`);
  }

  row(one) {
    const name = one.title || "New chat";
    const row = html`<li>
      <button type="button" class="quiet name" aria-current=${one.id === this.current() && "true"} onclick=${() => this.open(one.id)}>${name}</button>
      <p class="meta row">${moment(one.updated_at)}${one.running_turn_id && html`<span class="state running">answering</span>`}
        <button type="button" class="quiet" data-writes aria-label=${`Rename ${name}`} onclick=${() => this.rename(row, one)}>Rename</button>
        <button type="button" class="quiet" data-writes aria-label=${`Delete the chat ${name}`} onclick=${() => this.remove(one, name)}>Delete</button></p>
    </li>`;
    return row;
  }

  rename(row, one) {
    const field = html`<input aria-label="Title of the chat" maxlength="200" .value=${one.title} />`;
    const problem = html`<p class="problem" role="alert"></p>`;
    const save = async (event) => {
      event.preventDefault();
      try {
        Object.assign(one, (await api.patch(`/chat/sessions/${segment(one.id)}`, { title: field.value })).session);
        this.draw();
      } catch (error) {
        problem.textContent = error.message;
      }
    };
    put(row, html`<form class="row" onsubmit=${save}>${field}<button class="primary">Save</button><button type="button" onclick=${() => this.draw()}>Cancel</button>${problem}</form>`);
    field.select();
  }

  /** It stays on the server until the notice has gone. */
  remove({ id }, name) {
    const restore = () => (deleted.delete(id), this.draw());
    const settle = ({ leaving }) =>
      api.remove(`/chat/sessions/${segment(id)}`, { keepalive: leaving }).catch((error) => {
        if (error.status !== 404) restore() ?? toast(`Not deleted: ${error.message}`);
      });
    deleted.add(id);
    this.draw();
    toast(`Deleted “${name}”.`, { undo: restore, settle });
    if (id === this.current()) this.open("", true);
  }
}
