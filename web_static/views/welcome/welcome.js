/** Asks for the token, once; of a person in several workspaces, also which one is meant. */

import { entered, learn } from "../../core/access.js";
import { html, put } from "../../core/html.js";
import { flush } from "../../core/outbox.js";
import { workspace } from "../../core/preferences.js";
import { again, WRONG } from "../../core/router.js";

export function show({ main }) {
  const input = html`<input id="token" name="token" type="password" autocomplete="off" required spellcheck="false" aria-describedby="hint" />`;
  const problem = html`<p class="problem" id="hint" role="alert"></p>`;
  const several = html`<div class="stack"></div>`;
  problem.textContent = sessionStorage.getItem("memex.problem") ?? "";
  sessionStorage.removeItem("memex.problem");
  const enter = async (name = "") => {
    entered(input.value);
    workspace.set(name);
    try {
      await learn();
      flush();
      await again();
    } catch (error) {
      entered("");
      if (error.code === "workspace_needed") return choose(error.details.workspaces);
      problem.textContent = error.unknownToken && error.code !== "token_expired" ? WRONG : error.message;
      input.select();
    }
  };
  const choose = (names) => {
    problem.textContent = "";
    put(several, html`<p>You are a member of several workspaces. Open one; for another, forget the token in the settings and come back.</p>`, html`<div class="row">${names.map((name) => html`<button type="button" onclick=${() => enter(name)}>${name}</button>`)}</div>`);
    several.querySelector("button").focus();
  };
  put(
    main,
    html`<h1>Welcome</h1>
      <p class="reading">On your own machine, <code>memex up</code> printed a token when it started. For a Memex that is deployed, who runs it makes you one with <code>memex token</code>, or lets you in by your address: then an ID token of Google or Firebase opens it, for as long as that is valid.</p>
      <form class="card stack" onsubmit=${(event) => (event.preventDefault(), enter())}>
        <label class="field"><span>Token</span>${input}</label>
        ${problem}${several}
        <div class="row"><button class="primary">Open</button><a href="#/settings">Connected to another address?</a></div>
      </form>
      <p class="meta">It stays in this browser until you forget it in the settings.</p>`,
  );
  input.focus();
}
