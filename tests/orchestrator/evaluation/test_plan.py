"""Plans are files; every combination is a cell, and what is wrong is said in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from environments.catalog import find_story
from orchestrator.cli.main import make_app
from orchestrator.errors import ConfigError
from orchestrator.evaluation.cells import Cell, resolved
from orchestrator.evaluation.grid import resolve_all
from orchestrator.evaluation.plan import EvaluationPlan, planned, protocols, read_plan, seed_range

WHOLE = """
games = ["workshop", "morning"]
graphs = ["offline", { name = "no chains", graph = "offline", set = [\
  "skills.plans.chaining=false"] }]
access = ["text", "text+tree"]
seeds = "1-3"
steps = [5, 10]

[servers."http://127.0.0.1:11434"]
slots = 2
tokens_per_minute = 60000
"""


def written(path: Path, text: str) -> Path:
    file = path / "plan.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_every_combination_is_one_cell(tmp_path: Path) -> None:
    plan = read_plan(written(tmp_path, WHOLE))
    tasks = resolve_all(plan.cells())
    assert len(tasks) == 2 * 2 * 2 * 3 * 2
    assert {task.graph for task in tasks.values()} == {
        *("offline text", "offline text+tree", "no chains text", "no chains text+tree")
    }


def test_the_same_twice_is_one_cell() -> None:
    plan = EvaluationPlan(games=("workshop",), seeds=(1, 1, 2), settings=("mind.routes=true",))
    plain = EvaluationPlan(games=(str(find_story("workshop").path),), seeds=(1, 2))
    assert resolve_all(plan.cells()).keys() == resolve_all(plain.cells()).keys()


def test_a_folder_stands_for_the_stories_in_it(tmp_path: Path) -> None:
    for name in ("workshop", "hollow"):
        story = find_story(name)
        (tmp_path / f"{name}.z5").write_bytes(story.data)
    (tmp_path / "notes.txt").touch()
    told = [Path(cell.game).name for cell in EvaluationPlan(games=(str(tmp_path),)).cells()]
    assert told == ["hollow.z5", "workshop.z5"]


def test_a_folder_of_results_does_not_hide_the_story_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("workshop", "nothing"):
        Path(name).mkdir()
    assert [cell.game for cell in EvaluationPlan(games=("workshop",)).cells()] == ["workshop"]
    with pytest.raises(ConfigError, match="no story in the folder 'nothing'"):
        EvaluationPlan(games=("nothing",)).cells()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seeds = 1", "key 'games' is missing"),
        ("games = []", "games = []"),
        ('games = "a"\nseed = 3', "unknown key 'seed'; did you mean 'seeds'?"),
        ('games = "a"\nseeds = "5-1"', "goes backwards, write 1-5"),
        ('games = "a"\nsteps = -1', "steps.0 = -1"),
        ('games = "a"\naccess = "txt"', "access.0.0 = 'txt'"),
        ('games = "a"\ngraphs = [{name = "x", grap = "offline"}]', "did you mean 'graph'?"),
        ('games = "a"\ngraphs = ["llm", "llm"]', "two graphs are called 'llm'"),
        ('games = "a"\n[servers.x]\nslot = 1', "did you mean 'slots'?"),
        ('games = "a"\n[servers.x]\ntokens_per_minute = 1', "needs slots"),
        ('games = "a"\nreplays = 2', "only episodes in a row are replayed"),
        ("games = ", "plan"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_plan(written(tmp_path, text))
    assert said in str(caught.value)


def test_seeds_are_ranges_and_lists() -> None:
    assert seed_range("1-3,7") == [1, 2, 3, 7]
    for text in ("x", "3-1", "1-", "-2"):
        with pytest.raises(ConfigError):
            seed_range(text)


def test_a_protocol_says_what_a_plan_leaves_open() -> None:
    assert set(protocols()) >= {"tales-100", "jericho-400", "search-100k", "textquests-500"}
    for name in protocols():
        assert planned({"games": "workshop", "protocol": name}, "test").cells()
    plan = planned({"games": "workshop", "protocol": "tales-100"}, "test")
    (cell,) = plan.cells()
    assert (cell.total_steps, cell.lives, cell.counts) == (100, 1, "best")
    with pytest.raises(ConfigError, match="steps = 5, but the protocol tales-100 says 100"):
        planned({"games": "workshop", "protocol": "tales-100", "steps": 5}, "test")
    for name, steps in (("jitrl-50x50", 50), ("evotest-50x110", 110)):
        (cell,) = planned({"games": "workshop", "protocol": name}, "test").cells()
        assert (cell.steps, cell.episodes, cell.turns) == (steps, 50, 50 * steps)
    with pytest.raises(ConfigError, match="did you mean 'tales-100'"):
        planned({"games": "workshop", "protocol": "tales"}, "test")


def test_a_bound_of_money_adds_to_what_a_plan_sets_and_wants_enough_seeds() -> None:
    priced = {"games": "workshop", "protocol": "money-1", "settings": ["mind.modes=true"]}
    cells = planned(priced, "test").cells()
    assert len(cells) == 18
    assert {cell.settings for cell in cells} == {("max_cost=1", "mind.modes=true")}
    for seeds in ("1-2", "1,2,2,2"):
        with pytest.raises(ConfigError, match="2 of them, 18 are wanted at least, for instance 1-"):
            planned({**priced, "seeds": seeds}, "test")


def test_a_poisoned_memory_is_an_arm_of_its_own() -> None:
    plan = planned({"games": "workshop", "protocol": "poisoned-10x100"}, "test")
    sound, poisoned = map(resolved, plan.cells())
    assert (sound.graph, poisoned.graph) == ("offline", "poisoned")
    assert sound.key != poisoned.key
    arm = {"name": "poisoned", "graph": "offline", "poison": 0.5}
    with pytest.raises(ConfigError, match="'poisoned': poison needs episodes that remember"):
        planned({"games": "workshop", "graphs": [arm]}, "test")


@pytest.mark.slow
def test_a_plan_file_is_played_and_says_it_all(tmp_path: Path) -> None:
    plan = written(tmp_path, 'games = "workshop"\ngraphs = "random"\nseeds = [2]\nsteps = 3\n')
    out = tmp_path / "rows.jsonl"
    ran = CliRunner().invoke(
        make_app(), ["bench", str(plan), "--output", str(out)], catch_exceptions=False
    )
    assert ran.exit_code == 0
    assert "random" in ran.stdout
    with pytest.raises(ConfigError, match="leave out --seeds"):
        CliRunner().invoke(
            make_app(),
            ["bench", str(plan), "--seeds", "1", "--output", str(out)],
            catch_exceptions=False,
        )


def test_where_a_model_is_served_does_not_make_another_graph() -> None:
    places = ("models.default.base_url=http://127.0.0.1:1", "models.default.tokens_per_minute=9")
    told = [Cell("workshop", "llm", 1, 3, settings) for settings in ((), places)]
    first, second = map(resolved, told)
    assert first.key == second.key
    other = resolved(Cell("workshop", "llm", 1, 3, ("models.default.temperature=0.9",)))
    assert other.key != first.key


def test_a_graph_that_asks_no_model_is_played_once_beside_others_that_do() -> None:
    plan = EvaluationPlan(
        games=("hollow",), graphs=("offline", "choose"), models=("ollama:a", "ollama:b")
    )
    played = [(cell.graph, cell.model) for cell in plan.cells()]
    assert played == [("offline", None), ("choose", "ollama:a"), ("choose", "ollama:b")]


def test_where_a_model_is_served_makes_no_graph_ask_one() -> None:
    place = "models.default.base_url=http://gpu:11434"
    plan = EvaluationPlan(
        games=("hollow",), graphs=("offline", "choose"), models=("ollama:a",), settings=(place,)
    )
    assert [(cell.graph, cell.model) for cell in plan.cells()] == [
        ("offline", None),
        ("choose", "ollama:a"),
    ]


def test_baselines_are_not_replayed_and_what_is_recalled_asks_the_server_of_the_plan() -> None:
    place = "models.default.base_url=http://gpu:11434"
    table = {"games": "hollow", "protocol": "search-100k", "baselines": True}
    asked = (place, "models.default.input_price=2", "max_cost=1")
    table |= {"models": "ollama:a", "settings": [*asked, "mind.modes=true"]}
    explored, *beside = planned(table, "test").cells()
    assert (explored.graph, explored.replays) == ("explore", 20)
    assert {cell.replays for cell in beside} == {0}
    told = {cell.graph: cell.settings for cell in beside}
    assert told == {
        **dict.fromkeys(("random", "idle", "walkthrough"), ()),
        "recalled": asked,
    }
    resolved(next(cell for cell in beside if cell.graph == "recalled"))


@pytest.mark.parametrize("name", ["2", "true", '"x"', "2024-01-01", "no chains"])
def test_a_variant_may_be_called_anything(name: str) -> None:
    table = {"games": "hollow", "graphs": [{"name": name, "graph": "offline"}]}
    (cell,) = planned(table, "test").cells()
    assert resolved(cell).graph == name
