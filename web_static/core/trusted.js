/** The one place where text becomes markup: our own templates, and what the server has rendered, looked over once more. */

const policy = globalThis.trustedTypes?.createPolicy("memex", {
  createHTML: (text) => text,
  createScriptURL: (url) => {
    if (url !== "/sw.js") throw new TypeError(`Not a script of ours: ${url}`);
    return url;
  },
});

const TAGS = new Set(
  "A ABBR B BLOCKQUOTE BR CODE DD DEL DETAILS DIV DL DT EM H1 H2 H3 H4 H5 H6 HR I INS KBD LI MARK OL P PRE S SMALL SPAN STRONG SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TR U UL".split(" "),
);
const ATTRIBUTES = new Set(["class", "href", "title", "rel", "align", "start", "colspan", "rowspan", "scope", "lang", "dir", "open"]);
const LINKS = /^(?:https?:\/\/|mailto:|#)/i;

/** A template element of markup written in our own sources; never of data. */
export function template(markup) {
  const element = document.createElement("template");
  element.innerHTML = policy ? policy.createHTML(markup) : markup;
  return element;
}

/** What the server rendered of a note or an answer, as a fragment: only plain text elements and safe links are left. */
export function rendered(markup) {
  const { content } = template(markup);
  for (const element of [...content.querySelectorAll("*")]) {
    if (!TAGS.has(element.nodeName)) element.replaceWith(element.textContent);
    else for (const { name, value } of [...element.attributes]) if (!allowed(name, value)) element.removeAttribute(name);
  }
  for (const empty of content.querySelectorAll("th:empty")) empty.replaceWith(document.createElement("td")); // heads nothing
  return content;
}

function allowed(name, value) {
  return ATTRIBUTES.has(name) && (name !== "href" || LINKS.test(value.trim()));
}

/** The address of the service worker, as the browser demands it. */
export function workerAddress() {
  return policy ? policy.createScriptURL("/sw.js") : "/sw.js";
}
