/** Settings: the token, the theme, the keys, where the page is connected, and ways in and out. */

import { choosing, importFiles } from "../../components/importing/importing.js";
import { say } from "../../components/toasts/toasts.js";
import { entered } from "../../core/access.js";
import { api, query, Refusal, segment, url } from "../../core/api.js";
import { save } from "../../core/copy.js";
import { html, put } from "../../core/html.js";
import { enabled } from "../../core/keys.js";
import { waiting } from "../../core/outbox.js";
import { api as address, keys, notices, theme, token } from "../../core/preferences.js";
import { go } from "../../core/router.js";
import { count, moment } from "../../core/words.js";

const THEMES = [["", "As the system"], ["light", "Light"], ["dark", "Dark"]];
const NOTICES = [["", "10 seconds"], ["30", "30 seconds"], ["stay", "Until they are closed"]];

export async function show({ main, signal }) {
  const state = html`<p class="row" role="status"></p>`;
  put(main, html`<h1>Settings</h1>`, connection(state, signal), token.get() && access(signal), appearance(), token.get() && usage(), inAndOut(await waiting()));
  await look(state, signal);
}

function connection(state, signal) {
  const field = html`<input type="url" placeholder=${placeOf("")} .value=${address.get()} autocomplete="off" spellcheck="false" />`;
  const save = (event) => {
    event.preventDefault();
    address.set(field.value === location.origin ? "" : field.value);
    look(state, signal);
  };
  return html`<section class="card stack">
    <h2>Connection</h2>
    ${state}
    <form class="stack" onsubmit=${save}>
      <label class="field"><span>Address of the API; empty when it is this page’s own</span>${field}</label>
      <div class="row"><button>Use it</button><a href=${url("/openapi.json")}>Description of the API</a></div>
    </form>
  </section>`;
}

const placeOf = (path) => new URL(url(path)).origin;

/** Say whether the API answers, and how quickly. */
async function look(state, signal) {
  const where = placeOf("");
  put(state, html`<span class="meta">Asking ${where}…</span>`);
  const began = performance.now();
  try {
    await api.get("/notes?limit=1", signal);
    const chat = placeOf("/chat");
    put(state, html`<span class="state completed"><span aria-hidden="true">✓</span> Connected</span><span class="meta">${where}, answered in ${Math.round(performance.now() - began)} ms${chat !== where && `; chats at ${chat}`}</span>`);
  } catch (error) {
    if (signal.aborted || !(error instanceof Refusal)) return;
    const word = !error.status ? "Not connected" : !token.get() ? "No token yet" : error.code === "token_expired" ? "Token expired" : error.unknownToken ? "Token not known" : "Refused";
    put(state, html`<span class="state failed"><span aria-hidden="true">✕</span> ${word}</span><span class="meta">${where}: ${error.message}</span>`);
  }
}

const MAY = { owner: "you may do everything, and let others in", member: "you may read, write, and begin what costs money", reader: "you may read, and change nothing; an owner can make you a member", operator: "you may make workspaces and pause all spending, from the command line; notes open with a token of their workspace" };

/** Who one is here, and until when. */
function access(signal) {
  const forget = () => {
    entered("");
    say("The token is forgotten.");
    go("#/notes");
  };
  const me = html`<p class="meta"></p>`;
  const until = (at) => at && [" It ends ", moment(at), "."];
  api.get("/me", signal).then(({ workspace, role, name, expires_at: at }) => put(me, `${workspace ? `Workspace ${workspace}, as` : "As"} ${name}, ${role}: ${MAY[role]}.`, until(at)), () => {});
  return html`<section class="card stack">
    <h2>Token</h2>
    <p>A token is kept in this browser. It gives access to your notes.</p>
    ${me}
    <div><button type="button" onclick=${forget}>Forget the token</button></div>
  </section>`;
}

