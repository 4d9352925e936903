PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
EXTRAS ?=
INFORM6_LIBRARY ?= /usr/share/inform6/library
COMPILE := uv pip compile --quiet --generate-hashes --no-header --no-annotate --python-version 3.11

# Without bytecode every process of the tests would compile them and the program anew.
unexport PYTHONDONTWRITEBYTECODE

VERSION := import sys; v = sys.version_info; old = v < (3, 11)
CALL = make $(or $(MAKECMDGOALS),play)

.DEFAULT_GOAL := help
.PHONY: play play-model test test-slow check format lint types bench priors pictures stories install lock help clean

play: .venv/.runtime  ## Play one episode of an embedded story, no model needed
	$(BIN)/zork play

play-model: .venv/.local  ## Play with a real, very small language model on this machine (93 MB)
	$(BIN)/zork play --model local --graph oracle --steps 20

TESTED := .venv/.test .venv/.view .venv/.pictures .venv/.mcp .venv/.gymnasium .venv/.openai

test: $(TESTED)  ## Run the fast tests
	$(BIN)/python -m pytest

test-slow: $(TESTED)  ## Run the others, which take longer than a change of the code needs each time
	@$(MAKE) --no-print-directory .venv/.local || echo "the real model cannot be had here: its tests are skipped" >&2
	$(BIN)/python -m pytest -m slow

check: lint types test test-slow  ## What CI runs: format, lint, types, all tests

format: .venv/.lint  ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: .venv/.lint  ## Check format and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/.lint .venv/.test .venv/.view .venv/.openai  ## Check types
	$(BIN)/mypy

stories:  ## Recompile the embedded stories (needs inform6)
	@command -v inform6 >/dev/null || \
		{ echo "stories: install the Debian packages inform6-compiler and inform6-library" >&2; exit 1; }
	cd game_files && for source in *.inf; do \
		inform6 -v5 +include_path=$(INFORM6_LIBRARY) $$source $${source%.inf}.z5 || exit 1; \
	done

bench: .venv/.test  ## Print the benchmarks, each beside its baseline; real stories from ZORK_STORIES
	@for name in emulator valid_actions knowledge tracing durability speed peers; do \
		echo "== $$name"; $(BIN)/python -m benchmarks.$$name || exit 1; \
	done

DEVELOPED_ON = 905 advent deephome detective karn library lostpig pentari reverb temple zork1 zork2

priors: .venv/.test  ## Learn again what players do next; real stories from ZORK_STORIES
	$(BIN)/python -m benchmarks.priors $(foreach name,$(DEVELOPED_ON),$(wildcard $(ZORK_STORIES)/$(name).z*))

pictures: .venv/.test .venv/.view .venv/.openai  ## Make the pictures of README and docs, from a run
	@$(MAKE) --no-print-directory .venv/.local || echo "the real model cannot be had here: played without" >&2
	$(BIN)/python -m benchmarks.pictures

install: .venv/.runtime $(EXTRAS:%=.venv/.%)  ## Set up; EXTRAS=name adds requirements/name.txt

lock:  ## Resolve the requirements again (needs uv)
	$(COMPILE) -o requirements/runtime.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra pictures -o requirements/pictures.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra ray -o requirements/ray.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra mcp -o requirements/mcp.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra gymnasium -o requirements/gymnasium.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra inspect -o requirements/inspect.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra view -o requirements/view.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra parquet -o requirements/parquet.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra openai -o requirements/openai.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt -c requirements/openai.txt --extra local --group pyproject.toml:weights -o requirements/local.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra postgres -o requirements/postgres.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra studio -o requirements/studio.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra textworld -o requirements/textworld.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --group test -o requirements/test.txt
	$(COMPILE) -c requirements/runtime.txt --group lint -o requirements/lint.txt

clean:  ## Remove the environment and the caches
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache

help:  ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# Looked at before anything is made, so that no half of an environment is left for the next call.
.PHONY: environment
environment:
	@if [ ! -e .venv ]; then \
		$(PYTHON) -c '$(VERSION); sys.exit(old and "make: needs Python 3.11 or newer, $(PYTHON) is %d.%d: $(CALL) PYTHON=python3.12" % v[:2])' && \
		{ $(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }; }; \
	elif ! .venv/bin/python -c '$(VERSION); import pip; sys.exit(old)' 2>/dev/null; then \
		echo "make: .venv is unfinished, or of a Python older than 3.11: make clean, then $(CALL)" >&2; exit 1; \
	fi

.venv/.runtime: requirements/runtime.txt pyproject.toml | environment
	$(PIP) install --require-hashes --no-deps -r requirements/runtime.txt
	$(PIP) install --no-deps --editable .
	@touch $@

.venv/.%: requirements/%.txt .venv/.runtime
	$(PIP) install --require-hashes --no-deps -r $<
	@touch $@
