/* What was entered and not saved yet, kept in this browser per person and assignment. Never talks to the server. */
"use strict";

axiom.drafts = (() => {
  const nameOf = (person, assignment) => `axiom-draft-${person}-${assignment}`;

  const read = (person, assignment) => {
    try {
      return JSON.parse(localStorage.getItem(nameOf(person, assignment)));
    } catch {
      return null;
    }
  };

  const write = (person, assignment, draft) => {
    try {
      localStorage.setItem(nameOf(person, assignment), JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  };

  const drop = (person, assignment) => {
    try {
      localStorage.removeItem(nameOf(person, assignment));
    } catch {
      /* Nothing was stored where storage is refused. */
    }
  };

  return { read, write, drop };
})();
