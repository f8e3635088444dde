"""JavaScript tests of every form on programs that are right, wrong, broken or hostile, through the real sandbox."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from perturbation.languages.base import CaseOutcome, TestRun, TestRunStatus
from perturbation.languages.javascript import JAVASCRIPT_LIMITS, run_tests
from perturbation.languages.javascript_tests import prepare
from perturbation.sandbox import means
from perturbation.sandbox.launched import Landlocked

PASSED, FAILED, ERROR = CaseOutcome.PASSED, CaseOutcome.FAILED, CaseOutcome.ERROR
TIMEOUT, NOT_RUN = CaseOutcome.TIMEOUT, CaseOutcome.NOT_RUN
DOUBLE = "const double = (x) => x * 2\n"
TWO = "console.assert(double(2) === 4)\nconsole.assert(double(0) === 0)\n"
SHORT = replace(JAVASCRIPT_LIMITS, cpu_seconds=1, wall_seconds=60)


def outcomes(run: TestRun) -> list[tuple[str, CaseOutcome]]:
    return [(case.name, case.outcome) for case in run.cases]


def test_makes_every_console_assert_a_case() -> None:
    run = run_tests(program=DOUBLE, tests=f"const testDouble = () => {{\n{TWO}}}\n\ntestDouble()\n")

    assert (run.status, run.message, run.inconclusive) == (TestRunStatus.PASSED, "", False)
    assert outcomes(run) == [("L2: double(2) === 4", PASSED), ("L3: double(0) === 0", PASSED)]


def test_goes_on_after_what_fails_and_tells_an_error_apart() -> None:
    tests = (
        "console.assert(double(2) === 5, 'twice two')\nconsole.assert(double(null.x) === 1)\n"
        "console.assert(\n  double(3) === 6)\nfor (const n of [1, 2, 3]) console.assert(double(n) < 4, n)\n"
        "try { console.assert(null.x) } catch { console.assert(true) }\n"
    )

    run = run_tests(program=DOUBLE, tests=tests)

    assert (run.status, run.message) == (TestRunStatus.FAILED, "2 of 5 cases passed")
    assert outcomes(run) == [
        ("L1: double(2) === 5", FAILED),
        ("L2: double(null.x) === 1", ERROR),
        ("L3: double(3) === 6", PASSED),
        ("L5: double(n) < 4", FAILED),
        ("L6: true", PASSED),
    ]
    told = [(case.expected, case.actual, case.message) for case in run.cases]
    assert told[0] == ("5", "4", "twice two")
    assert told[1][2] == "TypeError: Cannot read properties of null (reading 'x') (line 2 of the tests)"
    assert told[3] == (None, "4", "2")


def test_makes_node_assertions_cases_too() -> None:
    tests = (
        "const assert = require('assert')\nassert.deepEqual([double(2)], [5])\nassert(double(1) === 2)\n"
        "assert.throws(() => double(Symbol()), TypeError)\n"
    )

    run = run_tests(program=DOUBLE, tests=tests)

    assert [case.outcome for case in run.cases] == [FAILED, PASSED, PASSED]
    assert (run.cases[0].expected, run.cases[0].actual) == ("[ 5 ]", "[ 4 ]")


def test_waits_for_what_is_asynchronous() -> None:
    program = "const double = async (x) => x * 2\n"
    tests = "setTimeout(async () => {\n  const two = await double(1)\n  console.assert(two === 3)\n}, 20)\n"

    late = run_tests(program=program, tests=tests)
    refused = run_tests(
        program="const double = async (x) => null.x\n", tests=f"(async () => {{ await double(1)\n{TWO} }})()"
    )

    assert outcomes(late) == [("L3: two === 3", FAILED)]
    assert (refused.status, outcomes(refused)) == (TestRunStatus.ERROR, [("tests", ERROR)])
    assert refused.cases[0].message.endswith("(line 1 of the program)")


def test_runs_a_program_that_is_a_module() -> None:
    program = "import { sqrt } from 'node:fs'\nexport const root = sqrt\n"
    right = "import { existsSync } from 'node:fs'\nexport const double = (x) => x * 2\n"

    broken = run_tests(program=program, tests="console.assert(root(4) === 2)")
    whole = run_tests(program=right, tests="const two = await double(1)\nconsole.assert(two === 2)")

    assert broken.message.startswith("failed on import: SyntaxError: The requested module 'node:fs'")
    assert (whole.status, outcomes(whole)) == (TestRunStatus.PASSED, [("L2: two === 2", PASSED)])


def test_draws_the_same_numbers_every_time() -> None:
    program = "const drawn = Math.random()\nconsole.log(drawn)\n"

    assert len({run_tests(program=program, tests="console.assert(drawn < 1)").output for _ in range(3)}) == 1


@pytest.mark.parametrize(
    ("program", "status", "message", "missing"),
    [
        ("const f = (\n  x => ;\n", TestRunStatus.BUILD, "does not parse: Unexpected token ';' (line 2)", ()),
        (
            "export const f = 1\nlet x = (\n",
            TestRunStatus.BUILD,
            "does not parse: Unexpected end of input (line 2)",
            (),
        ),
        (
            "const x = 1\nnull.x\n",
            TestRunStatus.ERROR,
            "failed on import: TypeError: Cannot read properties of null (reading 'x') (line 2 of the program)",
            (),
        ),
        ("const f = require('lodash/fp')\n", TestRunStatus.ERROR, "needs lodash", ("lodash",)),
        ("import f from '@a/b/c'\n", TestRunStatus.ERROR, "needs @a/b", ("@a/b",)),
    ],
)
def test_says_why_a_program_does_not_load(
    program: str, status: TestRunStatus, message: str, missing: tuple[str, ...]
) -> None:
    run = run_tests(program=program, tests=TWO)

    assert (run.status, run.message, run.missing) == (status, message, missing)
    assert {case.outcome for case in run.cases} == {NOT_RUN}


@pytest.mark.parametrize("tests", ["", "double(1)\n", "const helper = () => console.assert(double(1) === 2)\n"])
def test_never_passes_on_tests_that_check_nothing(tests: str) -> None:
    run = run_tests(program=DOUBLE, tests=tests)

    assert (run.status, run.message) == (TestRunStatus.ERROR, "the tests hold no case that ran")


@pytest.mark.parametrize(
    "body",
    [
        "process.exit(0)",
        "process.reallyExit(0)",
        "process.kill(process.pid, 'SIGKILL')",
        "for (let fd = 3; fd < 30; fd++) try { require('fs').writeSync(fd, '\\n' + '0'.repeat(32)"
        ' + \' ["case", "#0", "passed", null, null, "", 0]\\n\' + \'0\'.repeat(32) + \' ["end", 0]\\n\') } catch {}',
        "console.assert = () => {}; console.assert(true)",
        "String.prototype.toJSON = () => 'passed'; JSON.stringify = () => '\"passed\"'",
        "process.removeAllListeners()",
        "require('fs').writeSync = () => 0",
    ],
)
@pytest.mark.parametrize("place", ["import", "call"])
def test_never_passes_a_program_that_cheats(body: str, place: str) -> None:
    program = (
        f"{body}\nconst double = (x) => 7\n"
        if place == "import"
        else f"const double = (x) => {{\n{body}\nreturn 7 }}\n"
    )

    run = run_tests(program=program, tests=TWO)

    assert run.status in {TestRunStatus.ERROR, TestRunStatus.CRASHED, TestRunStatus.FAILED}
    assert run.message
    assert PASSED not in {case.outcome for case in run.cases}


def test_keeps_the_order_out_of_the_programs_reach() -> None:
    program = (
        "const fs = require('fs')\n"
        "const read = () => [0, '/dev/stdin', '/proc/self/fd/0'].map((f) => fs.readFileSync(f, 'utf8')).join('')\n"
    )

    run = run_tests(program=program, tests="console.assert(read() === '')\n")

    assert run.status == TestRunStatus.PASSED


def test_names_what_was_running_when_time_is_up() -> None:
    program = "const double = (x) => { while (x); return 0 }\n"
    tests = "console.assert(double(0) === 0)\nconsole.assert(double(2) === 4)\nconsole.assert(double(3) === 6)\n"

    run = run_tests(program=program, tests=tests, limits=SHORT)

    assert (run.status, run.inconclusive, run.message) == (
        TestRunStatus.TIMEOUT,
        False,
        "the program ran out of CPU time",
    )
    assert [case.outcome for case in run.cases] == [PASSED, TIMEOUT, NOT_RUN]


def test_names_memory_and_endless_output() -> None:
    heap = run_tests(
        program="const double = (x) => { const a = []; for (;;) a.push(new Array(1000).fill(x)) }\n", tests=TWO
    )
    buffer = run_tests(program="const double = (x) => Buffer.alloc(2 ** 30, 1)\n", tests=TWO)
    flood = run_tests(program="for (;;) console.log('x')\n", tests=TWO)

    assert (heap.status, heap.message) == (TestRunStatus.MEMORY, "the program ran out of memory")
    assert (buffer.status, buffer.cases[0].outcome) == (TestRunStatus.MEMORY, ERROR)
    assert (flood.status, flood.message) == (TestRunStatus.CRASHED, "the program printed too much")


BOARD = """// ==== board.js ====
import { one } from './deep/one';
export class Board {
  add(x) { if (x < 0) throw new RangeError('too small'); return x + one; }
}
export const later = async (x) => { if (x) return x; throw new Error('none'); };
// ==== deep/one.js ====
export const one = 1;
"""
SPEC = """// ==== board.spec.js ====
import { describe, expect, jest, test, xtest } from '@jest/globals';
import { Board, later } from './board';

