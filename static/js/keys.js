/* The one registry of keys: what a key does, where it counts, and the sheet that lists them all.
   Silent in text fields, during composition and with modifiers. A key registered twice stops the script at load. */
"use strict";

window.axiom = window.axiom || {};

axiom.word = (name) => {
  const term = [...document.querySelectorAll("#words dt")].find((dt) => dt.textContent === name);
  return term ? term.nextElementSibling.textContent : name;
};

axiom.keys = (() => {
  const entries = [];
  const byKey = new Map();

  const isField = (target) =>
    target.closest("textarea, select, [contenteditable], input:not([type=radio]):not([type=checkbox])") !== null;
  const isPressable = (target) => target.closest("a, button, summary, input[type=checkbox]") !== null;

  /* keys: names as KeyboardEvent.key gives them. fields: only inside text fields, as Ctrl+Enter. */
  const register = ({ keys, group, word, run, fields = false }) => {
    for (const key of keys) {
      if (byKey.has(key)) throw new Error(`The key ${key} is registered twice: ${byKey.get(key).word} and ${word}`);
      byKey.set(key, { word, run, fields });
    }
    entries.push({ keys, group, word });
  };

  const nameOf = (event) => (event.ctrlKey || event.metaKey ? `Ctrl+${event.key}` : event.key);

  const onKey = (event) => {
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229 || event.repeat) return;
    if (event.altKey || event.getModifierState("AltGraph")) return;
    const entry = byKey.get(nameOf(event));
    if (!entry || isField(event.target) !== entry.fields) return;
    if (event.key === "Enter" && !entry.fields && isPressable(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    event.preventDefault();
    entry.run(event);
  };

  const rowOf = ({ keys, word }) => {
    const row = document.createElement("div");
    const term = document.createElement("dt");
    const text = document.createElement("dd");
    for (const key of keys) {
      const cap = document.createElement("kbd");
      cap.textContent = key;
      term.append(cap, " ");
    }
    text.textContent = axiom.word(word);
    row.append(term, text);
    return row;
  };

  const fillSheet = (sheet) => {
    for (const group of ["score", "read", "move"])
      sheet.append(...entries.filter((entry) => entry.group === group).map(rowOf));
  };

  document.addEventListener("keydown", onKey);
  addEventListener("DOMContentLoaded", () => document.querySelectorAll("[data-key-sheet]").forEach(fillSheet));
  return { register };
})();
