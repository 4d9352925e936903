"""What decides whether a server is this machine sees the host that its client will see."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import urllib3

from agents.models.addresses import parse_address
from agents.models.ollama import server_url
from tests.command_line import zork

HERE = (
    "http://localhost",
    "http://localhost/",
    "http://localhost:11434",
    "https://localhost:8443/v1",
    "HTTP://LOCALHOST:80/v1",
    "http://127.0.0.1",
    "http://127.0.0.1:1234/v1/",
    "http://127.255.255.254",
    "http://[::1]",
    "http://[::1]:8080/v1",
    "http://[0:0:0:0:0:0:0:1]:80",
    "http://localhost:80/a%20b/c",
    " http://localhost:1 ",
)
ELSEWHERE = (
    "http://evil.example",
    "https://evil.example/v1",
    "http://evil.example:80",
    "http://192.0.2.1",
    "http://0.0.0.0",
    "http://0.0.0.0:11434",
    "http://[::]:80",
    "http://[::ffff:127.0.0.1]",
    "http://[::127.0.0.1]",
    "http://[fe80::1]",
    "http://localhost.",
    "http://localhost.evil.example",
    "http://evil.example.localhost",
    "http://localhost-evil.example",
    "http://127.0.0.1.evil.example",
    "http://127.evil.example",
    "http://xn--lcalhost-r8a.example",
    "http://user@localhost",
    "http://localhost@evil.example",
    "http://localhost:80@evil.example",
    "http://me:pass@127.0.0.1:80",
    "http://localhost%2f@evil.example",
    "http://evil.example/localhost",
    "http://evil.example?localhost",
    "http://xlocalhost",
    "http://localhost_",
)
NONE = (
    "http://localhost\\@evil.example:1234",
    "http://localhost\\@evil.example/v1",
    "http://127.0.0.1:80\\@evil.example",
    "http:\\\\localhost",
    "http://localhost\\.evil.example",
    "http://127.0.0.1#@evil.example",
    "http://127.0.0.1?@evil.example",
    "http://localhost/@evil.example",
    "http://[::1]@evil.example",
    "http://[::1",
    "http://::1",
    "http://[fe80::1%25lo]",
    "http://[::1%lo]",
    "http://127.1",
    "http://127.0.0.01",
    "http://0177.0.0.1",
    "http://2130706433",
    "http://0x7f000001",
    "http://0x7f.0.0.1",
    "http://127.0.0.1.",
    "http://127.0.0.256",
    "http://localhost\t.evil.example",
    "http://localhost\n@evil.example",
    "http://local\x00host",
    "http://local host",
    "http://\u24dbocalhost",
    "http://127.0.0.1\u3002evil.example",
    "http://loc\u0430lhost",
    "http://localhost:http://evil.example",
    "http://localhost:",
    "http://localhost:99999",
    "http://localhost:-1",
    "http:evil.example",
    "http:/localhost",
    "http:///evil.example",
    "//evil.example",
    "x://localhost/@evil.example",
    "evil.example://localhost",
    "evil.example/://localhost",
    "evil.example#://localhost",
    "evil.example:80/x?y=://localhost",
    "localhost/://evil.example",
    "ftp://localhost",
    "file:///etc/passwd",
    "http://a@b@localhost",
    "http://" + "localhost." * 600,
)


def loopback(host: str | None) -> bool:
    """Whether a client that reads this host stays on this machine."""
    name = (host or "").strip("[]")
    return name == "localhost" or ipaddress.ip_address(name).is_loopback


def test_the_table_is_long_enough() -> None:
    assert len({*HERE, *ELSEWHERE, *NONE}) > 80


@pytest.mark.parametrize("text", HERE)
def test_every_client_takes_for_this_machine_what_is_taken_for_it(text: str) -> None:
    plain = text.strip()
    assert parse_address(plain).is_here
    for url in (plain, str(server_url(plain))):
        assert loopback(httpx.URL(url).host)
        assert loopback(urlsplit(url).hostname)
        assert loopback(urllib3.util.parse_url(url).host)


def written(tmp_path: Path, model: str, text: str) -> str:
    """A graph file with an address in it, in TOML's basic string."""
    quoted = "".join(c if " " <= c <= "~" and c not in '\\"' else f"\\U{ord(c):08x}" for c in text)
    path = tmp_path / "gift.toml"
    path.write_text(
        f'extends = "llm"\n[models.default]\nmodel = "{model}"\nbase_url = "{quoted}"\n', "utf-8"
    )
    return str(path)


