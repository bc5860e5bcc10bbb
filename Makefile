# Needs python3 (3.11 or newer) with venv, and git. PYTHON=python3.12 makes .venv with another one.
PYTHON ?= python3
WORKERS ?= 3
# What tries more cases with the profile soak.
SOAKED := tests/unit tests/acceptance tests/integration/test_facts_faults.py tests/integration/test_bench_facts.py \
	tests/integration/test_durable_connections.py tests/integration/test_process_end.py
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input --no-compile
USE := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
CHECKS := check-lint check-format check-types check-imports check-blocking check-size check-words

# Compiled once, not anew in each process that the tests start.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test check bench soak setup clean $(CHECKS)

help:
	@echo "make demo    a conversation remembered, searched and packed (about a minute the first time)"
	@echo "make test    every test"
	@echo "make check   linter, format, types, import rules, generated code, sizes"
	@echo "make bench   quality and speed on this machine"
	@echo "make soak    the heavy proofs; writes bench/results/*.json"
	@echo "make setup   the environment for development in $(VENV)"

demo: $(USE)
	@$(BIN)/backstory demo

setup: $(DEV)

test: $(DEV)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(TESTS)

check: $(DEV)
	@$(MAKE) --no-print-directory --keep-going --jobs=$(words $(CHECKS)) --output-sync=target $(CHECKS)

check-lint: $(DEV)
	$(BIN)/ruff check --quiet .

check-format: $(DEV)
	$(BIN)/ruff format --quiet --check .

check-types: $(DEV)
	$(BIN)/mypy --no-error-summary

check-imports: $(DEV)
	$(BIN)/lint-imports --no-logo

check-blocking: $(DEV)
	$(BIN)/python tools/generate_blocking.py --check

check-size: $(DEV)
	$(BIN)/python tools/check_size.py

check-words: $(DEV)
	$(BIN)/python tools/check_words.py

bench: $(DEV)
	$(BIN)/python -m bench

soak: $(DEV)
	HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -q -n $(WORKERS) --timeout 600 $(SOAKED)
	$(BIN)/python -m bench soak

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "backstory needs Python 3.11 or newer: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { rm -rf $(VENV); echo "python3-venv is missing: apt-get install python3-venv"; exit 1; }

# The stamps are older than pyproject.toml when a dependency may have changed.
$(USE): pyproject.toml | $(BIN)/python
	@echo "installing backstory into $(VENV)"
	@$(PIP) --editable .
	@touch $@

$(DEV): pyproject.toml | $(BIN)/python
	@echo "installing backstory and the tools for development into $(VENV)"
	@$(PIP) --editable '.[dev]'
	@touch $@ $(USE)
