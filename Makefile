# `make demo` runs the main job, `make test` the tests; both set up a .venv of pinned versions first, once.
export PYTHONSAFEPATH = 1
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# Tests start docrev hundreds of times: without compiled files on disk each start takes a second of processor.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV = .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready-sandbox
READY_DEV = $(VENV)/.ready-dev
READY_DOCS = $(VENV)/.ready-docs
# Three for two cores: a third of the time, tests wait for processes, servers and clocks.
PYTEST = $(BIN)/python -m pytest -n 3 --dist loadfile

.DEFAULT_GOAL := help
.PHONY: help demo test test-all check bench docs dist fuzz format links setup clean

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(READY) ## Explore two bundled services and revise their specs, into ./docrev-demo/
	$(BIN)/docrev demo

test: $(READY_DEV) ## Run the tests, but for those over three seconds
	$(PYTEST) -m 'not long'

test-all: test ## Run all tests: those of `make test`, then the long ones
	$(PYTEST) -m long

check: $(READY_DEV) links ## Check style, types, dependencies, duplicates, dead code and complexity
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/deptry docrev eval runners
	$(BIN)/pylint --disable=all --enable=duplicate-code --score=no docrev eval runners
	$(BIN)/vulture
	$(BIN)/python tools/complexity.py

bench: $(READY_DEV) ## Measure, and print tables (ONLY="kinto demo" for a part, COMPARE=1 for what fell)
	COMPARE=$(COMPARE) KEEP=$(KEEP) PYTHONPATH=benchmarks:tests $(BIN)/python benchmarks/run.py $(ONLY)

docs: $(READY_DOCS) ## Build the documentation site, strictly, into docs/_build/
	$(BIN)/sphinx-build -q -W --keep-going -n -b html docs docs/_build

dist: $(READY_DEV) ## Build the wheel and the sdist, and try the core of docrev on each interpreter that is found
	$(BIN)/python tools/dist.py

fuzz: $(READY_DEV) ## Give every reader of input ten minutes of damaged input (SECONDS=60 SEED=2 ONLY="specs imports")
	PYTHONPATH=tests $(BIN)/python -m fuzz --seconds $(or $(SECONDS),600) --seed $(or $(SEED),1) $(if $(ONLY),--only $(ONLY))

format: $(READY_DEV) ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

setup: $(READY_DEV) ## Make .venv with everything that development needs

# mypy looks for the package as it is installed, not as it lies in the repository.
links:
	@mkdir -p .links/docrev
	@for entry in docrev/*; do ln -sfn ../../$$entry .links/docrev/$$(basename $$entry); done
	@for folder in runners eval templates specs; do ln -sfn ../../$$folder .links/docrev/$$folder; done

clean: ## Remove what make made
	rm -rf $(VENV) .links docrev-demo build dist docs/_build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(READY): pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[sandbox]'
	@touch $@

$(READY_DEV): pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[sandbox,local,retriever,train,bench,dev]'
	@touch $@ $(READY)

$(READY_DOCS): $(READY_DEV)
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[docs,sandbox]'
	@touch $@
