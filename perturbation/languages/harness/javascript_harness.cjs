// Runs inside the sandbox: loads the program, runs prepared tests on it, reports each case through the results pipe.
// It shares a process with hostile text: what it uses is bound before the program runs, and the reader trusts only
// lines that carry the nonce, and only with an end line.
'use strict';

const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const util = require('node:util');
const vm = require('node:vm');
const { ExpectationFailed } = require('./javascript_expect.cjs');
const { GLOBALS, makeSuites } = require('./javascript_suites.cjs');

const order = JSON.parse(fs.readFileSync(0, 'utf8'));
// The lowest free number: standard input is empty from here on, and the order is out of reach.
fs.closeSync(0);
fs.openSync('/dev/null', 'r');

const LENGTH = 500;
const { inspect } = util;
const { writeSync } = fs;
const quote = JSON.stringify;
const { hrtime, cpuUsage } = process;
const leave = process.reallyExit.bind(process);
const { AssertionError } = require('node:assert');
const fd = Number(process.env.AXIOM_RESULTS_FD);
delete process.env.AXIOM_RESULTS_FD;

const now = () => {
  const [seconds, rest] = hrtime();
  return seconds + rest / 1e9;
};
const settled = Object.create(null);
const began = Object.create(null);
let counted = 0;
let ended = false;

// Strings and numbers one by one and no method of a prototype: the program may have replaced those.
function record(...words) {
  let line = '';
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i];
    line += (i ? ', ' : '') + (word === null || word === undefined ? 'null' : quote(word));
  }
  writeSync(fd, `\n${order.nonce} [${line}]\n`);
}

function settle(key, outcome, { expected = null, actual = null, message = '', error } = {}) {
  counted += 1;
  const seconds = key in began ? now() - began[key] : 0;
  record('case', key, outcome, expected, actual, message, seconds);
  if (error instanceof RangeError && /allocation failed/.test(String(error.message))) record('memory');
}

function represented(value) {
  try {
    if (value instanceof Error) return `${value.name}: ${value.message}`.slice(0, LENGTH);
    const shown = inspect(value, { depth: 6, breakLength: Infinity, maxArrayLength: 200, maxStringLength: LENGTH });
    return shown.length <= LENGTH ? shown : `${shown.slice(0, LENGTH - 1)}…`;
  } catch (error) {
    return `<no representation: ${error && error.name}>`;
  }
}

function place(error) {
  let places = [];
  try {
    places = [...String(error.stack).matchAll(/([^\s()]+?):(\d+)(?::\d+)?\)?$/gm)];
  } catch {
    return '';
  }
  let inTests = '';
  for (const [, file, text] of places) {
    const name = path.relative(process.cwd(), file.replace(/^file:\/\//, ''));
    const line = Number(text);
    const shift = order.single && name === order.single.name ? order.single.lines : 0;
    const inProgram = shift ? line <= shift : name in order.program;
    const of = order.single ? '' : ` (${name})`;
    if (inProgram) return ` (line ${line} of the program${of})`;
    if (!inTests && (shift || name in order.tests)) inTests = ` (line ${line - shift} of the tests${of})`;
  }
  return inTests;
}

function described(error) {
  try {
    const isError = error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error);
    if (!isError) return `the value ${represented(error)} was thrown`;
    // node:assert's own words go on with both values, which are told apart anyway.
    const words = error.generatedMessage ? String(error.message).split('\n')[0] : String(error.message);
    return `${String(error.name)}: ${words.slice(0, LENGTH)}${place(error)}`;
  } catch {
    return 'an error that cannot be described';
  }
}

const isFailure = (error) => error instanceof ExpectationFailed || error instanceof AssertionError;

