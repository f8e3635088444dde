/* Light or dark, before the first paint: the system's choice unless a person chose here. Owns nothing else. */
"use strict";

(() => {
  const KEY = "axiom-theme";
  const root = document.documentElement;

  const stored = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };

  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;

  const choice = stored();
  if (choice === "light" || choice === "dark") root.dataset.theme = choice;
  root.classList.add("js");

  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-theme-toggle]")) button.hidden = false;
  });

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-toggle]")) return;
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem(KEY, root.dataset.theme);
    } catch {
      /* Private windows may refuse storage: the choice then lasts for this page. */
    }
  });
})();
