/* The decision: choose by key, keep a draft, save once, say what happened, go on. Without it the form posts plainly. */
"use strict";

(() => {
  const saved = document.getElementById("saved");
  let isSaving = false;
  let armed = null;

  const part = () => document.getElementById("decision");
  const form = () => document.getElementById("score-form");
  const reason = () => document.getElementById("reason");
  const chosen = () => form()?.querySelector("input[name=value]:checked") ?? null;
  const owner = () => [part().dataset.person, part().dataset.assignment];

  const say = (state, text) => {
    saved.dataset.state = state;
    saved.textContent = text;
  };

  /* Drafts */

  const entered = () => ({ value: chosen()?.value ?? null, reason: reason().value });
  const isSame = (one, other) => one.value === other.value && one.reason === other.reason;
  const savedByServer = () => ({
    value: form().querySelector("input[name=value][checked]")?.value ?? null,
    reason: reason().defaultValue,
  });

  const keep = () => {
    if (isSame(entered(), savedByServer()) && !document.getElementById("decision-problem")) {
      axiom.drafts.drop(...owner());
      return;
    }
    axiom.drafts.write(...owner(), entered());
    const value = chosen()?.value;
    say("unsaved", value ? `${value}: ${axiom.word("unsaved")}` : axiom.word("unsaved"));
  };

  const restore = () => {
    const draft = axiom.drafts.read(...owner());
    if (!draft || document.getElementById("decision-problem")) return;
    if (isSame(draft, savedByServer())) {
      axiom.drafts.drop(...owner());
      return;
    }
    const input = form().querySelector(`input[name=value][value="${draft.value}"]`);
    if (input) input.checked = true;
    reason().value = draft.reason;
    say("unsaved", axiom.word("restored"));
  };

  /* Saving */

  const showProblem = (text, link) => {
    document.getElementById("decision-problem")?.remove();
    const box = document.createElement("div");
    box.id = "decision-problem";
    box.className = "notice notice-error";
    box.tabIndex = -1;
    box.setAttribute("role", "alert");
    box.append(text);
    if (link) box.append(" ", link);
    part().prepend(box);
  };

  const signInLink = () => {
    const link = document.createElement("a");
    link.href = "/accounts/login/";
    link.target = "_blank";
    link.rel = "noopener";
    link.textContent = axiom.word("sign_in");
    return link;
  };

  const post = (target) =>
    fetch(target.action, {
      method: "POST",
      body: new FormData(target),
      headers: { "X-Requested-With": "fetch" },
      credentials: "same-origin",
    });

  const isLost = (answer) => answer.redirected || answer.status === 403;

  /* A new sign-in changes the form token: fetch the one that counts now, for the same person only. */
  const renewToken = async () => {
    const answer = await fetch("/session/", { credentials: "same-origin" });
    const session = await answer.json();
    if (String(session.person) !== part().dataset.person) return false;
    document.querySelectorAll("input[name=csrfmiddlewaretoken]").forEach((field) => (field.value = session.token));
    return true;
  };

  const send = async (target) => {
    const answer = await post(target);
    if (!isLost(answer)) return answer;
    return (await renewToken()) ? post(target) : answer;
  };

  const swap = (html) => {
    const box = document.createElement("template");
    box.innerHTML = html;
    part().replaceWith(box.content.getElementById("decision"));
    listen();
    axiom.drafts.write(...owner(), entered());
    document.getElementById("decision-problem")?.focus();
  };

  const settle = async (answer, sent) => {
    if (answer.ok && !answer.redirected) {
      const { next } = await answer.json();
      const draft = axiom.drafts.read(...owner());
      /* Another tab may have written a draft of its own meanwhile: that one is not saved and stays. */
      if (draft && isSame(draft, sent)) axiom.drafts.drop(...owner());
      say("saved", axiom.word("saved"));
      location.assign(next);
      return true;
    }
    if (isLost(answer)) {
      say("failed", axiom.word("signed_out"));
      showProblem(axiom.word("signed_out"), signInLink());
    } else if (answer.status === 409 || answer.status === 422) {
      say("failed", axiom.word("refused"));
      swap(await answer.text());
    } else {
      say("failed", axiom.word("server_error"));
      showProblem(axiom.word("server_error"));
    }
    return false;
  };

  const save = async () => {
    const target = form();
    if (isSaving || !target || target.querySelector("fieldset").disabled) return;
    if (!chosen()) {
      showProblem(axiom.word("choose"));
      return;
    }
    isSaving = true;
    const button = target.querySelector(".save");
    button.setAttribute("aria-busy", "true");
    const sent = entered();
    axiom.drafts.write(...owner(), sent);
    say("saving", axiom.word("saving"));
    let isGone = false;
    try {
      isGone = await settle(await send(target), sent);
    } catch {
      say("failed", axiom.word("offline"));
      showProblem(axiom.word("offline"));
    }
    if (isGone) return;
    isSaving = false;
    button.removeAttribute("aria-busy");
  };

  /* In the field for skipping, the same keys send that form. */
  const saveFrom = (event) => {
    const skipping = event.target.closest(".skip-form");
    if (skipping) skipping.requestSubmit();
    else save();
  };

  const choose = (value) => {
    const input = form()?.querySelector(`input[name=value][value="${value}"]`);
    if (!input || input.matches(":disabled")) return;
    if (armed === value) {
      save();
      return;
    }
    /* The focus stays where it was: on a radio button, arrow keys meant for the diff would change the score. */
    armed = value;
    input.checked = true;
    keep();
  };

  function listen() {
    const target = form();
    if (!target) return;
    target.addEventListener("submit", (event) => {
      event.preventDefault();
      save();
    });
    target.addEventListener("input", () => {
      armed = null;
      keep();
    });
    target.addEventListener("click", (event) => {
      if (event.detail && event.target.matches("input[type=radio]")) event.target.blur();
    });
  }

  /* Panels and sheets */

  const fold = (id) => {
    const block = document.getElementById(id);
    block.open = !block.open;
    if (block.open) block.scrollIntoView({ block: "nearest" });
  };

  const press = (selector) => document.querySelector(selector)?.click();

  const openSkip = () => {
    const skip = document.getElementById("skip");
    if (!skip) return;
    skip.open = true;
    document.getElementById("skip-reason").focus();
  };

  const leave = () => {
    document.activeElement?.blur();
    const skip = document.getElementById("skip");
    if (skip) skip.open = false;
  };

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open]");
    if (opener) {
      event.preventDefault();
      document.getElementById(opener.dataset.open).showModal();
    }
    if (event.target.closest("[data-drop-draft]")) axiom.drafts.drop(...owner());
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) leave();
  });

  const { register } = axiom.keys;
  register({ keys: [..."012345"], group: "score", word: "key_score", run: (event) => choose(event.key) });
  register({ keys: ["Enter"], group: "score", word: "key_save", run: save });
  register({ keys: ["Ctrl+Enter"], group: "score", word: "key_save_field", run: saveFrom, fields: true });
  register({ keys: ["r"], group: "score", word: "key_reason", run: () => reason()?.focus() });
  register({ keys: ["s"], group: "score", word: "key_skip", run: openSkip });
  register({ keys: ["i"], group: "read", word: "key_requirement", run: () => fold("requirement") });
  register({ keys: ["t"], group: "read", word: "key_tests", run: () => fold("execution") });
  register({ keys: ["a"], group: "read", word: "key_analysis", run: () => fold("static-analysis") });
  register({ keys: ["l"], group: "read", word: "key_quality", run: () => fold("quality") });
  register({ keys: ["b"], group: "move", word: "key_back", run: () => press('[data-key="back"]') });
  register({ keys: ["f"], group: "move", word: "key_forward", run: () => press('[data-key="forward"]') });
  register({ keys: ["q"], group: "move", word: "key_queue", run: () => press('[data-key="queue"]') });
  register({ keys: ["?"], group: "move", word: "key_help", run: () => press('[data-open="help"]') });

  listen();
  if (form()) restore();
})();