function settleError(key, error) {
  let pair = [null, null];
  if (error instanceof ExpectationFailed) pair = error.pair.map(represented);
  else if (error instanceof AssertionError) pair = [represented(error.expected), represented(error.actual)];
  const message = error instanceof ExpectationFailed ? error.message + place(error) : described(error);
  settle(key, isFailure(error) ? 'failed' : 'error', { expected: pair[0], actual: pair[1], message, error });
}

const COMPARE = {
  '===': (a, b) => a === b,
  '==': (a, b) => a == b,
  '!==': (a, b) => a !== b,
  '!=': (a, b) => a != b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};

// What every assert of the tests calls; an assert in a loop is one case, and its first failure decides.
function report(site, catching, operator, values) {
  const key = `#${site}`;
  if (!(key in settled)) {
    settled[key] = '';
    record('start', key);
  }
  began[key] = now();
  let found;
  try {
    found = values();
  } catch (error) {
    if (catching) throw error;
    if (settled[key] === '' || settled[key] === 'passed') settleError(key, error);
    settled[key] = 'failed';
    return;
  }
  const holds = found === true || (operator ? COMPARE[operator](found[0], found[1]) : Boolean(found[0]));
  if (holds && settled[key] === '') {
    settled[key] = 'passed';
    settle(key, 'passed');
  } else if (!holds && settled[key] !== 'failed') {
    settled[key] = 'failed';
    const isEqual = operator === '===' || operator === '==';
    const words = found[operator ? 2 : 1];
    settle(key, 'failed', {
      expected: isEqual ? represented(found[1]) : null,
      actual: operator ? represented(found[0]) : null,
      message: words === undefined ? 'the assertion does not hold' : String(words).slice(0, LENGTH),
    });
  }
}

function finish() {
  if (ended) return;
  ended = true;
  const used = cpuUsage();
  record('end', (used.user + used.system) / 1e6);
  leave(0);
}

let current = null;
let onDrained = null;

// An error outside of any call of ours belongs to the test that runs, else to the tests as a whole.
function stray(error) {
  if (ended) return;
  if (current) current(error);
  else settleError('tests', error);
}

async function runCase(title, body) {
  record('start', title);
  began[title] = now();
  try {
    await new Promise((resolve, reject) => {
      current = reject;
      onDrained = () => reject(new Error('nothing is left to run that could end the test'));
      Promise.resolve().then(body).then(resolve, reject);
    });
    settle(title, 'passed');
  } catch (error) {
    settleError(title, error);
  }
  current = onDrained = null;
}

// The words and the line of a file that does not parse, or null.
function syntaxTrouble(name, text, isModule) {
  try {
    if (isModule) new vm.SourceTextModule(text, { identifier: name });
    else vm.compileFunction(text, ['exports', 'require', 'module', '__filename', '__dirname'], { filename: name });
  } catch (error) {
    const line = /:(\d+)$/m.exec(String(error.stack).split('\n')[0]);
    return `${error.message}${line ? ` (line ${line[1]}${order.single ? '' : ` of ${name}`})` : ''}`;
  }
  return null;
}

