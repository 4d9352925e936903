"""The page's server: who may look, what is told, and that nothing is changed."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

pytest.importorskip("starlette", reason="make install EXTRAS=view")

from orchestrator import play
from orchestrator.errors import RunError
from orchestrator.saved.runs import RunDirectory
from orchestrator.viewer.export import export
from orchestrator.viewer.page import FILES, SCRIPTS, page_file
from orchestrator.viewer.server import Server, Viewer


@contextmanager
def served(viewer: Viewer) -> Iterator[Server]:
    serving = Server(viewer)
    thread = Thread(target=serving.serve)
    thread.start()
    yield serving
    serving.stop()
    thread.join(10)


def visitor(server: Server) -> httpx.Client:
    base = f"http://127.0.0.1:{server.port}"
    return httpx.Client(base_url=base, headers={"Authorization": f"Bearer {server.token}"})


@pytest.fixture(scope="module")
def server(whole: Path) -> Iterator[Server]:
    with served(Viewer(whole.parent, whole.name)) as serving:
        yield serving


@pytest.fixture
def page(server: Server) -> Iterator[httpx.Client]:
    with visitor(server) as client:
        yield client


def test_the_printed_address_opens_the_page_and_keeps_the_token_out_of_it(server: Server) -> None:
    with httpx.Client(follow_redirects=True) as client:
        answer = client.get(server.address)
        assert answer.status_code == 200
        assert "token" not in str(answer.url)
        assert server.token not in answer.text
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert client.get(f"http://127.0.0.1:{server.port}/api/start").status_code == 200


@pytest.mark.parametrize("other", ['theme={"a":1}', "x=a b", "u=\xe9", "nothing;"])
def test_cookies_of_other_programs_keep_nobody_out(server: Server, other: str) -> None:
    own = f"zork-{server.port}={server.token}"
    for cookies in (f"{other}; {own}", f"{own}; {other}"):
        headers = {"Cookie": cookies.encode("latin-1")}
        answer = httpx.get(f"http://127.0.0.1:{server.port}/api/start", headers=headers)
        assert answer.status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Cookie": "zork-1=x; \x7f"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_strangers_and_other_pages_are_refused(
    server: Server, headers: dict[str, str], status: int
) -> None:
    known = {"Authorization": f"Bearer {server.token}"} if status != 401 else {}
    for path in ("/", "/app.js", "/api/runs", "/api/start"):
        answer = httpx.get(f"http://127.0.0.1:{server.port}{path}", headers={**known, **headers})
        assert answer.status_code == status


def test_a_run_is_told_with_its_title_and_highlights(page: httpx.Client, whole: Path) -> None:
    told = page.get(f"/api/runs/{whole.name}").json()
    assert told["recap"]["title"] == told["head"]["title"]
    assert told["recap"]["end"].startswith("20 ")
    turns = [row[0] for row in told["rows"]]
    assert {one["turn"] for one in told["recap"]["highlights"]} <= {*turns}
    assert all(one["text"] and one["kind"] for one in told["recap"]["highlights"])


def test_it_listens_on_this_machine_only(server: Server) -> None:
    """Not even at another address of the same one."""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", server.port), timeout=5)


def test_all_files_are_there_and_nothing_else(page: httpx.Client) -> None:
    for name in FILES:
        assert page.get(f"/{name}").status_code == 200
    for path in ("/server.py", "/..%2fserver.py", "/api/runs/..", "/api/runs/%2e%2e%2f", "/x"):
        assert page.get(path).status_code == 404


def test_runs_turns_and_drawings_are_told(page: httpx.Client, whole: Path) -> None:
    (head,) = page.get("/api/runs").json()
    assert (head["id"], head["story"], head["steps"]) == (whole.name, "hollow", 20)
    run = page.get(f"/api/runs/{whole.name}").json()
    assert len(run["rows"]) == 21
    frame = page.get(f"/api/runs/{whole.name}/turns/7").json()
    assert frame["turn"] == 7
    assert frame["map"]["here"] in {room["id"] for room in frame["map"]["rooms"]}
    graph = page.get(f"/api/runs/{whole.name}/graph").json()
    assert {"actor", "critic", "game"} <= {node["id"] for node in graph["nodes"]}
    assert page.get(f"/api/runs/{whole.name}/turns/7/puzzles").json()["nodes"]
    assert page.get(f"/api/runs/{whole.name}/turns/99").status_code == 404
    assert page.get("/api/runs/nothing").status_code == 404


def test_who_only_looks_cannot_steer_or_fork(page: httpx.Client, whole: Path) -> None:
    for request in ({"do": "pause"}, {"do": "fork", "run": whole.name, "turn": 3}, {}, []):
        answer = page.post("/api/control", content=json.dumps(request))
        assert answer.status_code == 400
    assert len(list(whole.parent.iterdir())) == 1


def test_a_request_of_another_shape_is_refused(half: Path) -> None:
    fork = '{"do": "fork", "run": "%s", "turn": %s}'
    asked = [fork % (half.name, turn) for turn in ("[1]", "1e999", '"x"')]
    with served(Viewer(half.parent, forks=True)) as server, visitor(server) as page:
        for content in (*asked, fork % ("x" * 300, 1)):
            assert page.post("/api/control", content=content).status_code == 400
    assert [*half.parent.iterdir()] == [half]


def test_events_tell_the_whole_run_first(page: httpx.Client, whole: Path) -> None:
    names = []
    with page.stream("GET", f"/api/runs/{whole.name}/events") as answer:
        for line in answer.iter_lines():
            names += [line[7:]] if line.startswith("event: ") else []
            if len(names) == 2:
                break
    assert set(names) <= {"turns", "head", "recap", "active"}


def events(client: httpx.Client, address: str, last: str) -> dict[str, Any]:
    """What is told first, up to the event of a name or the end."""
    found, name = {}, ""
    with client.stream("GET", address) as answer:
        for line in answer.iter_lines():
            kind, _, content = line.partition(": ")
            name = content if kind == "event" else name
            if kind == "data":
                found[name] = json.loads(content)
                if name == last:
                    break
    return found


def test_whoever_follows_a_run_is_told_every_turn(half: Path) -> None:
    """Also those that somebody else was told before."""
    trace = (half / "trace.jsonl").read_bytes()
    (half / "trace.jsonl").write_bytes(trace[: len(trace) // 2])
    address = f"/api/runs/{half.name}"
    with served(Viewer(half.parent)) as server, visitor(server) as page:
        begun = page.get(address).json()
        (half / "trace.jsonl").write_bytes(trace)
        assert len(page.get(address).json()["rows"]) == 13
        for _ in range(2):
            told = events(page, f"{address}/events?since={begun['reading']}", "active")
            turns = [row[0] for row in told["turns"]["rows"]]
            assert turns == [*range(begun["rows"][-1][0], 13)]
        assert page.get(f"{address}/events?since=x").status_code == 404


def test_a_run_that_breaks_while_it_is_followed_is_told_as_damaged(half: Path) -> None:
    address = f"/api/runs/{half.name}"
    with served(Viewer(half.parent)) as server, visitor(server) as page:
        page.get(address)
        (half / "episode.json").write_text("{", encoding="utf-8")
        told = events(page, f"{address}/events", "")
    assert told["head"]["status"] == "damaged"
    assert "episode.json" in told["head"]["error"]


def test_a_run_that_is_put_in_the_place_of_another_is_told_as_itself(
    half: Path, tmp_path: Path
) -> None:
    """Nothing of the one that lay there is told of it, and who follows that one is told so."""
    other = Path(play("morning", seed=2, steps=3, out=tmp_path, fresh=True)["run_dir"])
    address = f"/api/runs/{half.name}"
    viewer = Viewer(half.parent)
    with served(viewer) as server, visitor(server) as page:
        assert page.get(f"{address}/turns/12").status_code == 200
        followed = viewer.view(half.name)
        half.rename(half.parent / ".aside")
        assert page.get(f"{address}/turns/12").status_code == 200
        other.rename(half)
        with pytest.raises(RunError, match="another run lies there"):
            followed.refresh()
        told = page.get(address).json()
        assert told["head"]["story"] == "morning"
        assert "it has 0-3" in page.get(f"{address}/turns/12").text


def test_a_name_that_no_folder_can_have_is_no_run(page: httpx.Client) -> None:
    answer = page.get(f"/api/runs/{'x' * 300}")
    assert (answer.status_code, answer.text[:8]) == (404, "no run '")


def test_scripts_can_stand_in_one_file() -> None:
    names = [
        name
        for script in SCRIPTS
        for name in re.findall(
            r"^(?:export )?(?:async )?(?:const|let|class|function) (\w+)",
            page_file(script),
            re.MULTILINE,
        )
    ]
    assert len(names) == len(set(names))


def test_an_exported_run_is_one_file_that_asks_nobody(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    size = export(RunDirectory(whole), path)
    text = path.read_text(encoding="utf-8")
    assert size == len(text.encode())
    assert "src=" not in text.replace("-src", "")
    assert "default-src 'none'" in text
    assert "import {" not in text
