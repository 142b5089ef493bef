# `make demo` and `make test` need nothing but Python 3.11 or later and the package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What the games need to be compiled is installed first, the rest while they are being compiled.
CORE := $(VENV)/.core
READY := $(VENV)/.ready
# Python compiles the modules that are imported; pip would compile all, which takes a minute.
PIP := python -m pip install --quiet --no-compile --constraint constraints.txt
# Of `make release`.
PYTHONS ?= python3.11 python3.12 python3.13
# pytest's processes: one a core, but no more than there is work for.
JOBS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); [ $$n -gt 4 ] && echo 4 || echo $$n)

# The tests of the rules: the contract of every game, and each game's own, tests/games/GAME/.
# What no rule function has a part in, or takes many compiled games, is not run uncompiled.
RULE_TESTS := $(patsubst %,tests/contract/test_%.py,every_game golden knowledge) $(filter-out \
	%/test_shown.py %/test_derived_parts.py %/test_graph.py %/test_lexicon.py %/test_word_lists.py, \
	$(sort $(wildcard tests/games/*/test_*.py)))
# Uncompiled, numpy checks every index, but few games are played to their ends; these play many.
BOUNDS_TESTS := $(filter %/test_every_game.py %/test_golden.py %/test_observation.py %/test_play.py \
	%/test_redeal.py,$(RULE_TESTS))

# Tests with targets of their own.
ELSEWHERE := $(foreach folder,cuda ray rllib frameworks,--ignore tests/$(folder))
# Environments beside ours: what these frameworks require contradicts what we do, and the lowest
# versions that pyproject.toml allows.
RLLIB := .venv-rllib
FRAMEWORKS := .venv-frameworks
LOWEST := .venv-lowest

.PHONY: help install demo reproduce dist docs test check compile test-fast test-plain test-bounds test-cuda \
	test-ray test-rllib test-frameworks test-lowest test-all gpu mutants bench tables release clean

help:  ## List the commands.
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/\t/' | expand -t 14

install: $(READY)  ## Make .venv with everything in the tested versions.

$(CORE): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(PIP) --editable .
	touch $(CORE)

$(READY): $(CORE)
	$(BIN)/$(PIP) --editable '.[training,web,video,gpu,docs,dev]'
	touch $(READY)

demo: install  ## Train Diddly for about two minutes, evaluate, and write a report with pictures.
	rm -rf runs/demo
	$(BIN)/kitchentable train configs/diddly_demo.yaml --run demo

reproduce: install  ## Train a shipped player anew (PLAYER=diddly_2p), or all of a game (GAME=diddly).
	$(BIN)/kitchentable reproduce $(PLAYER) $(GAME)

dist: install  ## Build the distributions, the project's and the trained players', into dist/.
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m build --no-isolation --outdir dist checkpoints

# pip and mypy leave all but one core idle, which the compiler has work for.
test:  ## Ruff, mypy, the documentation, and the tests: compiled, uncompiled, and on a simulated GPU.
	$(MAKE) --jobs 2 check test-fast
	$(MAKE) test-plain
	$(MAKE) test-cuda

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(MAKE) docs

docs: install  ## Build the documentation into build/docs; warnings and broken links are errors.
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs

# By its path, as pip takes the installed package away for a moment when it adds to it.
compile: $(CORE)
	PYTHONPATH=envs:training $(BIN)/python -m kitchentable_training compile --jobs $(JOBS)

test-fast: install compile
	$(BIN)/pytest -q -n $(JOBS) --dist loadfile -m 'not slow' $(ELSEWHERE)

# The same rules uncompiled, where Python checks types, and numpy overflows and indices.
test-plain: install
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -q -n $(JOBS) --dist worksteal -m 'not slow and not engine' $(RULE_TESTS)

# Whole games compiled with every index checked. Optimized less, they compile faster.
test-bounds: export NUMBA_BOUNDSCHECK := 1
test-bounds: export NUMBA_OPT := 1
test-bounds: install
	$(BIN)/kitchentable compile --jobs $(JOBS) --no-players
	$(BIN)/pytest -q -n $(JOBS) --dist loadfile -m 'not slow' $(BOUNDS_TESTS)

# A GPU that numba plays itself, which must be told before it is imported, and code for a real one.
SIMULATED := NUMBA_ENABLE_CUDASIM=1 $(BIN)/pytest -q -n $(JOBS) --dist worksteal tests/cuda
COMPILED := $(BIN)/pytest -q -n $(JOBS) --dist worksteal tests/cuda
test-cuda: install compile
	$(SIMULATED) -m 'cuda_sim and not slow'
	$(COMPILED) -m 'cuda_ptx and not slow'

# Clusters of this machine, and a sweep. Ray is large, and needed for nothing else.
test-ray: install  ## The tests that need Ray.
	$(BIN)/$(PIP) --editable '.[ray]'
	$(BIN)/pytest -q tests/ray

test-rllib: $(RLLIB)/.ready  ## The tests of learning with RLlib.
	$(RLLIB)/bin/pytest -q tests/rllib

$(RLLIB)/.ready: pyproject.toml constraints-rllib.txt
	$(PYTHON) -m venv $(RLLIB)
	$(RLLIB)/bin/python -m pip install --quiet --constraint constraints-rllib.txt --editable '.[rllib,dev]'
	touch $@

test-frameworks: $(FRAMEWORKS)/.ready  ## The adapters to other frameworks, their examples, and language models.
	$(FRAMEWORKS)/bin/pytest -q -W default tests/frameworks

# AgileRL imports peft and transformers, and OpenSpiel's learners dm-tree, without requiring them.
$(FRAMEWORKS)/.ready: pyproject.toml constraints-frameworks.txt
	$(PYTHON) -m venv $(FRAMEWORKS)
	$(FRAMEWORKS)/bin/python -m pip install --quiet --constraint constraints-frameworks.txt \
		--editable '.[training,dev,llm,textarena,openenv]' \
		agilerl peft transformers tianshou torchrl open-spiel dm-tree
	touch $@

# What touches other packages: adapters, the engine, pictures, networks, reports and the page. Old
# versions warn about their own dependencies.
test-lowest: $(LOWEST)/.ready  ## The lowest versions of all packages that pyproject.toml allows.
	$(LOWEST)/bin/pytest -q -n $(JOBS) --dist loadfile -W default -m 'not slow' -k 'not browser' \
		tests/core tests/engine tests/render tests/contract/test_adapters.py tests/contract/test_vector.py \
		tests/training/test_league.py tests/training/test_networks.py tests/training/test_report.py tests/web/test_web.py

# starlette's client for tests needed httpx then.
$(LOWEST)/.ready: pyproject.toml constraints-lowest.txt
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --constraint constraints-lowest.txt --editable '.[training,web,video]' \
		pytest pytest-timeout pytest-xdist hypothesis httpx
	touch $@

test-all: install  ## The slow tests too, and whole games with every index checked.
	$(BIN)/pytest -q -n $(JOBS) --dist loadfile $(ELSEWHERE)
	$(MAKE) test-bounds
	$(SIMULATED) -m cuda_sim
	$(COMPILED) -m cuda_ptx

gpu: install  ## The tests that need a GPU, and its speed, into the table of results.
	$(BIN)/pytest -q -m cuda tests/cuda
	$(BIN)/python -m benchmarks gpu
	$(BIN)/python -m docs.tables

mutants: install  ## Change rules and engine in one place at a time and see whether the tests notice.
	$(BIN)/python tests/mutants.py --jobs $(JOBS)

bench: install  ## Repeat all measurements except `gpu` and `exploit`, into benchmarks/results.
	$(BIN)/$(PIP) --editable '.[bench]'
	$(BIN)/python -m benchmarks

tables: install  ## Write the tables of the README and the documentation from the results.
	$(BIN)/python -m docs.tables

release: dist test-lowest  ## Check the distributions and test them in new environments (PYTHONS=...).
	bash .ci/release $(PYTHONS)

clean:  ## Remove what make made.
	rm -rf $(VENV) $(RLLIB) $(FRAMEWORKS) $(LOWEST) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
