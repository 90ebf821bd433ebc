/** Asks for the token, once. */

import { api } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { flush } from "../../core/outbox.js";
import { token } from "../../core/preferences.js";
import { again } from "../../core/router.js";

const WRONG = "This is not the token of this Memex: look at what make run (or memex up) printed.";

export function show({ main }) {
  const input = html`<input id="token" name="token" type="password" autocomplete="off" required spellcheck="false" aria-describedby="hint" />`;
  const problem = html`<p class="problem" id="hint" role="alert"></p>`;
  problem.textContent = sessionStorage.getItem("memex.problem") ?? "";
  sessionStorage.removeItem("memex.problem");
  const submit = async (event) => {
    event.preventDefault();
    token.set(input.value);
    try {
      await api.get("/notes?limit=1");
      flush();
      await again();
    } catch (error) {
      token.set("");
      problem.textContent = error.unknownToken ? WRONG : error.message;
      input.select();
    }
  };
  put(
    main,
    html`<h1>Welcome</h1>
      <p class="reading">Memex printed a token when it started. It stays in this browser until you forget it in the settings.</p>
      <form class="card stack" onsubmit=${submit}>
        <label class="field"><span>Token</span>${input}</label>
        ${problem}
        <div class="row"><button class="primary">Open</button><a href="#/settings">Connected to another address?</a></div>
      </form>`,
  );
  input.focus();
}
