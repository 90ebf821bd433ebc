/** What this browser remembers of its person: token, address of the API, theme, keys. */

const read = (name) => {
  try {
    return localStorage.getItem(`memex.${name}`) ?? "";
  } catch {
    return "";
  }
};

const write = (name, value) => (value ? localStorage.setItem(`memex.${name}`, value) : localStorage.removeItem(`memex.${name}`));

const preference = (name, clean = (text) => text.trim()) => ({ get: () => read(name), set: (value) => write(name, clean(value ?? "")) });

export const token = preference("token");

/** Which of several workspaces is meant, where one signs in as a person. */
export const workspace = preference("workspace");

/** Who the server says that one is, and as what: "reader", "member", "owner"; "" until it has said so. */
export const person = preference("person");
export const role = preference("role");

/** The origin of the API where it is not the page's own. */
export const api = preference("api", (text) => text.trim().replace(/\/+$/, ""));

/** "", "light" or "dark". */
export const theme = preference("theme");

/** "off" switches the one-letter keys off. */
export const keys = preference("keys");

/** How many seconds notices stay; "" for ten, "stay" until they are closed. */
export const notices = preference("notices");

/** The chat that was open last; whether the chat is beside the other views ("yes", "no"), and how wide. */
export const session = preference("session");
export const beside = preference("beside");
export const width = preference("width");

/** Whose drafts these are, also with the next token: a short hash of who one is, or of the token, which is never stored twice. */
export function user() {
  let hash = 5381;
  for (const character of person.get() || token.get()) hash = (hash * 33 + character.codePointAt(0)) >>> 0;
  return hash.toString(36);
}
