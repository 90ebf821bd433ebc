/** The chat: one a tab, beside the views or as a page, so that an answer goes on while its reader walks about. */

import { Composer, Scrolling } from "./composer.js";
import { Sessions } from "./sessions.js";
import { Transcript } from "./transcript.js";
import { alarm, say } from "../../components/toasts/toasts.js";
import { api, segment, send, ulid } from "../../core/api.js";
import { frames } from "../../core/connection.js";
import { follow } from "../../core/follow.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { key } from "../../core/keys.js";
import { session } from "../../core/preferences.js";

const PAGE = 200;
const EXAMPLES = ["What do my notes say about solar power?", "Remind me to call Anna by Friday", "Make a digest of today"];
let only = null;

export const panel = () => (only ??= new Panel());

class Panel {
  constructor() {
    this.transcript = new Transcript((text) => this.send({ text, key: ulid() }));
    this.composer = new Composer((message) => this.send(message), () => this.stop());
    this.sessions = new Sessions((id, stay) => this.open(id, stay), () => this.id);
    this.title = html`<button type="button" class="quiet name" aria-expanded="false" onclick=${() => this.list(this.sessions.element.hidden)}></button>`;
    this.whole = html`<a href="#/chat">Whole page</a>`;
    this.earlier = html`<button type="button" hidden onclick=${() => this.before()}>Earlier</button>`;
    this.notice = html`<div class="notices"></div>`;
    this.log = html`<div class="log" role="log" aria-live="off" aria-label="Conversation" tabindex="0">${this.earlier}${this.transcript.element}</div>`;
    this.scrolling = new Scrolling(this.log, this.transcript.element);
    this.element = html`<section class="chat" aria-label="Chat">
      <header class="row">${this.title}${this.whole}<button type="button" data-writes onclick=${() => this.open("")}>New</button></header>
      ${this.sessions.element}${this.log}<div class="under">${this.scrolling.pill}</div>${this.notice}${this.composer.element}
    </section>`;
    key(".", () => (this.running ? void this.stop() : false));
  }

  /** Be in this place; `moved(id)` hears which session is open. */
  async into(host, moved = () => {}) {
    this.moved = moved;
    this.whole.hidden = host.matches("main");
    if (this.element.parentElement !== host) host.append(this.element);
    this.scrolling.restore();
    if (this.id === undefined) await this.open(session.get());
    moved(this.id);
  }

  get path() {
    return `/chat/sessions/${segment(this.id)}`;
  }

  async open(id, stay = false) {
    if (!stay) this.list(false);
    if (id === this.id) return this.composer.focus();
    this.leaving?.abort();
    const { signal } = (this.leaving = new AbortController());
    session.set((this.id = id));
    Object.assign(this, { posting: null, following: null });
    this.composer.of(id, signal);
    this.runs(null);
    put(this.notice);
    this.transcript.leave();
    this.named("");
    this.moved(id);
    if (!id) return this.empty();
    await this.load().catch((error) => this.trouble(error));
    keepFresh(() => api.get(`${this.path}?limit=1`, signal), (answer) => this.reconcile(answer), signal)().catch(() => {});
  }

  /** What the server has of it: at the beginning, and after anything that may have been missed. */
  async load(again = false) {
    const { id } = this;
    const { session: one } = await api.get(`${this.path}?html=1&limit=${PAGE}`, this.leaving.signal);
    if (id !== this.id) return;
    this.notice.querySelector(".bad")?.remove();
    const [from, to] = [one.trace[0]?.seq ?? 0, one.trace.at(-1)?.seq ?? 0];
    if (this.transcript.first > to + 1 && !again) return this.load(true); // what was said meanwhile does not follow on it
    this.ahead(one.trace.filter(({ seq }) => seq < this.transcript.first), one.more_before);
    if (to < this.transcript.seq) return; // it is older than what is here
    if (from > this.transcript.seq + 1) this.transcript.clear();
    if (from === (this.transcript.first || from)) this.earlier.hidden = !one.more_before;
    this.named(one.title);
    for (const event of one.trace) this.take(event, false);
    if (one.draft && !this.posting) this.transcript.draft({ iteration: -1, text: one.draft });
    this.runs(one.running_turn_id);
    if (this.running && !this.posting) this.follow();
    else if (!this.running && this.posting && !this.composer.waiting.has(this.posting.key)) this.posting.abort(); // a stream that does not end
    this.empty();
  }

