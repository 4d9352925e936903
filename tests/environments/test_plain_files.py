"""A file is written whole, whoever else writes it at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from environments.plain_files import write_whole


def test_two_who_write_the_same_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "tale.z3"
    contents = [bytes([number]) * 1000 for number in range(20)]
    with ThreadPoolExecutor(4) as writers:
        list(writers.map(lambda content: write_whole(path, content), contents))
    assert path.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [path]
