"""Archives and graph files that somebody prepared, imported and played as a user would.

    python -m benchmarks.gifts

Each is given to `zork runs import`, or to `zork graph check` and `zork play`, without `--trust`.
Told are the most memory and disk that one of them took. Exit status 1 if one was not refused, if
its code ran, if it took 200 MB more than the program does anyway, or left anything on the disk.
"""

from __future__ import annotations

import gzip
import io
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.arguments import given

MEGABYTE = 1 << 20
MOST_MB = 200
"""Of memory beyond what the program takes anyway, and of disk."""
ZORK = "from orchestrator.cli import main; main()"
MODEL = '[nodes.actor]\nuse = "llm"\n[models.default]\n'
INSERT = '[insert.x]\nafter = "critic"\n'
CODE = """
from pathlib import Path
Path({proof!r}).touch()
class Anything:
    def __init__(self, *args, **options): pass
    def __call__(self, *args): return {{}}
    def reset(self, seed=None): return "x", {{}}
    def step(self, command): return "x", 0, False, False, {{}}
def anything(*args): return "play"
"""
GRAPHS = {
    "a node": INSERT + 'use = "gift:Anything"\n',
    "a program": INSERT + 'use = "subprocess:Popen"\nargs = ["touch", "PROOF"]\n',
    "a function": INSERT + 'use = "os:abort"\n',
    "an actor": '[nodes.actor]\nuse = "gift:Anything"\n',
    "a critic": '[nodes.critic]\nuse = "gift:Anything"\n',
    "a game": '[nodes.game]\nuse = "gift:Anything"\n',
    "a role": '[nodes.bard]\nrole = "gift:Anything"\nuse = "none"\n',
    "a router": (
        '[edges.critic]\nrouter = "gift:anything"\nto = { object = "actor", play = "game" }\n'
    ),
    "a type": '[state.x]\ntype = "gift:Anything"\n',
    "a reducer": '[state.x]\ntype = "list[str]"\nreducer = "gift:anything"\n',
    "a model": MODEL + 'model = "embedded:function:gift:anything"\n',
    "a server": MODEL + 'base_url = "http://192.0.2.1:9"\n',
    "options": MODEL + "options = { client_kwargs = { verify = false } }\n",
    "a graph within": '[nodes.critic]\nuse = "graph:within.toml"\n',
    "depth": "x = " + "[" * 50_000 + "]" * 50_000,
    "size": "#" * (8 * MEGABYTE),
}
WITHIN = 'sequence = ["x"]\n[nodes.x]\nuse = "gift:Anything"\nwrites = ["judgements"]\n'


def tar_of(target: Path, *members: tuple[str, bytes], **fields: Any) -> Path:
    with tarfile.open(target, "w:gz") as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            for key, value in fields.items():
                setattr(info, key, value)
            tar.addfile(info, io.BytesIO(content))
    return target


def bomb(target: Path, header: tarfile.TarInfo) -> Path:
    """A gzip file of one member that claims and holds three gigabytes of zeros."""
    header.size = 3000 * MEGABYTE
    zeros = gzip.compress(bytes(MEGABYTE))
    target.write_bytes(gzip.compress(header.tobuf(tarfile.GNU_FORMAT)) + 3000 * zeros)
    return target


def huge_file(target: Path) -> Path:
    return bomb(target, tarfile.TarInfo("run/transcript.txt"))


def huge_header(target: Path) -> Path:
    header = tarfile.TarInfo("run/pax")
    header.type = tarfile.XHDTYPE
    return bomb(target, header)


def huge_name(target: Path) -> Path:
    header = tarfile.TarInfo("././@LongLink")
    header.type = tarfile.GNUTYPE_LONGNAME
    return bomb(target, header)


def sparse(target: Path) -> Path:
    header = tarfile.TarInfo("run/transcript.txt")
    header.type = tarfile.GNUTYPE_SPARSE
    return bomb(target, header)


def many(target: Path) -> Path:
    return tar_of(target, *((f"run/trace.{n:07}.jsonl.gz", b"") for n in range(50_000)))


def twice(target: Path) -> Path:
    return tar_of(target, ("run/transcript.txt", b""), ("run/transcript.txt", b""))


def with_type(kind: bytes) -> Callable[[Path], Path]:
    def made(target: Path) -> Path:
        return tar_of(target, ("run/transcript.txt", b""), type=kind, linkname="/etc/passwd")

    return made