@pytest.mark.slow
def test_a_file_may_name_this_machine_and_is_asked_about_any_other(tmp_path: Path) -> None:
    wrong = []
    for model, every in (("ollama:x", 1), ("openai:x", 5)):
        for text in (*HERE, *ELSEWHERE, *NONE)[::every]:
            done = zork("graph", "draw", written(tmp_path, model, text))
            wanted = 0 if text in HERE else 2
            asked = (
                "--trust" in done.stderr if text in ELSEWHERE else "plain address" in done.stderr
            )
            lines = done.stderr.count("\n")
            if done.returncode != wanted or (wanted and not (asked and lines == 1)):
                wrong.append((model, text, done))
            if len(done.stderr) > 700:
                wrong.append((model, "too long", done))
    assert not wrong


def test_what_is_no_plain_address_is_none_with_trust_either(tmp_path: Path) -> None:
    for text in NONE[::5]:
        done = zork("graph", "draw", written(tmp_path, "ollama:x", text), "--trust")
        assert (done.returncode, "plain address" in done.stderr) == (2, True), text


def test_what_the_user_says_is_not_asked_about(tmp_path: Path) -> None:
    typed = ("-s", "models.default.base_url=http://192.0.2.1:1")
    assert zork("graph", "draw", "llm", *typed).returncode == 0
    assert zork("graph", "draw", "llm", OLLAMA_HOST="http://192.0.2.2").returncode == 0
    given = written(tmp_path, "ollama:x", "http://192.0.2.2")
    done = zork("graph", "draw", given, OLLAMA_HOST="http://192.0.2.2")
    assert "base_url = http://192.0.2.2" in done.stderr, (
        "a file is asked about, whatever else is said"
    )


def test_a_plan_is_asked_about_as_well(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    for text in ("http://localhost\\\\@evil.example:7701", "http://evil.example"):
        plan.write_text(
            'games = "workshop"\ngraphs = "solo"\nsteps = 1\nseeds = 1\n'
            f'settings = ["models.default.base_url={text}"]\n',
            encoding="utf-8",
        )
        done = zork("bench", str(plan), "-o", str(tmp_path / "rows.jsonl"))
        assert done.returncode == 2
        assert "evil.example" in done.stderr
        assert not (tmp_path / "rows.jsonl").exists()


def test_trust_in_one_host_is_none_in_another_that_looks_like_a_key(tmp_path: Path) -> None:
    good, other = (f"https://sk-aaaabbbbccccdddd.{end}.example" for end in ("good", "evil"))
    assert zork("graph", "draw", written(tmp_path, "ollama:x", good), "--trust").returncode == 0
    assert zork("graph", "draw", written(tmp_path, "ollama:x", good)).returncode == 0
    assert zork("graph", "draw", written(tmp_path, "ollama:x", other)).returncode == 2


def test_a_long_list_does_not_hide_that_it_is_longer(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 200 + ".toml")
    models = (f'[models.m{one}]\nbase_url = "http://h{one}.example"\n' for one in range(40))
    path.write_text('extends = "llm"\n' + "".join(models), encoding="utf-8")
    done = zork("graph", "draw", str(path))
    assert "http://h7.example; and 32 more" in done.stderr
    assert "--trust" in done.stderr
    assert len(done.stderr) < 1600