describe('Board', () => {
  let board;
  beforeEach(() => { board = new Board(); });
  test('adds', () => { expect(board.add(1)).toBe(2); });
  xtest('adds wrongly', () => { expect(board.add(1)).toEqual({ a: 3 }); });
  test.skip('refuses', () => {
    for (const wanted of [undefined, RangeError, 'too', /small$/, new Error('too small')]) {
      expect(() => board.add(-1)).toThrow(wanted);
    }
    expect(() => board.add(1)).not.toThrow();
  });
  test('refuses nothing', () => { expect(() => board.add(1)).toThrow(); });
  test('asks for what is not there', () => { expect(1).toBeFoo(); });
  test('waits', async () => {
    await expect(later(0)).rejects.toThrow('none');
    await expect(later(2)).resolves.toBe(2);
  });
  test('never ends', () => new Promise(() => {}));
  test('calls back', (done) => { setTimeout(done, 5); });
  test('goes astray', () => new Promise(() => { setTimeout(() => { throw new Error('late'); }); }));
});
test.each([[1, 2], [2, 4]])('%i gives %i', (given, wanted) => { expect(new Board().add(given)).toBe(wanted); });
test('mocks', () => {
  const mock = jest.fn((x) => x);
  mock(1, { a: [2] });
  expect(mock).toHaveBeenCalledWith(1, { a: [2] });
  expect(mock).toHaveBeenCalledTimes(2);
});
"""


def test_runs_jest_tests_of_several_files_those_marked_to_be_skipped_too() -> None:
    run = run_tests(program=BOARD, tests=SPEC)

    assert outcomes(run) == [
        ("Board › adds", PASSED),
        ("Board › adds wrongly", FAILED),
        ("Board › refuses", PASSED),
        ("Board › refuses nothing", FAILED),
        ("Board › asks for what is not there", ERROR),
        ("Board › waits", PASSED),
        ("Board › never ends", ERROR),
        ("Board › calls back", PASSED),
        ("Board › goes astray", ERROR),
        ("1 gives 2", PASSED),
        ("2 gives 4", FAILED),
        ("mocks", FAILED),
    ]
    messages = {case.name: case.message for case in run.cases}
    assert messages["Board › asks for what is not there"].startswith("TypeError: the matcher toBeFoo is not known here")
    assert messages["Board › goes astray"] == "Error: late (line 23 of the tests (board.spec.js))"
    assert [(case.expected, case.actual) for case in run.cases if case.outcome is FAILED] == [
        ("{ a: 3 }", "2"),
        ("an error", "no error"),
        ("4", "3"),
        ("2", "1"),
    ]


EXPECTATIONS = """
expect({ a: 1, b: undefined }).toEqual({ a: expect.any(Number) });
expect({ a: undefined }).not.toStrictEqual({});
expect([, 1]).toEqual([undefined, 1]);
expect([, 1]).not.toStrictEqual([undefined, 1]);
expect(new Map([[1, { a: new Set([2]) }]])).toEqual(new Map([[1, { a: new Set([2]) }]]));
expect(new Set([1, 2])).not.toEqual(new Set([1, 3]));
expect(new Date(5)).not.toEqual(new Date(6));
expect(0).not.toBe(-0);
expect(NaN).toEqual(NaN);
expect(0.1 + 0.2).toBeCloseTo(0.3);
expect(1.01).not.toBeCloseTo(1.0);
expect([1, { a: 2 }]).toContainEqual({ a: 2 });
expect([1, { a: 2 }]).not.toContain({ a: 2 });
expect('word').toContain('or');
expect('word').toMatch(/^w/);
expect('word').toHaveLength(4);
expect([null, 0, '', undefined, NaN].every((x) => { expect(x).toBeFalsy(); return true; })).toBeTruthy();
expect(null).toBeNull();
expect(undefined).toBeUndefined();
expect(null).toBeDefined();
expect(NaN).toBeNaN();
expect({ a: { b: 1, c: 2 } }).toMatchObject({ a: { b: 1 } });
expect({ a: [{ b: 1 }] }).toHaveProperty('a[0].b', 1);
expect({}).not.toHaveProperty('a');
expect(new TypeError('x')).toBeInstanceOf(Error);
expect(2).toBeGreaterThan(1);
expect(2).toBeGreaterThanOrEqual(2);
expect(1n).toBeLessThan(2);
expect(2).not.toBeLessThanOrEqual(1);
expect(jest.fn()).not.toHaveBeenCalled();
expect([3, 1, 2]).toEqual(expect.arrayContaining([1, 2]));
expect(() => { throw new TypeError('a b'); }).not.toThrow('c');
"""


def test_knows_the_common_matchers_each_way() -> None:
    lines = EXPECTATIONS.strip().split("\n")
    right = [f"test({json.dumps(line)}, () => {{ {line} }});" for line in lines]
    turned = [
        line.replace(").not.", ").", 1) if ").not." in line else line.replace(").to", ").not.to", 1) for line in lines
    ]
    wrong = [
        f"test({json.dumps('not ' + line)}, () => {{ {other} }});"
        for line, other in zip(lines, turned, strict=True)
        if ".every(" not in line
    ]

    run = run_tests(program="const x = 1\n", tests="\n".join([*right, *wrong]))

    assert {name for name, outcome in outcomes(run) if outcome is PASSED} == set(lines)
    assert {outcome for name, outcome in outcomes(run) if name.startswith("not ")} == {FAILED}


def test_runs_jest_tests_that_require_their_program() -> None:
    program = "// ==== one.js ====\nmodule.exports = { one: () => 1 }\n"
    tests = "// ==== one.test.js ====\nconst { one } = require('./one')\ntest('one', () => { expect(one()).toBe(1) })\n"

    run = run_tests(program=program, tests=tests)

    assert (run.status, outcomes(run)) == (TestRunStatus.PASSED, [("one", PASSED)])


def test_leaves_alone_what_a_test_did_not_wait_for_as_jest_does() -> None:
    program = (
        "// ==== a.js ====\nconst late = (n) => new Promise((_, fail) => setTimeout(fail, n));\nexport { late };\n"
    )
    tests = (
        "// ==== a.spec.js ====\nimport { late } from './a';\n"
        "test('hasty', () => { expect(late(10_000)).resolves.toBe(1); });\n"
        "test('waits', async () => { await expect(late(5)).resolves.toBe(1); });\n"
    )

    run = run_tests(program=program, tests=tests)

    assert (run.status, outcomes(run)) == (TestRunStatus.FAILED, [("hasty", PASSED), ("waits", FAILED)])


@pytest.fixture
def without_namespaces(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    means._choose.cache_clear()
    monkeypatch.setattr(means, "candidates", lambda: iter((Landlocked(),)))
    yield
    means._choose.cache_clear()


@pytest.mark.usefixtures("without_namespaces")
def test_runs_where_the_sandbox_has_no_namespaces() -> None:
    program = "// ==== one.js ====\nexport const one = 1;\n"
    tests = "// ==== one.spec.js ====\nimport { one } from './one';\ntest('one', () => { expect(one).toBe(1); });\n"

    run = run_tests(program=program, tests=tests)

    assert (run.status, run.sandbox, outcomes(run)) == (TestRunStatus.PASSED, "landlock", [("one", PASSED)])


def test_says_which_file_or_name_is_wrong() -> None:
    tests = "// ==== a.spec.js ====\nimport { b } from './a';\ntest('b', () => { expect(b).toBe(1); });\n"

    broken = run_tests(program="// ==== a.js ====\nexport const b = 1;\nlet x = (\n", tests=tests)
    nameless = run_tests(program="// ==== a.js ====\nexport const c = 1;\n", tests=tests)

    assert (broken.status, broken.message) == (
        TestRunStatus.BUILD,
        "does not parse: Unexpected end of input (line 2 of a.js)",
    )
    assert (nameless.status, outcomes(nameless)) == (TestRunStatus.ERROR, [("a.spec.js", ERROR)])
    assert "does not provide an export named 'b'" in nameless.cases[0].message


def test_runs_each_stdin_case_as_a_script() -> None:
    program = (
        "const [n] = require('fs').readFileSync('/dev/stdin', 'utf8').split('\\n')\n"
        "if (n === 'x') throw new RangeError('odd')\nconsole.log(n * 2)\n"
    )
    cases = [("2\n", "4\n"), ("3\n", "7\n"), ("x\n", "")]
    tests = json.dumps({"cases": [{"input": given, "output": wanted} for given, wanted in cases]})

    run = run_tests(program=program, tests=tests, kind="stdin")
    broken = run_tests(program="const n = (\n", tests=tests, kind="stdin")

    assert outcomes(run) == [("case 1", PASSED), ("case 2", FAILED), ("case 3", ERROR)]
    assert (run.cases[1].expected, run.cases[1].actual) == ("7\n", "6\n")
    assert run.cases[2].message == "RangeError: odd"
    assert (broken.status, broken.message) == (
        TestRunStatus.BUILD,
        "does not parse: SyntaxError: Unexpected end of input",
    )


def test_calls_a_function_or_a_method_of_solution() -> None:
    values = [(2, 4), ("a", 4), (None, 0)]
    tests = json.dumps({"cases": [{"arguments": [given], "output": wanted} for given, wanted in values]})

    plain = run_tests(program=DOUBLE, tests=tests, entry_point="double", kind="calls")
    method = run_tests(
        program="class Solution { async pair(x) { return { x: [x, 2n] } } }",
        tests='{"cases": [{"arguments": [1], "output": {"x": [1, 2]}}]}',
        entry_point="pair",
        kind="calls",
    )
    nameless = run_tests(program=DOUBLE, tests=tests, entry_point="triple", kind="calls")

    assert outcomes(plain) == [("case 1", PASSED), ("case 2", FAILED), ("case 3", PASSED)]
    assert (plain.cases[1].expected, plain.cases[1].actual) == ("4", "NaN")
    assert method.status == TestRunStatus.PASSED
    assert (nameless.status, nameless.message) == (TestRunStatus.ERROR, "the program defines no function triple")


def test_says_which_call_ended_the_run() -> None:
    program = "const f = (x) => { if (x === 1) for (;;); if (x === 2) return new Map(); return x }\n"
    tests = (
        '{"cases": [{"arguments": [2], "output": 2}, {"arguments": [1], "output": 1}, {"arguments": [0], "output": 0}]}'
    )

    run = run_tests(program=program, tests=tests, entry_point="f", kind="calls", limits=SHORT)

    assert (run.status, [case.outcome for case in run.cases]) == (TestRunStatus.TIMEOUT, [ERROR, TIMEOUT, NOT_RUN])
    assert run.cases[0].message.startswith("TypeError: JSON has no form for the value that was returned: Map(0) {}")


@pytest.mark.parametrize("kind", ["stdin", "calls"])
def test_says_that_the_cases_cannot_be_read(kind: str) -> None:
    run = run_tests(program=DOUBLE, tests="console.assert(true)", entry_point="double", kind=kind)

    assert run.status == TestRunStatus.ERROR
    assert run.message.startswith("the tests are no JSON")


def test_reads_hostile_tests_without_an_error() -> None:
    for text in ("(" * 50_000, "console.assert(" * 5_000, "\udc80", "console.assert()"):
        assert prepare(text).sites == ()


@pytest.mark.parametrize(
    "tests",
    [
        "const test = () => { console.assert(doubled(1) === 2) }; test()",
        "function it() { console.assert(doubled(1) === 2) }\nit();",
    ],
)
def test_takes_functions_of_the_tests_own_for_no_suites(tests: str) -> None:
    run = run_tests(program="function doubled(x) { return 3 * x }\n", tests=tests)

    assert run.status is TestRunStatus.FAILED
    assert [case.name for case in run.cases] == ["L1: doubled(1) === 2"]


def test_passes_nothing_where_the_program_replaces_the_suites() -> None:
    program = "function doubled(x) { return 3 * x }\nfunction test() {}\n"

    run = run_tests(program=program, tests="test('doubles', () => { expect(doubled(1)).toBe(2) })")

    assert run.status is not TestRunStatus.PASSED