  /** What stands before all that is here: an answer may have begun before its conversation was loaded. */
  ahead(events, more) {
    if (!events.length) return;
    for (const { type, data } of events) if (type === "user_message") this.arrived(data.key);
    this.transcript.ahead(events);
    this.events = [...events, ...this.events];
    this.earlier.hidden = !more;
  }

  /** Another tab, or the end of a turn whose stream was lost. */
  reconcile({ session: { title, running_turn_id, trace } }) {
    this.named(title);
    const last = trace.at(-1)?.seq ?? 0;
    const missed = last > this.transcript.seq && !this.following && (!this.posting || !running_turn_id);
    if (missed || (running_turn_id && !this.running)) this.load().catch(() => {});
  }

  async before() {
    const known = this.events;
    const { session: one } = await api.get(`${this.path}?html=1&limit=${PAGE}&before=${this.transcript.first}`, this.leaving.signal);
    const height = this.log.scrollHeight;
    this.events = [...one.trace, ...known];
    this.transcript.redraw(this.events);
    this.earlier.hidden = !one.more_before;
    this.log.scrollTop += this.log.scrollHeight - height;
  }

  follow() {
    const turn = (this.following = this.running);
    const ended = ({ event, data }) => event === "trace" && data.type === "turn_ended" && data.data.turn_id === turn;
    const over = (error) => {
      this.following = null;
      if (error) this.trouble(error);
    };
    follow(`${this.path}/events?html=1`, { cursor: this.transcript.seq, take: (frame) => this.frame(frame), ended, signal: this.leaving.signal }).then(() => over(), over);
  }

  frame({ event, data }) {
    if (event === "trace") this.take(data);
    else if (event === "done") this.named(data.session.title);
    else if (this.transcript[event]) this.transcript[event](data);
  }

  /** Draw an event, once; one that has just happened is told as well. */
  take(event, now = true) {
    const { type, data } = event;
    if (!this.transcript.take(event)) return;
    this.events = event.seq === this.transcript.first ? [event] : [...this.events, event];
    if (type === "user_message") this.arrived(data.key);
    if (type === "user_message" && now) this.begun(data);
    if (type !== "turn_ended" || this.running !== data.turn_id) return;
    this.notice.querySelector(".warn")?.remove();
    say(data.status === "completed" ? "The answer is there." : `The answer ${data.status === "failed" ? "failed" : "was stopped"}.`);
    this.runs(null);
  }

  /** The server has the message of this key. */
  arrived(key) {
    this.transcript.withdraw(key);
    this.composer.arrived(key);
  }

  begun({ turn_id, text }) {
    if (!this.title.dataset.given) this.named(text.slice(0, 60));
    this.runs(turn_id);
  }

  runs(turn) {
    this.running = turn;
    this.composer.turns(this.busy);
  }

  get busy() {
    return Boolean(this.running || this.posting);
  }

