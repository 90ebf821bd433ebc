/**
 * The one list of views. `pattern` is the address after #, its group the argument; `nav` puts the view into the rail,
 * `key` is pressed after g; `open` can be seen without a token; `data` is where the API
 * has what it shows, for its twins (.json and .md behind the address), with the query of the address where `asks`.
 */

const SHORT = { short: "focus", graph: "graph", contradictions: "contradictions", rejected: "blackboard" };
const below = (path) => (id) => (id ? `${path}/${encodeURIComponent(id)}` : path);

export const VIEWS = [
  { name: "twin", pattern: /^\/(.+\.(?:json|md))$/, title: "Twin" },
  { name: "feed", pattern: /^\/notes$/, title: "Notes", nav: "Notes", address: "#/notes", key: "f", data: below("/notes"), asks: true },
  { name: "note", pattern: /^\/notes\/([^/]+)$/, title: "Note", within: "feed", data: below("/notes") },
  { name: "chat", pattern: /^\/chat(?:\/([^/]+))?$/, title: "Chat", nav: "Chat", address: "#/chat", key: "c", data: below("/chat/sessions") },
  { name: "tasks", pattern: /^\/tasks$/, title: "Tasks", nav: "Tasks", address: "#/tasks", key: "t", data: below("/tasks") },
  { name: "approvals", pattern: /^\/approvals$/, title: "Approvals", nav: "Approvals", address: "#/approvals", key: "a", data: below("/approvals") },
  { name: "operations", pattern: /^\/operations$/, title: "Research", nav: "Research", address: "#/operations", key: "r", data: below("/operations"), asks: true },
  { name: "operation", pattern: /^\/operations\/([^/]+)$/, title: "Research run", within: "operations", data: below("/operations") },
  { name: "runs", pattern: /^\/runs$/, title: "Runs", nav: "Runs", address: "#/runs", key: "u", data: below("/agent_runs"), asks: true },
  { name: "run", pattern: /^\/runs\/([^/]+)$/, title: "Run", within: "runs", data: below("/agent_runs") },
  { name: "documents", pattern: /^\/documents$/, title: "Documents", nav: "Documents", address: "#/documents", key: "d", data: below("/documents") },
  { name: "document", pattern: /^\/documents\/([^/]+)$/, title: "Document", within: "documents", data: below("/documents") },
  { name: "memory", pattern: /^\/memory(?:\/(short|graph|contradictions|rejected))?$/, title: "Memory", nav: "Memory", address: "#/memory", key: "m", data: (part) => `/brain/${SHORT[part] ?? "records"}`, asks: true },
  { name: "record", pattern: /^\/records\/([^/]+)$/, title: "Record", within: "memory", data: (id) => `${below("/brain/records")(id)}/why` },
  { name: "brain", pattern: /^\/brain(?:\/(queue|picture))?$/, title: "Brain", nav: "Brain", address: "#/brain", key: "b", data: (part) => (part === "queue" ? "/brain/jobs" : "/brain/agents") },
  { name: "usage", pattern: /^\/usage$/, title: "Usage", address: "#/usage", within: "settings", data: below("/usage"), asks: true },
  { name: "trash", pattern: /^\/trash$/, title: "Deleted notes", address: "#/trash", within: "feed", data: below("/trash") },
  { name: "capture", pattern: /^\/capture$/, title: "Capture", within: "feed" },
  { name: "settings", pattern: /^\/settings$/, title: "Settings", nav: "Settings", address: "#/settings", key: "s", open: true },
  { name: "help", pattern: /^\/help$/, title: "Help", nav: "Help", address: "#/help", open: true },
  { name: "welcome", title: "Welcome", open: true },
];
