"""Wrong programs that try to settle their own tests; each passed once."""

from __future__ import annotations

import pytest

from perturbation.languages import registry
from perturbation.languages.base import TestRunStatus

JAVASCRIPT = "function add(a, b) { return a - b; }\n"
SCRIPT = (
    "const assert = require('node:assert');\nassert.strictEqual(add(1, 2), 3);\nif (add(2, 2) !== 4) throw Error();\n"
)
SUITE = "test('adds', () => { expect(add(1, 2)).toBe(3); });\n"
EXPECT = "globalThis.expect = () => ({ toBe() {} });\n"
PYTHON = "def add(a, b):\n    return a - b\n"
FUNCTIONS = "def test_add():\n    assert add(1, 2) == 3\n"
CLASS = (
    "import unittest\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n"
)
ASSERT_EQUAL = "import unittest\nunittest.TestCase.assertEqual = lambda *_: None\n"
RUN_CASE = "import sys\nsys.modules['__main__'].run_case = lambda r, n, f: r.case(n, 'passed', 0.0)\n"
CPP = """#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((constructor(101))) void forge()
{
    char nonce[64] = {0};
    const char* number = getenv("AXIOM_RESULTS_FD");
    if (read(0, nonce, 63) <= 0 || !number) return;
    dprintf(atoi(number), "\\n%s [\\"case\\", \\"#0\\", \\"passed\\", null, null, \\"\\", 0]\\n", nonce);
    dprintf(atoi(number), "%s [\\"end\\", 0]\\n", nonce);
    _exit(0);
}
int add(int a, int b) { return a - b; }
"""
CPP_TESTS = "#include <assert.h>\nint main() {\n    assert(add(1, 2) == 3);\n}\n"
RUST = "fn main() {}\nfn add(a: i32, b: i32) -> i32 { a - b }\n"
RUST_TESTS = (
    "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn adds() { assert_eq!(add(1, 2), 3); }\n}\n"
)
RUST_CASE = "mod others { #[test] fn adds() {} }\n"
NO_MAIN = """#![no_main]
#[no_mangle] pub extern "C" fn main() -> i32 {
    println!("running 1 test\\ntest tests::adds ... ok\\n");
    println!("test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out");
    0
}
fn add(a: i32, b: i32) -> i32 { a - b }
"""
JAVA = "import java.util.*;\nclass Solution { int add(int a, int b) { return a - b; } }\n"
JAVA_CASES = "class axiom { static class Cases { static boolean same(int n, long a, long b) { return true; } } }\n"
JAVA_TESTS = """public class Main {
    public static void main(String[] args) {
        List<Boolean> correct = Arrays.asList(new Solution().add(1, 2) == 3);
        if (correct.contains(false)) throw new AssertionError();
    }
}
"""


@pytest.mark.parametrize(
    ("language", "program", "tests"),
    [
        pytest.param("javascript", f"{JAVASCRIPT}return;\n", SCRIPT, id="returns before its tests"),
        pytest.param("javascript", JAVASCRIPT + EXPECT, SUITE, id="replaces expect"),
        pytest.param("python", PYTHON + ASSERT_EQUAL, CLASS, id="replaces assertEqual"),
        pytest.param("python", PYTHON + RUN_CASE, FUNCTIONS, id="replaces the harness"),
        pytest.param("cpp", CPP, CPP_TESTS, id="reads the nonce in a constructor"),
        pytest.param(
            "rust", RUST + "macro_rules! assert_eq { ($($t:tt)*) => {} }\n", RUST_TESTS, id="defines assert_eq"
        ),
        pytest.param("rust", RUST + RUST_CASE + "#[cfg(any())]\n", RUST_TESTS, id="ends with an attribute"),
        pytest.param("rust", NO_MAIN, RUST_TESTS, id="brings a main of its own"),
        pytest.param("java", JAVA + JAVA_CASES, JAVA_TESTS, id="hides the harness's package"),
    ],
)
def test_no_wrong_program_settles_its_own_tests(language: str, program: str, tests: str) -> None:
    run = registry.get(language).run_tests(program=program, tests=tests)

    assert run.status in {TestRunStatus.FAILED, TestRunStatus.ERROR, TestRunStatus.BUILD, TestRunStatus.CRASHED}