  async send(message) {
    put(this.notice);
    if (this.busy) {
      if (!this.composer.waiting.has(message.key)) this.composer.back(message); // what stands unsent above stays there
      return this.meanwhile();
    }
    this.list(false);
    this.composer.waits(message);
    this.scrolling.pin(this.transcript.said(message, html`<span class="meta">Sending…</span>`));
    const posting = (this.posting = Object.assign(new AbortController(), { key: message.key }));
    this.composer.turns(true);
    try {
      if (!this.id) await this.create(posting);
      const signal = AbortSignal.any([posting.signal, this.leaving.signal]);
      await this.answered(await send("POST", `${this.path}/messages?html=1`, { body: { text: message.text }, key: message.key, headers: { Accept: "text/event-stream" }, signal }), message.key);
    } catch (error) {
      if (this.posting === posting) this.failed(message, error);
    }
    if (this.posting !== posting) return;
    this.posting = null;
    this.composer.turns(this.busy);
    if (this.running) this.follow();
  }

  /** Something else is being answered. */
  meanwhile() {
    put(this.notice, html`<p class="notice warn">Another message is being answered. Send yours when it is over, or stop it.</p>`);
  }

  async create(posting) {
    const { session: one } = await api.post("/chat/sessions", {}, { key: posting.key });
    if (this.posting !== posting) throw new DOMException("The chat was left.", "AbortError");
    session.set((this.id = one.id));
    this.leaving.abort();
    const { signal } = (this.leaving = new AbortController());
    this.composer.moves(one.id, signal);
    this.moved(one.id);
    keepFresh(() => api.get(`${this.path}?limit=1`, signal), (answer) => this.reconcile(answer), signal)().catch(() => {});
  }

  /** The stream of the answer, until the turn is over or the connection is. */
  async answered(response, key) {
    say("Asked.");
    for await (const frame of frames(response.body)) {
      this.frame({ ...frame, data: JSON.parse(frame.data) });
      if (frame.event === "done") return this.arrived(key);
    }
    if (this.composer.waiting.has(key)) throw new Error("The connection was lost.");
  }

  /** What was said and did not arrive is kept where it stands; a turn under way elsewhere is followed. */
  failed(message, error) {
    if (!this.composer.waiting.has(message.key)) return;
    const back = () => {
      this.transcript.withdraw(message.key);
      this.composer.back(message);
      this.empty();
    };
    if (error.status === 409) {
      back();
      this.meanwhile();
      this.load().catch(() => {});
      return;
    }
    const why = `Not sent: ${error.name === "AbortError" ? "you stopped it." : error.message}`;
    alarm(why);
    const again = html`<button type="button" onclick=${() => this.send(message)}>Retry</button>`;
    this.transcript.said(message, [html`<span class="problem">${why}</span>`, again, html`<button type="button" onclick=${back}>Edit</button>`]);
  }

  async stop() {
    if (!this.running) return this.posting?.abort();
    this.composer.button.disabled = true;
    try {
      await api.post(`${this.path}/cancel`);
      await this.load();
    } catch (error) {
      this.trouble(error);
    } finally {
      this.composer.button.disabled = false;
    }
  }

  list(open) {
    this.title.setAttribute("aria-expanded", String(open));
    this.log.hidden = open;
    if (open) this.sessions.show();
    else this.sessions.element.hidden = true;
  }

  named(title) {
    this.title.dataset.given = title;
    this.title.textContent = `${title || "New chat"} ▾`;
    this.whole.href = this.id ? `#/chat/${segment(this.id)}` : "#/chat";
  }

  empty() {
    const example = (text) => html`<li data-writes><button type="button" class="quiet" onclick=${() => this.send({ text, key: ulid() })}>${text}</button></li>`;
    this.transcript.empty(html`<div class="empty"><p>Ask your notes, or say what to write down, change or look into.</p><ul>${EXAMPLES.map(example)}</ul></div>`);
  }

  trouble(error) {
    if (error.name === "AbortError") return;
    const gone = error.status === 404;
    if (gone) session.set("");
    const act = gone ? () => this.open("") : () => this.load().catch((again) => this.trouble(again));
    put(this.notice, html`<div class="notice bad row" role="alert"><p>${gone ? "This chat is not there any more." : error.message}</p><button type="button" onclick=${act}>${gone ? "New chat" : "Try again"}</button></div>`);
  }
}
