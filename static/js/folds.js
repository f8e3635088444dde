/* Folds the unchanged lines of diffs that are fetched into a page, each behind a button. Without script all is shown. */
"use strict";

(() => {
  const buttonOf = (table, fold) => table.querySelector(`[data-expand="${CSS.escape(fold.id)}"]`);

  const fold = (root) => {
    root.querySelectorAll("table.df tbody[data-collapsible]").forEach((body) => {
      const button = buttonOf(body.closest("table"), body);
      if (!button) return;
      body.setAttribute("hidden", "until-found");
      button.closest("tbody").hidden = false;
    });
  };

  const open = (button) => {
    const body = document.getElementById(button.dataset.expand);
    if (!body) return;
    body.hidden = false;
    button.closest("tbody").hidden = true;
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-expand]");
    if (button) open(button);
  });
  document.addEventListener("beforematch", (event) => {
    const button = event.target.id && document.querySelector(`[data-expand="${CSS.escape(event.target.id)}"]`);
    if (button) button.closest("tbody").hidden = true;
  });
  document.addEventListener("htmx:afterSwap", (event) => fold(event.target));
  fold(document);
})();
