from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from orchestrator.config import load_config
from orchestrator.errors import ConfigError
from orchestrator.settings.sheets import parse_setting, shipped_graphs


@pytest.mark.parametrize("name", shipped_graphs())
def test_every_shipped_graph_is_valid_and_described(name: str) -> None:
    config = load_config(name)
    assert config.name == name
    assert config.description


def test_files_and_settings_merge_left_to_right(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('extends = "offline"\n[edges.critic]\nat_most = 5\n', encoding="utf-8")
    overlay = tmp_path / "more.toml"
    overlay.write_text("[edges.critic]\nat_most = 1\n", encoding="utf-8")

    def bound(*given: Any) -> int | None:
        edge = load_config(str(mine), *given).edges["critic"]
        return None if isinstance(edge, str) else edge.at_most

    assert bound() == 5
    assert bound([overlay]) == 1
    settings = ["edges.critic.at_most=0", "nodes.critic.use=none"]
    assert bound([overlay], settings) == 0
    assert not load_config(str(mine), [overlay], settings).nodes["critic"].active


def test_a_replaced_part_does_not_inherit_the_options_of_its_predecessor(tmp_path: Path) -> None:
    first = tmp_path / "first.toml"
    first.write_text(
        'extends = "offline"\n[nodes.critic]\nuse = "a:B"\nmood = "grim"\ninto = "opinions"\n',
        encoding="utf-8",
    )
    critic = load_config(str(first), settings=["nodes.critic.use=c:D"]).nodes["critic"]
    assert critic.options == {}
    assert critic.into == "opinions"


def test_an_inserted_node_keeps_its_place_when_another_plays_it(tmp_path: Path) -> None:
    first = tmp_path / "first.toml"
    first.write_text(
        'extends = "offline"\n[insert.audit]\nuse = "a:A"\nafter = "critic"\n', encoding="utf-8"
    )
    audit = load_config(str(first), settings=["insert.audit.use=b:B"]).insert["audit"]
    assert (audit.use, audit.after) == ("b:B", "critic")


@pytest.mark.parametrize(
    ("setting", "table"),
    [
        ("a.b=1", {"a": {"b": 1}}),
        ("a=plain text", {"a": "plain text"}),
        ('a=["text", "tree"]', {"a": ["text", "tree"]}),
        ("a.b.c=true", {"a": {"b": {"c": True}}}),
        ("a=x=y", {"a": "x=y"}),
    ],
)
def test_settings_are_toml_values_or_plain_text(setting: str, table: dict[str, object]) -> None:
    assert parse_setting(setting).table == table


@pytest.mark.parametrize(
    ("graph", "settings", "message"),
    [
        ("offlin", [], "unknown graph 'offlin'; did you mean 'offline'?"),
        ("missing.toml", [], "'missing.toml': no such file"),
        ("offline", ["acess=text"], "unknown key 'acess'; did you mean 'access'?"),
        ("offline", ['access=["txt"]'], "access.0 = 'txt': input should be 'text'"),
        ("offline", ["edges.critic.at_most=-1"], "greater than or equal to 0"),
        ("offline", ["nonsense"], "expected KEY=VALUE"),
        ("offline", ["a..b=1"], "expected KEY=VALUE"),
    ],
)
def test_mistakes_are_named_with_what_would_work(
    graph: str, settings: list[str], message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(graph, settings=settings)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_broken_file_and_a_circle_are_reported(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("nodes = [", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"broken\.toml"):
        load_config(str(broken))
    circle = tmp_path / "circle.toml"
    circle.write_text(f'extends = "{circle}"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="extends itself"):
        load_config(str(circle))


def test_a_part_of_the_mind_is_switched_off_by_its_name() -> None:
    assert load_config().mind.routes
    assert not load_config(settings=["mind.routes=false"]).mind.routes
    with pytest.raises(ConfigError, match=r"did you mean 'mind\.routes'"):
        load_config(settings=["mind.route=false"])
