"""docker-compose.yml: read as data, and its commands started with its environment against real services."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import local_servers
from tests.services.conftest import ROOT, Installation

pytestmark = pytest.mark.services


def compose() -> dict[str, Any]:
    """The parsed file."""
    parsed: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return parsed


def command_of(service: str, **values: str) -> list[str]:
    """The command of a service, variables replaced by `values` or their defaults, program names by this interpreter."""
    command = compose()["services"][service]["command"]
    words = [re.sub(r"\$\{(\w+)(?::-([^}]*))?\}", lambda m: values.get(m[1], m[2] or ""), word) for word in command]
    if words[0] == "sh":
        words = shlex.split(words[2].partition("exec ")[2])
    return words[1:] if words[0] == "python" else ["-m", *words]


def get(url: str, *, host: str = "axiom.example.org") -> tuple[int, str]:
    """Fetch a page as the proxy does, without following redirects elsewhere."""
    request = urllib.request.Request(url, headers={"Host": host, "X-Forwarded-Proto": "https"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.status, answer.read().decode()


def test_has_every_service_with_health_checks_and_volumes_where_state_is() -> None:
    parsed = compose()
    services = parsed["services"]

    assert set(services) == {"db", "redis", "migrate", "web", "worker", "beat"}
    assert {name for name, service in services.items() if "healthcheck" in service} == {"db", "redis", "web", "worker"}
    assert set(parsed["volumes"]) == {"database", "queue", "data"}
    assert services["worker"]["security_opt"] == ["seccomp=unconfined", "apparmor=unconfined", "systempaths=unconfined"]
    assert not any("privileged" in service for service in services.values())
    assert all("security_opt" not in services[name] for name in ("web", "beat", "migrate"))
    for name in ("web", "worker", "beat"):
        assert services[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_names_in_the_example_every_variable_without_a_default() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    needed = set(re.findall(r"\$\{(\w+)\}", text)) | {"AXIOM_SECRET_KEY", "AXIOM_ALLOWED_HOSTS"}
    defaulted = set(re.findall(r"\$\{(\w+):-", text))

    assert needed == {"POSTGRES_PASSWORD", "AXIOM_SECRET_KEY", "AXIOM_ALLOWED_HOSTS"}
    assert needed <= set(re.findall(r"^(\w+)=", example, re.MULTILINE))
    assert defaulted <= set(re.findall(r"^#?(\w+)=", example, re.MULTILINE))


def test_builds_from_files_that_are_there() -> None:
    build = compose()["services"]["web"]["build"]
    dockerfile = (ROOT / build["dockerfile"]).read_text(encoding="utf-8")
    copied = re.findall(r"^COPY (.+) \./$", dockerfile, re.MULTILINE)

    assert copied == ["requirements.lock requirements-embedding.lock"]
    assert all((ROOT / name).is_file() for name in copied[0].split())


def test_refuses_to_start_in_production_without_its_secret(installation: Installation) -> None:
    installation.environment["AXIOM_SECRET_KEY"] = ""

    done = installation.manage("check")

    assert done.returncode != 0
    assert "AXIOM_SECRET_KEY is missing" in done.stderr


def test_serves_the_site_and_works_through_the_worker(installation: Installation, tmp_path: Path) -> None:
    port = str(local_servers.free_port())
    collected = installation.manage("collectstatic", "--noinput", "--verbosity", "0")
    assert collected.returncode == 0, collected.stderr
    installation.start("web", *command_of("web", AXIOM_PORT=port))
    installation.start("worker", *command_of("worker"))
    installation.start("beat", *[word.replace("/tmp/", f"{tmp_path}/") for word in command_of("beat")])
    source = tmp_path / "one.jsonl"
    source.write_text(json.dumps(one_requirement()), encoding="utf-8")
    imported = installation.manage("import_requirements", str(source), "--format", "axiom", "--benchmark", "team")
    assert imported.returncode == 0, imported.stderr

    done = installation.manage("verify", "--benchmark", "team", "--json")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["accepted"] == 1
    assert wait_for_health(f"http://127.0.0.1:{port}/healthz") == {
        "status": "ok",
        "database": "ok",
        "broker": "ok",
        "worker": "ok",
    }
    assert log_in(installation, f"http://127.0.0.1:{port}") == "root"


def one_requirement() -> dict[str, str]:
    """A row of the interchange format."""
    return {
        "external_id": "double",
        "language": "python",
        "requirement": "Write `double(n)`: twice n.",
        "entry_point": "double",
        "reference": 'def double(n: int) -> int:\n    """Return twice n."""\n    return 2 * n\n',
        "tests": "def test_double() -> None:\n    assert double(4) == 8\n",
    }


def wait_for_health(url: str) -> dict[str, str]:
    """Ask until the answer is good or half a minute has passed; return the last answer."""
    deadline = time.monotonic() + 30
    health: dict[str, str] = {}
    while health.get("status") != "ok" and time.monotonic() < deadline:
        try:
            health = json.loads(get(url)[1])
        except OSError:
            time.sleep(0.2)
    return health


def log_in(installation: Installation, address: str) -> str:
    """Make a superuser, log in over HTTP as a browser does behind the proxy, and return the name in the session."""
    installation.environment["DJANGO_SUPERUSER_PASSWORD"] = "a-long-password-1"
    made = installation.manage("createsuperuser", "--noinput", "--username", "root", "--email", "")
    assert made.returncode == 0, made.stderr
    cookies: dict[str, str] = {}
    headers = {"Host": "axiom.example.org", "X-Forwarded-Proto": "https", "Referer": "https://axiom.example.org/"}

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
            return None

    opener = urllib.request.build_opener(Stay)

    def send(path: str, form: str | None = None) -> tuple[int, str]:
        sent = {**headers, "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        request = urllib.request.Request(address + path, data=form.encode() if form else None, headers=sent)
        try:
            answer = opener.open(request, timeout=20)
        except urllib.error.HTTPError as error:
            answer = error
        for line in answer.headers.get_all("Set-Cookie") or []:
            assert "Secure" in line
            name, _, value = line.partition(";")[0].partition("=")
            cookies[name] = value
        return answer.status, answer.read().decode()

    _, page = send("/accounts/login/")
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token
    status, _ = send(
        "/accounts/login/",
        f"csrfmiddlewaretoken={token[1]}&username=root&password=a-long-password-1",
    )
    assert status == 302
    status, page = send("/admin/")
    assert status == 200
    found = re.search(r"<strong>(\w+)</strong>", page)
    return found[1] if found else page


def test_starts_this_interpreter() -> None:
    assert Path(sys.executable).exists()
    assert command_of("worker")[:3] == ["-m", "celery", "-A"]
    assert command_of("migrate") == ["manage.py", "migrate", "--noinput"]
