// Runs inside the sandbox: expect with jest's common matchers. Knows no test and no record.
// An expectation that does not hold throws ExpectationFailed; a matcher that is not here throws another error.
'use strict';

const { inspect, types } = require('node:util');
const tagOf = Function.prototype.call.bind(Object.prototype.toString);

class ExpectationFailed extends Error {
  constructor(message, expected, actual) {
    super(message);
    this.name = 'ExpectationFailed';
    this.pair = [expected, actual];
  }
}

class Asymmetric {
  constructor(words, holds) {
    this.words = words;
    this.holds = holds;
  }

  [inspect.custom]() {
    return this.words;
  }
}

const keysOf = (value, strict) =>
  Reflect.ownKeys(value).filter(
    (key) => Object.prototype.propertyIsEnumerable.call(value, key) && (strict || value[key] !== undefined),
  );

const isIterable = (value) => typeof value[Symbol.iterator] === 'function';

// jest's toEqual, or toStrictEqual where `strict`: then undefined members, holes and classes count as well.
function equals(left, right, strict = false, open = []) {
  if (right instanceof Asymmetric) return right.holds(left);
  if (left instanceof Asymmetric) return left.holds(right);
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (tagOf(left) !== tagOf(right) || (strict && left.constructor !== right.constructor)) return false;
  if (open.some(([a, b]) => a === left && b === right)) return true;
  const below = [...open, [left, right]];
  const same = (a, b) => equals(a, b, strict, below);
  if (types.isBoxedPrimitive(left)) return Object.is(left.valueOf(), right.valueOf());
  if (types.isDate(left)) return Object.is(left.getTime(), right.getTime());
  if (types.isRegExp(left)) return left.source === right.source && left.flags === right.flags;
  if (left instanceof Error) return left.name === right.name && left.message === right.message;
  if (types.isAnyArrayBuffer(left)) return same(new Uint8Array(left), new Uint8Array(right));
  if (types.isSet(left)) return left.size === right.size && [...left].every((a) => [...right].some((b) => same(a, b)));
  if (types.isMap(left)) {
    const found = ([key, value]) => [...right].some(([other, given]) => same(key, other) && same(value, given));
    return left.size === right.size && [...left].every(found);
  }
  if (Array.isArray(left) || types.isTypedArray(left)) {
    if (left.length !== right.length) return false;
    for (let i = 0; i < left.length; i += 1) {
      if (!same(left[i], right[i]) || (strict && i in left !== i in right)) return false;
    }
    return true;
  }
  if (isIterable(left) && isIterable(right) && left.constructor === right.constructor) {
    if (!same([...left], [...right])) return false;
  }
  const [mine, others] = [keysOf(left, strict), keysOf(right, strict)];
  return mine.length === others.length && mine.every((key) => others.includes(key) && same(left[key], right[key]));
}

function matches(actual, wanted) {
  if (wanted instanceof Asymmetric || typeof wanted !== 'object' || wanted === null) return equals(actual, wanted);
  if (typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(wanted)) {
    return Array.isArray(actual) && actual.length === wanted.length && wanted.every((w, i) => matches(actual[i], w));
  }
  if (tagOf(wanted) !== '[object Object]') return equals(actual, wanted);
  return keysOf(wanted, true).every((key) => key in actual && matches(actual[key], wanted[key]));
}

function reach(value, path) {
  const parts = Array.isArray(path) ? path : String(path).replace(/\[(\w+)\]/g, '.$1').split('.').filter(Boolean);
  let found = value;
  for (const part of parts) {
    if (found === null || found === undefined || !(part in Object(found))) return [false, undefined];
    found = found[part];
  }
  return [true, found];
}

function isThrown(error, wanted) {
  const words = error !== null && typeof error === 'object' && 'message' in error ? String(error.message) : String(error);
  if (wanted === undefined) return true;
  if (typeof wanted === 'string') return words.includes(wanted);
  if (types.isRegExp(wanted)) return wanted.test(words);
  if (typeof wanted === 'function') return error instanceof wanted;
  if (wanted instanceof Asymmetric) return wanted.holds(error);
  return words === String(wanted.message);
}

function callsOf(mock) {
  if (!mock || !mock.mock) throw new TypeError('the value is no mock function: make it with jest.fn()');
  return mock.mock.calls;
}

