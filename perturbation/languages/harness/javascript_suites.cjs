// Runs inside the sandbox: describe, test and their kin, and running what they registered. Every test runs, those too
// that are marked to be skipped or that others are marked to be run alone.
'use strict';

const { makeExpect, makeMock, spyOn } = require('./javascript_expect.cjs');

const HOOKS = ['beforeAll', 'afterAll', 'beforeEach', 'afterEach'];
const GLOBALS = ['describe', 'xdescribe', 'fdescribe', 'test', 'xtest', 'it', 'xit', 'fit', ...HOOKS, 'expect', 'jest'];

function titled(title, row, index) {
  let at = 0;
  const words = String(title).replace(/%[sdifjop#%]/g, (mark) => {
    if (mark === '%%') return '%';
    if (mark === '%#') return String(index);
    at += 1;
    return typeof row[at - 1] === 'object' ? JSON.stringify(row[at - 1]) : String(row[at - 1]);
  });
  const given = row.length === 1 && typeof row[0] === 'object' && row[0] !== null ? row[0] : {};
  return words.replace(/\$(\w+)/g, (mark, name) => (name in given ? String(given[name]) : mark));
}

// The rows of test.each: a list, or a template whose first line names the columns.
function rowsOf(table, values) {
  if (!table.raw) return table.map((row) => (Array.isArray(row) ? row : [row]));
  const names = table[0].trim().split('|').map((name) => name.trim());
  const rows = [];
  for (let i = 0; i < values.length; i += names.length) {
    rows.push([Object.fromEntries(names.map((name, j) => [name, values[i + j]]))]);
  }
  return rows;
}

function makeSuites() {
  const make = (name, above) => ({ name, above, parts: [], beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] });
  const root = make('', null);
  let suite = root;
  let expected = { calls: 0, wanted: null, some: false };

  const describe = (name, body) => {
    const before = suite;
    suite = make(typeof name === 'function' ? name.name : String(name), before);
    before.parts.push(suite);
    try {
      body();
    } finally {
      suite = before;
    }
  };
  const test = (name, body) => suite.parts.push({ name: String(name), body, above: suite });
  const each = (register) => (table, ...values) => (title, body) => {
    rowsOf(table, values).forEach((row, index) => register(titled(title, row, index), () => body(...row)));
  };
  for (const register of [describe, test]) {
    register.each = each(register);
    register.only = register.skip = register.concurrent = register;
    register.todo = () => {};
  }
  test.failing = (name, body) => suite.parts.push({ name: String(name), body, above: suite, mustFail: true });

  const expect = makeExpect(() => (expected.calls += 1));
  expect.assertions = (wanted) => (expected.wanted = wanted);
  expect.hasAssertions = () => (expected.some = true);
  const known = { fn: makeMock, spyOn, setTimeout: () => {} };
  const jest = new Proxy(known, {
    get(_, name) {
      if (Object.hasOwn(known, name)) return known[name];
      throw new TypeError(`jest.${String(name)} is not known here`);
    },
  });
  const functions = { describe, xdescribe: describe, fdescribe: describe, expect, jest };
  for (const name of ['test', 'xtest', 'it', 'xit', 'fit']) functions[name] = test;
  for (const name of HOOKS) functions[name] = (body) => suite[name].push(body);

  const nameOf = (part) => (part.above && part.above.name ? `${nameOf(part.above)} › ${part.name}` : part.name);
  const called = (body) =>
    body.length ? new Promise((done, fail) => body((error) => (error ? fail(error) : done()))) : body();
  const around = (part, hook) => {
    const chain = [];
    for (let at = part.above; at; at = at.above) chain.push(at[hook]);
    return (hook === 'beforeEach' ? chain.reverse() : chain).flat();
  };

  async function runTest(part) {
    expected = { calls: 0, wanted: null, some: false };
    try {
      for (const hook of around(part, 'beforeEach')) await called(hook);
      await called(part.body);
    } finally {
      for (const hook of around(part, 'afterEach')) await called(hook);
    }
    const { calls, wanted, some } = expected;
    if (wanted !== null && calls !== wanted) throw new Error(`${wanted} expectations were to be made, ${calls} were`);
    if (some && !calls) throw new Error('no expectation was made');
  }

  async function mustFail(part) {
    try {
      await runTest(part);
    } catch {
      return;
    }
    throw new Error('passed although the tests expect a failure');
  }

  function list(part = root) {
    return part.parts ? part.parts.flatMap(list) : [part];
  }

  // Names that occur more than once are numbered.
  function named() {
    const seen = new Map();
    for (const part of list()) {
      const name = nameOf(part) || 'test';
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      part.title = count > 1 ? `${name} (${count})` : name;
    }
    return list().map((part) => part.title);
  }

  // `runCase(title, body)` runs and reports one test; errors of beforeAll become those of each test below.
  async function run(runCase, part = root, broken = null) {
    if (!part.parts) {
      const body = part.mustFail ? () => mustFail(part) : () => runTest(part);
      await runCase(part.title, broken ? () => Promise.reject(broken.error) : body);
      return;
    }
    let trouble = broken;
    try {
      if (part.parts.length && !broken) for (const hook of part.beforeAll) await called(hook);
    } catch (error) {
      trouble = { error };
    }
    for (const below of part.parts) await run(runCase, below, trouble);
    if (part.parts.length && !broken) for (const hook of part.afterAll) await called(hook);
  }

  return { functions, named, run };
}

module.exports = { GLOBALS, makeSuites };
