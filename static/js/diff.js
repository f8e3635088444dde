/* The stored diff table made workable: fold unchanged lines, walk over changes, show a line or a step, copy one side. */
"use strict";

axiom.diff = (() => {
  const box = document.getElementById("diff");
  const table = box ? box.querySelector("table.df") : null;
  const all = (selector) => (table ? [...table.querySelectorAll(selector)] : []);
  const folds = all("tbody[data-collapsible]");
  const hunks = all('tbody[id*="hunk-"]');
  let here = -1;

  const buttonOf = (fold) => table.querySelector(`[data-expand="${CSS.escape(fold.id)}"]`);

  const open = (fold) => {
    fold.hidden = false;
    const button = buttonOf(fold);
    if (button) button.closest("tbody").hidden = true;
  };

  const close = (fold) => {
    fold.setAttribute("hidden", "until-found");
    const button = buttonOf(fold);
    if (button) button.closest("tbody").hidden = false;
  };

  const showAll = () => {
    const isOpening = folds.some((fold) => fold.hidden);
    folds.forEach(isOpening ? open : close);
    const button = document.querySelector('[data-diff="expand"]');
    if (button) button.setAttribute("aria-pressed", String(isOpening));
  };

  const scrollTo = (element, block = "center") => element.scrollIntoView({ block, behavior: "auto" });

  const go = (direction) => {
    if (!hunks.length) return;
    if (here >= 0) hunks[here].classList.remove("here");
    here = here < 0 && direction < 0 ? hunks.length - 1 : (here + direction + hunks.length) % hunks.length;
    hunks[here].classList.add("here");
    scrollTo(hunks[here], hunks[here].offsetHeight > box.clientHeight ? "start" : "center");
  };

  const unmark = () => all("tr.shown").forEach((row) => row.classList.remove("shown"));

  const showLine = (number) => {
    const column = table && table.classList.contains("df-one") ? 1 : 3;
    const tables = box ? [...box.querySelectorAll("table.df")] : [];
    const cell = tables.at(-1)?.querySelector(`tbody tr > :nth-child(${column})[data-n="${number}"]`);
    if (!cell) return;
    unmark();
    const fold = cell.closest("tbody[data-collapsible]");
    if (fold) open(fold);
    cell.parentElement.classList.add("shown");
    scrollTo(cell);
  };

  const showStep = (button) => {
    const isOn = button.getAttribute("aria-pressed") === "true";
    document.querySelectorAll("[data-step-show]").forEach((other) => other.setAttribute("aria-pressed", "false"));
    unmark();
    if (isOn) return;
    button.setAttribute("aria-pressed", "true");
    const rows = all(`b[data-step="${button.dataset.stepShow}"]`).map((badge) => badge.closest("tr"));
    rows.forEach((row) => row.classList.add("shown"));
    if (rows.length) scrollTo(rows[0]);
  };

  folds.forEach((fold) => {
    close(fold);
    fold.addEventListener("beforematch", () => open(fold));
  });
  document.querySelectorAll("[data-needs-script]").forEach((part) => (part.hidden = false));

  document.addEventListener("click", (event) => {
    const expand = event.target.closest("[data-expand]");
    const tool = event.target.closest("[data-diff]");
    const line = event.target.closest("[data-line]");
    const step = event.target.closest("[data-step-show]");
    if (expand) {
      const fold = document.getElementById(expand.dataset.expand);
      open(fold);
      box.focus({ preventScroll: true });
    } else if (tool) {
      ({ next: () => go(1), previous: () => go(-1), expand: showAll })[tool.dataset.diff]();
    } else if (line) {
      event.preventDefault();
      showLine(line.dataset.line);
    } else if (step) {
      showStep(step);
    }
  });

  /* While the mouse selects in one side, the other side stays out of the copy. */
  if (table) {
    table.addEventListener("pointerdown", (event) => {
      const cell = event.target.closest("td, th");
      if (cell) table.dataset.side = cell.cellIndex < 2 ? "left" : "right";
    });
  }

  axiom.keys.register({ keys: ["j"], group: "read", word: "key_next_change", run: () => go(1) });
  axiom.keys.register({ keys: ["k"], group: "read", word: "key_previous_change", run: () => go(-1) });
  axiom.keys.register({ keys: ["x"], group: "read", word: "key_expand", run: showAll });
  return { showLine };
})();