const has = (all, wanted, same) => (typeof all === 'string' ? all.includes(wanted) : [...all].some((one) => same(one, wanted)));
const numeric = (test) => (actual, wanted) => {
  const fit = [actual, wanted].every((one) => typeof one === 'number' || typeof one === 'bigint');
  if (!fit) throw new ExpectationFailed('both values must be numbers', wanted, actual);
  return test(actual, wanted);
};

const MATCHERS = {
  toBe: (actual, wanted) => Object.is(actual, wanted),
  toEqual: (actual, wanted) => equals(actual, wanted),
  toStrictEqual: (actual, wanted) => equals(actual, wanted, true),
  toBeCloseTo: (actual, wanted, digits = 2) => actual === wanted || Math.abs(wanted - actual) < 10 ** -digits / 2,
  toContain: (actual, wanted) => has(actual, wanted, (a, b) => a === b || Object.is(a, b)),
  toContainEqual: (actual, wanted) => has(actual, wanted, (a, b) => equals(a, b)),
  toHaveLength: (actual, wanted) => actual.length === wanted,
  toBeTruthy: (actual) => Boolean(actual),
  toBeFalsy: (actual) => !actual,
  toBeNull: (actual) => actual === null,
  toBeUndefined: (actual) => actual === undefined,
  toBeDefined: (actual) => actual !== undefined,
  toBeNaN: (actual) => Number.isNaN(actual),
  toMatch: (actual, wanted) => (typeof wanted === 'string' ? actual.includes(wanted) : wanted.test(actual)),
  toMatchObject: matches,
  toHaveProperty: (actual, path, ...value) => {
    const [there, found] = reach(actual, path);
    return there && (!value.length || equals(found, value[0]));
  },
  toBeInstanceOf: (actual, wanted) => actual instanceof wanted,
  toBeGreaterThan: numeric((a, b) => a > b),
  toBeGreaterThanOrEqual: numeric((a, b) => a >= b),
  toBeLessThan: numeric((a, b) => a < b),
  toBeLessThanOrEqual: numeric((a, b) => a <= b),
  toHaveBeenCalled: (mock) => callsOf(mock).length > 0,
  toHaveBeenCalledTimes: (mock, wanted) => callsOf(mock).length === wanted,
  toHaveBeenCalledWith: (mock, ...wanted) => callsOf(mock).some((given) => equals(given, wanted)),
  toHaveBeenLastCalledWith: (mock, ...wanted) => equals(callsOf(mock).at(-1), wanted),
  toHaveBeenNthCalledWith: (mock, n, ...wanted) => equals(callsOf(mock)[n - 1], wanted),
  toHaveReturnedWith: (mock, wanted) => callsOf(mock) && mock.mock.results.some((one) => equals(one.value, wanted)),
};
const ALIASES = {
  toThrowError: 'toThrow',
  toBeCalled: 'toHaveBeenCalled',
  toBeCalledWith: 'toHaveBeenCalledWith',
  toBeCalledTimes: 'toHaveBeenCalledTimes',
  lastCalledWith: 'toHaveBeenLastCalledWith',
};

function check(holds, { name, not, actual, wanted }) {
  if (Boolean(holds) !== not) return;
  const calls = actual?.mock?.calls;
  const shown = calls ? (/Times$/.test(name) ? calls.length : calls) : actual;
  throw new ExpectationFailed(`expect(...)${not ? '.not' : ''}.${name}() does not hold`, wanted[0], shown);
}

// An error that `thrown` carries, or none.
function throwing(actual, isSettled) {
  if (isSettled) return [true, actual];
  if (typeof actual !== 'function') throw new TypeError('toThrow needs a function to call');
  try {
    actual();
  } catch (error) {
    return [true, error];
  }
  return [false, undefined];
}

function matcher(name, actual, not, isSettled) {
  const known = ALIASES[name] ?? name;
  if (known === 'toThrow') {
    return (wanted) => {
      const [thrown, error] = throwing(actual, isSettled);
      const shown = thrown ? error : new Asymmetric('no error', () => false);
      check(thrown && isThrown(error, wanted), { name, not, actual: shown, wanted: [wanted ?? new Asymmetric('an error')] });
    };
  }
  if (!Object.hasOwn(MATCHERS, known)) {
    return () => {
      throw new TypeError(`the matcher ${name} is not known here`);
    };
  }
  return (...wanted) => check(MATCHERS[known](actual, ...wanted), { name, not, actual, wanted });
}