function runScript(text, name) {
  const module = { exports: {} };
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = vm.compileFunction(text, parameters, {
    filename: path.resolve(name),
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return run.call(module.exports, module.exports, createRequire(path.resolve(name)), module, path.resolve(name), process.cwd());
}

// Exercises import without an extension: a link of that name leads to the same file.
function linkWithoutExtension(names) {
  for (const name of names) {
    const short = name.replace(/\.(js|mjs|cjs)$/, '');
    if (short !== name && !fs.existsSync(short)) fs.symlinkSync(path.basename(name), short);
  }
}

function provide(functions) {
  // Fixed: a program that replaces test or expect would settle its tests itself.
  for (const [name, value] of Object.entries(functions)) Object.defineProperty(globalThis, name, { value });
  const folder = 'node_modules/@jest/globals';
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(`${folder}/package.json`, '{"name": "@jest/globals", "main": "index.js", "type": "commonjs"}');
  fs.writeFileSync(`${folder}/index.js`, GLOBALS.map((name) => `exports.${name} = globalThis.${name};\n`).join(''));
}

async function load(name, text) {
  try {
    if (order.isModule) await import(pathToFileURL(path.resolve(name)).href);
    else if (order.single) runScript(text, name);
    else createRequire(path.resolve('index.js'))(path.resolve(name));
    // A program that returns at its top level would keep its tests from running.
    if (!order.single || loaded) return true;
    record('broken', 'import', 'the program ends before its tests are reached');
    return false;
  } catch (error) {
    if (order.single && !loaded) record('broken', 'import', described(error));
    else settleError(order.single ? 'tests' : name, error);
    return false;
  }
}

let loaded = false;

async function runAll() {
  Object.defineProperty(globalThis, order.report, {
    value: (site, ...rest) => (site < 0 ? (loaded = true) : report(site, ...rest)),
  });
  for (const [name, text] of Object.entries(order.program)) {
    const trouble = syntaxTrouble(name, text, order.isModule);
    if (trouble) return record('broken', 'syntax', trouble);
  }
  const suites = makeSuites();
  provide(suites.functions);
  if (!order.single) linkWithoutExtension([...Object.keys(order.program), ...Object.keys(order.tests)]);
  let whole = true;
  for (const name of order.run) whole = (await load(name, order.tests[name])) && whole;
  const titles = suites.named();
  for (const title of titles) record('plan', title);
  if (titles.length) {
    await suites.run(runCase);
    finish();
  }
  return whole;
}

// A JSON text of the value; Python's reader takes NaN and Infinity too. Throws for what JSON cannot express.
function encoded(value) {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${Array.from(value, encoded).join(', ')}]`;
  if (typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    return `{${Object.entries(value).map(([key, one]) => `${quote(key)}: ${encoded(one)}`).join(', ')}}`;
  }
  throw new TypeError(`JSON has no form for the value that was returned: ${represented(value)}`);
}

async function entryPoint(name, text, wanted) {
  const found = order.isModule
    ? await import(pathToFileURL(path.resolve(name)).href)
    : runScript(`${text}\n;return {${['Solution', wanted].map((one) => `get ${one}() { return ${one}; }`).join(', ')}};`, name);
  const get = (one) => {
    try {
      return found[one];
    } catch {
      return undefined;
    }
  };
  if (typeof get(wanted) === 'function') return get(wanted);
  const Solution = get('Solution');
  if (typeof Solution === 'function' && typeof Solution.prototype?.[wanted] === 'function') {
    return (...given) => new Solution()[wanted](...given);
  }
  return null;
}

// Each call's value goes out: what is expected of it is not known here.
async function runCalls({ name, cases }) {
  const [file, text] = Object.entries(order.program)[0];
  const trouble = syntaxTrouble(file, text, order.isModule);
  if (trouble) return record('broken', 'syntax', trouble);
  let call;
  try {
    call = await entryPoint(file, text, name);
  } catch (error) {
    return record('broken', 'import', described(error));
  }
  if (!call) return record('broken', 'entry', `the program defines no function ${name}`);
  for (let i = 0; i < cases.length; i += 1) {
    record('start', String(i));
    const start = now();
    try {
      const value = encoded(await call(...cases[i]));
      record('answer', i, 'value', value, now() - start);
    } catch (error) {
      record('answer', i, 'error', described(error), now() - start);
    }
  }
}

process.on('uncaughtException', stray);
process.on('unhandledRejection', stray);
let whole = false;
let drained = false;
process.on('beforeExit', () => {
  if (onDrained) onDrained();
  else if (drained) {
    if (whole && !counted && order.canFail) settle('tests', 'passed');
    finish();
  }
});
(order.calls ? runCalls(order.calls) : runAll()).then(
  (result) => {
    whole = result === true;
    drained = true;
  },
  (error) => {
    settleError('tests', error);
    drained = true;
  },
);