def negative(target: Path) -> Path:
    """A header with a size below nothing, and what would be read for that."""
    header = tarfile.TarInfo("run/trace.jsonl").tobuf(tarfile.GNU_FORMAT)
    size = (-512).to_bytes(12, "big", signed=True)
    header = header[:124] + size + header[136:]
    header = header[:148] + b" " * 8 + header[156:]
    checksum = b"%06o\0 " % sum(header)
    header = header[:148] + checksum + header[156:]
    target.write_bytes(gzip.compress(header + bytes(MEGABYTE)))
    return target


def named(name: str) -> Callable[[Path], Path]:
    return lambda target: tar_of(target, (name, b"{}"))


def content(data: bytes) -> Callable[[Path], Path]:
    def made(target: Path) -> Path:
        target.write_bytes(data)
        return target

    return made


ARCHIVES: dict[str, Callable[[Path], Path]] = {
    "huge file": huge_file,
    "huge header": huge_header,
    "huge name": huge_name,
    "sparse": sparse,
    "many files": many,
    "twice the same": twice,
    "negative size": negative,
    "symbolic link": with_type(tarfile.SYMTYPE),
    "hard link": with_type(tarfile.LNKTYPE),
    "device": with_type(tarfile.CHRTYPE),
    "fifo": with_type(tarfile.FIFOTYPE),
    "folder": with_type(tarfile.DIRTYPE),
    "upwards": named("run/../../episode.json"),
    "absolute": named("/run/episode.json"),
    "deep": named("run/more/episode.json"),
    "code": named("run/sitecustomize.py"),
    "no record": named("run/transcript.txt"),
    "empty": content(b""),
    "no gzip": content(b"no archive at all"),
    "cut off": content(gzip.compress(b"\0" * 512)[:12]),
    "nothing in it": content(gzip.compress(b"\0" * 10240)),
    "no tar": content(gzip.compress(b"x" * 10240)),
}


def main() -> None:
    bad, most, disk = 0, 0.0, 0
    usual = told(["graph", "list"])[1]
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, make) in enumerate(ARCHIVES.items()):
            there = Path(folder, str(number))
            there.mkdir()
            archive = make(there / "gift.tar.gz")
            status, memory = told(["runs", "import", str(archive), "--out", str(there / "runs")])
            left = sum(path.stat().st_size for path in (there / "runs").rglob("*"))
            most, disk = max(most, memory - usual), max(disk, left)
            bad += judged(f"archive: {name}", status != 2 or left > 0 or memory > usual + MOST_MB)
        for number, (name, text) in enumerate(GRAPHS.items()):
            there = Path(folder, f"graph{number}")
            there.mkdir()
            proof = there / "proof"
            (there / "gift.py").write_text(CODE.format(proof=str(proof)), encoding="utf-8")
            (there / "within.toml").write_text(WITHIN, encoding="utf-8")
            extended = text if text[0] == "#" else f'extends = "offline"\n{text}'
            graph = there / "gift.toml"
            graph.write_text(extended.replace("PROOF", str(proof)), encoding="utf-8")
            for command in (["graph", "check", str(graph)], ["play", "--graph", str(graph)]):
                status, memory = told(command, there)
                most = max(most, memory - usual)
                fault = status != 2 or proof.exists() or memory > usual + MOST_MB
                bad += judged(f"{command[0]}: {name}", fault)
    given = f"{len(ARCHIVES)} archives and {len(GRAPHS)} graph files"
    print(f"{given}, {bad} not refused as they should be")
    print(f"{usual:.0f} MB as always, at most {most:.0f} MB more; {disk} bytes left on the disk")
    sys.exit(bad > 0)


def judged(what: str, bad: bool) -> bool:
    if bad:
        print(f"{what}: not refused, or not in little room")
    return bad


def told(arguments: list[str], folder: Path | None = None) -> tuple[int, float]:
    """Exit status and the most memory, in MB, of a command."""
    environment = {**os.environ, "ZORK_HOME": str((folder or Path(tempfile.gettempdir())) / "home")}
    process = subprocess.Popen(
        [sys.executable, "-c", ZORK, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (MOST_MB * MEGABYTE, MOST_MB * MEGABYTE)
        ),
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_maxrss / 1024


if __name__ == "__main__":
    given(__doc__)
    main()