function settled(promise, wantsError) {
  const start = typeof promise === 'function' ? Promise.resolve().then(promise) : Promise.resolve(promise);
  return start.then(
    (value) => {
      if (wantsError) throw new ExpectationFailed('the promise was to be rejected', new Asymmetric('a rejection', () => false), value);
      return value;
    },
    (error) => {
      if (!wantsError) throw new ExpectationFailed('the promise was to be fulfilled', new Asymmetric('a value', () => false), error);
      return error;
    },
  );
}

function later(promise, wantsError, not) {
  const get = (_, name) => {
    if (name === 'not') return later(promise, wantsError, !not);
    if (typeof name === 'symbol' || name === 'then') return undefined;
    return (...wanted) => settled(promise, wantsError).then((value) => matcher(name, value, not, true)(...wanted));
  };
  return new Proxy({}, { get });
}

function makeExpect(onCall) {
  const chain = (actual, not) =>
    new Proxy({}, {
      get(_, name) {
        if (name === 'not') return chain(actual, !not);
        if (name === 'resolves' || name === 'rejects') return later(actual, name === 'rejects', not);
        return typeof name === 'symbol' || name === 'then' ? undefined : matcher(name, actual, not, false);
      },
    });
  const expect = (actual) => {
    onCall();
    return chain(actual, false);
  };
  const one = (words, holds) => new Asymmetric(words, holds);
  const of = { String: 'string', Number: 'number', Boolean: 'boolean', Function: 'function', BigInt: 'bigint', Object: 'object' };
  const contains = (wanted) => (value) => Array.isArray(value) && wanted.every((w) => value.some((v) => equals(v, w)));
  const asymmetric = {
    anything: () => one('anything', (value) => value !== null && value !== undefined),
    any: (kind) => one(`any ${kind.name}`, (value) => typeof value === of[kind.name] || value instanceof kind),
    arrayContaining: (wanted) => one(`array containing ${inspect(wanted)}`, contains(wanted)),
    objectContaining: (wanted) => one(`object containing ${inspect(wanted)}`, (value) => matches(value, wanted)),
    stringContaining: (wanted) => one(`text containing ${wanted}`, (value) => String(value).includes(wanted)),
    stringMatching: (wanted) => one(`text matching ${wanted}`, (value) => new RegExp(wanted).test(value)),
    closeTo: (wanted, digits) => one(`close to ${wanted}`, (value) => MATCHERS.toBeCloseTo(value, wanted, digits)),
  };
  const negated = ([name, make]) => [name, (...wanted) => one(`not ${make(...wanted).words}`, (v) => !make(...wanted).holds(v))];
  Object.assign(expect, asymmetric);
  expect.not = Object.fromEntries(Object.entries(asymmetric).map(negated));
  return expect;
}

function makeMock(implementation) {
  const once = [];
  let always = implementation;
  const mock = function mockFunction(...given) {
    mock.mock.calls.push(given);
    mock.mock.instances.push(this);
    try {
      const run = once.length ? once.shift() : always;
      const value = run ? run.apply(this, given) : undefined;
      mock.mock.results.push({ type: 'return', value });
      return value;
    } catch (error) {
      mock.mock.results.push({ type: 'throw', value: error });
      throw error;
    }
  };
  const clear = () => ((mock.mock = { calls: [], results: [], instances: [] }), mock);
  const use = (run) => ((always = run), mock);
  const next = (run) => (once.push(run), mock);
  clear();
  return Object.assign(mock, {
    mockClear: clear,
    mockReset: () => ((once.length = 0), use(undefined), clear()),
    mockImplementation: use,
    mockImplementationOnce: next,
    mockReturnValue: (value) => use(() => value),
    mockReturnValueOnce: (value) => next(() => value),
    mockResolvedValue: (value) => use(async () => value),
    mockResolvedValueOnce: (value) => next(async () => value),
    mockRejectedValue: (error) => use(() => Promise.reject(error)),
    mockRejectedValueOnce: (error) => next(() => Promise.reject(error)),
  });
}

function spyOn(object, name) {
  const original = object[name];
  const mock = makeMock(original);
  mock.mockRestore = () => (object[name] = original);
  object[name] = mock;
  return mock;
}

module.exports = { ExpectationFailed, makeExpect, makeMock, spyOn };
