/** The form in which a note is changed. */

import { api } from "./api.js";
import { h, say } from "./dom.js";
import { tagsOf } from "./words.js";

/** A form with the note in it; `done` is called with whether anything was changed. */
export function editor(note, done) {
  const title = h("input", { name: "title", value: note.title, autocomplete: "off" });
  const body = h("textarea", { name: "body", rows: "16" });
  body.value = note.body;
  const tags = h("input", { name: "tags", value: note.tags.join(", "), autocapitalize: "off", autocomplete: "off" });
  const save = h("button", { class: "primary" }, "Save");
  const problem = h("p", { class: "meta", role: "alert" });
  const submit = async (event) => {
    event.preventDefault();
    const change = changes(note, title.value, body.value, tagsOf(tags.value));
    if (!Object.keys(change).length) return done(false);
    save.disabled = true;
    problem.textContent = "";
    try {
      await api.patch(`/notes/${encodeURIComponent(note.id)}`, change);
      say("Saved.");
      await done(true);
    } catch (error) {
      problem.textContent = `Not saved: ${error.message}`;
      save.disabled = false;
    }
  };
  const form = h(
    "form",
    { class: "card stack", onsubmit: submit },
    field("Title", title),
    field("Text", body),
    field("Tags", tags),
    h("div", { class: "row" }, save, h("button", { type: "button", onclick: () => done(false) }, "Cancel"), problem),
  );
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.isComposing) form.requestSubmit();
  });
  return form;
}

const field = (name, control) => h("label", { class: "field" }, h("span", {}, name), control);

/** Only what was changed here, so that what others changed meanwhile stays. */
function changes(note, title, body, tags) {
  const added = tags.filter((tag) => !note.tags.includes(tag));
  const removed = note.tags.filter((tag) => !tags.includes(tag));
  return {
    ...(title !== note.title && { title }),
    ...(body !== note.body.replaceAll("\r\n", "\n") && { body }),
    ...(added.length && { add_tags: added }),
    ...(removed.length && { remove_tags: removed }),
  };
}
