/**
 * The one list of views. `pattern` is the address after #, its group the argument; `nav` puts the view into the rail,
 * `key` is pressed after g; `open` can be seen without a token.
 */

export const VIEWS = [
  { name: "feed", pattern: /^\/notes$/, title: "Notes", nav: "Notes", address: "#/notes", key: "f" },
  { name: "note", pattern: /^\/notes\/([^/]+)$/, title: "Note", within: "feed" },
  { name: "chat", pattern: /^\/chat(?:\/([^/]+))?$/, title: "Chat", nav: "Chat", address: "#/chat", key: "c" },
  { name: "tasks", pattern: /^\/tasks$/, title: "Tasks", nav: "Tasks", address: "#/tasks", key: "t" },
  { name: "approvals", pattern: /^\/approvals$/, title: "Approvals", nav: "Approvals", address: "#/approvals", key: "a" },
  { name: "operations", pattern: /^\/operations$/, title: "Research", nav: "Research", address: "#/operations", key: "r" },
  { name: "operation", pattern: /^\/operations\/([^/]+)$/, title: "Research run", within: "operations" },
  { name: "runs", pattern: /^\/runs$/, title: "Runs", nav: "Runs", address: "#/runs", key: "u" },
  { name: "run", pattern: /^\/runs\/([^/]+)$/, title: "Run", within: "runs" },
  { name: "documents", pattern: /^\/documents$/, title: "Documents", nav: "Documents", address: "#/documents", key: "d" },
  { name: "document", pattern: /^\/documents\/([^/]+)$/, title: "Document", within: "documents" },
  { name: "memory", pattern: /^\/memory(?:\/(short|graph|contradictions|rejected))?$/, title: "Memory", nav: "Memory", address: "#/memory", key: "m" },
  { name: "record", pattern: /^\/records\/([^/]+)$/, title: "Record", within: "memory" },
  { name: "brain", pattern: /^\/brain(?:\/(queue|picture))?$/, title: "Brain", nav: "Brain", address: "#/brain", key: "b" },
  { name: "usage", pattern: /^\/usage$/, title: "Usage", address: "#/usage", within: "settings" },
  { name: "trash", pattern: /^\/trash$/, title: "Deleted notes", address: "#/trash", within: "feed" },
  { name: "capture", pattern: /^\/capture$/, title: "Capture", within: "feed" },
  { name: "settings", pattern: /^\/settings$/, title: "Settings", nav: "Settings", address: "#/settings", key: "s", open: true },
  { name: "help", pattern: /^\/help$/, title: "Help", nav: "Help", address: "#/help", open: true },
  { name: "welcome", title: "Welcome", open: true },
];
