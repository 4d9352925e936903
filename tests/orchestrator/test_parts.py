from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from orchestrator.config import load_config
from orchestrator.errors import ConfigError
from orchestrator.graph.crew import make_crew
from orchestrator.settings.trust import admit


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A user's module with one critic that fits, one that does not, and a broken sibling."""
    name = f"user_{uuid.uuid4().hex}"
    (tmp_path / f"{name}.py").write_text(
        "class Critic:\n"
        "    def __init__(self, *, mood='mild'):\n"
        "        if mood == 'foul':\n"
        "            raise ValueError('too foul')\n"
        "        if mood == 'none':\n"
        "            raise NotImplementedError\n"
        "        if mood == 'done':\n"
        "            raise SystemExit\n"
        "        self.mood = mood\n"
        "    def judge(self, briefing):\n"
        "        return {'accept': True}\n"
        "class Poet:\n"
        "    pass\n",
        encoding="utf-8",
    )
    (tmp_path / f"{name}_broken.py").write_text("1 / 0\n", encoding="utf-8")
    (tmp_path / f"{name}_run.py").write_text("import sys\nsys.exit(0)\n", encoding="utf-8")
    (tmp_path / f"{name}_needy.py").write_text("import not_there_at_all\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def critic(use: str, **options: object) -> Any:
    """The critic of a graph, as the command line names it."""
    told = [f"nodes.critic.{key}={json.dumps(value)}" for key, value in options.items()]
    given = [f"nodes.critic.use={use}", *told]
    config = load_config(settings=given)
    admit(config, (), "the test", given=given)
    return make_crew(config).parts.get("critic")


def test_a_class_of_ones_own_fits_by_its_method(module: str) -> None:
    assert critic(f"{module}:Critic", mood="grim").mood == "grim"


def test_a_role_switched_off_is_not_made() -> None:
    assert critic("none") is None
    assert critic("rules", enabled=False) is None


@pytest.mark.parametrize(
    ("use", "options", "message"),
    [
        ("rulez", {}, "unknown critic 'rulez'; did you mean 'rules'?"),
        ("no_such_module:Critic", {}, "no module 'no_such_module'"),
        ("{}_broken:Critic", {}, "is broken: ZeroDivisionError: division by zero"),
        ("{}_run:Critic", {}, "ends the program when it is imported"),
        ("{}_needy:Critic", {}, "needs 'not_there_at_all', which is not installed"),
        ("{}:Critik", {}, "'Critik'; did you mean 'Critic'?"),
        ("{}:Poet", {}, "does not fit the role critic, it has no method judge(briefing)"),
        ("{}:Critic", {"mod": 1}, "'mod'; did you mean 'mood'?"),
        ("{}:Critic", {"mood": "foul"}, "too foul"),
        ("{}:Critic", {"mood": "none"}, "NotImplementedError"),
        ("{}:Critic", {"mood": "done"}, "SystemExit"),
    ],
)
def test_each_mistake_has_its_own_error(
    module: str, use: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        critic(use.format(module), **options)
    assert message in str(caught.value)
