/** The twin of a view: the same as JSON, as the API has it, or as Markdown, to be read by a program or put elsewhere. */

import { VIEWS } from "../../views.js";
import { toast } from "../../components/toasts/toasts.js";
import { api, query, segment } from "../../core/api.js";
import { asMarkdown, save } from "../../core/copy.js";
import { html, put } from "../../core/html.js";
import { titled } from "../../core/router.js";
import { nameOf } from "../../core/words.js";

const KINDS = { json: ["JSON", "application/json", asJson], md: ["Markdown", "text/markdown", asText] };
const WRITTEN = {
  note: ({ argument }) => api.text(`/notes/${segment(argument)}.md`),
  chat: async (given) => conversation((await api.get(given.path, given.signal)).session),
};

export async function show({ main, signal, argument, wanted }) {
  const [, address, ending] = /^(.*)\.(json|md)$/.exec(argument);
  const { row, id } = shownAt(`/${address}`);
  const [name, type, made] = KINDS[ending];
  const asked = query(Object.fromEntries(wanted));
  const text = await made({ row, signal, argument: id, wanted, path: row.data(id) + (row.asks ? asked : "") });
  const copied = () => navigator.clipboard.writeText(text).then(() => toast("Copied."), () => toast("Not copied: the browser does not allow it."));
  titled(`${row.title}, ${name}`);
  put(
    main,
    html`<h1>${row.title}, ${name}</h1>`,
    html`<p class="row"><button type="button" onclick=${copied}>Copy</button><button type="button" onclick=${() => save(`${row.name}.${ending}`, text, type)}>Save</button>
      <a href=${`#/${address}${asked}`}>The view</a></p>`,
    html`<pre tabindex="0" role="region" aria-label=${name}>${text}</pre>`,
  );
}

function shownAt(path) {
  for (const row of VIEWS) {
    const match = row.data && row.pattern.exec(path);
    if (match) return { row, id: match[1] ?? null };
  }
  throw Object.assign(new Error("There is nothing of which this could be the twin."), { status: 404 });
}

async function asJson({ path, signal }) {
  return `${JSON.stringify(await api.get(path, signal), null, 2)}\n`;
}

/** As it is written where it is a text; else as the view shows it, which is drawn out of sight for that. */
async function asText(given) {
  const { row, argument, wanted, signal } = given;
  if (WRITTEN[row.name] && argument) return WRITTEN[row.name](given);
  const drawn = new AbortController();
  signal.addEventListener("abort", () => drawn.abort(), { once: true });
  const main = html`<div></div>`;
  const { show: draw } = await import(`../${row.name}/${row.name}.js`);
  await draw({ main, signal: drawn.signal, argument, wanted });
  drawn.abort();
  return asMarkdown(main);
}

function conversation({ title, trace }) {
  const said = { user_message: "You", model_text: "Memex", run_answer: "Run" };
  const parts = trace.filter(({ type }) => said[type]).map(({ type, data }) => `## ${said[type]}\n\n${data.text}`);
  return `# ${nameOf({ title })}\n\n${parts.join("\n\n")}\n`;
}