function appearance() {
  const choose = (value) => {
    theme.set(value);
    if (value) document.documentElement.dataset.theme = value;
    else delete document.documentElement.dataset.theme;
  };
  const option = ([value, name]) => html`<label class="choice">
    <input type="radio" name="theme" value=${value} checked=${theme.get() === value} onchange=${() => choose(value)} /> ${name}
  </label>`;
  const stay = ([value, name]) => html`<option value=${value} selected=${notices.get() === value}>${name}</option>`;
  const toggle = ({ currentTarget }) => keys.set(currentTarget.checked ? "" : "off");
  return html`<section class="card stack">
    <h2>Look and keys</h2>
    <fieldset class="row"><legend class="meta">Theme</legend>${THEMES.map(option)}</fieldset>
    <label class="choice"><input type="checkbox" checked=${enabled()} onchange=${toggle} /> One-letter keys</label>
    <label class="row"><span>Notices with Undo stay</span><select onchange=${({ currentTarget }) => notices.set(currentTarget.value)}>${NOTICES.map(stay)}</select></label>
    <p class="meta"><a href="#/help">All keys</a></p>
  </section>`;
}

const usage = () => html`<section class="card stack"><h2>Usage</h2><p>What this month has cost, and how much of the quotas is left, and the switch that pauses all spending. <a href="#/usage">Usage</a></p></section>`;

function inAndOut(here) {
  const mark = `javascript:void open(${JSON.stringify(`${location.origin}/capture?`)}+new URLSearchParams({url:location.href,title:document.title,text:String(getSelection())}))`;
  const told = html`<p class="meta" role="status"></p>`;
  const known = Boolean(token.get());
  const taken = (files) => importFiles(files).then((made) => (told.textContent = made ? `${count(made, "note")} on their way.` : ""));
  return html`<section class="card stack">
    <h2>In and out</h2>
    <p>Drag this to your bookmarks, and write down any page: <a class="button" href=${mark} onclick=${(event) => event.preventDefault()}>Into Memex</a></p>
    <div class="row">${known && html`<span data-writes>${choosing("Import Markdown", ".md,.markdown,.txt", taken)}</span>`}
      <button type="button" onclick=${(event) => exportAll(event, told)} disabled=${!known}>Export all notes as Markdown</button></div>
    ${told}
    ${known && feedAddress()}
    <p class="meta">${here.length ? `${count(here.length, "note")} on this device wait for the server.` : "Nothing waits on this device."}
    ${here.length > 0 && html`<a href="#/notes">Look at them</a>`} <a href="#/trash">Deleted notes</a></p>
  </section>`;
}

/** Shown only when asked for: who knows it can read the notes. */
function feedAddress() {
  const place = html`<div class="stack"></div>`;
  const ask = async ({ currentTarget }) => {
    currentTarget.disabled = true;
    try {
      const { path } = await api.get("/feed");
      const field = html`<input readonly .value=${placeOf("") + path} onfocus=${({ currentTarget: one }) => one.select()} />`;
      put(place, html`<label class="field"><span>Atom feed for a feed reader. Who knows this address can read your notes.</span>${field}</label>`);
      field.focus();
    } catch (error) {
      currentTarget.disabled = false;
      put(place, html`<p class="problem" role="alert">${error.message}</p>`, currentTarget);
    }
  };
  put(place, html`<div><button type="button" onclick=${ask}>Show the address of the Atom feed</button></div>`);
  return place;
}

/* All notes as one Markdown file, each with its front matter. */

async function exportAll({ currentTarget }, state) {
  currentTarget.disabled = true;
  const texts = [];
  try {
    let cursor = null;
    do {
      const page = await api.get(`/notes${query({ limit: 200, cursor })}`);
      for (const { id } of page.notes) {
        texts.push(await api.text(`/notes/${segment(id)}.md`));
        if (texts.length % 10 === 0) state.textContent = `${count(texts.length, "note")} so far…`;
      }
      cursor = page.next_cursor;
    } while (cursor);
    save("memex.md", texts.join("\n\n"));
    state.textContent = `${count(texts.length, "note")} exported.`;
  } catch (error) {
    state.textContent = `Not exported: ${error.message}`;
  } finally {
    currentTarget.disabled = false;
  }
}
