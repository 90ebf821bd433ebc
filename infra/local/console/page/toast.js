// Short news at the edge of the page, with Undo for ten seconds where there is something to undo; and the one question.

import { h } from "./dom.js";

const UNDO_MS = 10000;

export function toast(text, undo) {
  const put = (...kids) => h("div", { class: undo ? "toast" : "toast plain" }, h("span", null, text), ...kids);
  const box = undo ? put(h("button", { onclick: () => (box.remove(), undo()) }, "Undo")) : put();
  document.getElementById("toasts").append(box);
  setTimeout(() => box.remove(), undo ? UNDO_MS : 4000);
}

// Runs an action of a button: once at a time, its failure said where the button is, or in a toast.
export function doing(action, say = toast) {
  return async (event) => {
    event.preventDefault();
    const button = event.submitter ?? event.currentTarget;
    if (button.disabled) return;
    button.disabled = true;
    try {
      await action(event);
    } catch (failure) {
      say(failure.message);
    } finally {
      button.disabled = false;
    }
  };
}

// For what cannot be undone.
export function confirmed(title, text, verb) {
  return new Promise((resolve) => {
    const no = h("button", { value: "", autofocus: true }, "Keep everything as it is");
    const form = h("form", { method: "dialog" }, h("h2", null, title), h("p", null, text), h("div", { class: "row" }, no, h("button", { class: "grave", value: "yes" }, verb)));
    const box = h("dialog", { onclose: () => (box.remove(), resolve(box.returnValue === "yes")) }, form);
    document.body.append(box);
    box.showModal();
  });
}
