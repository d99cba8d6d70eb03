# make play [PORT=8000]   the whole site on this machine
# make test | check | bench | bench-load | maps | test-long

PORT ?= 8000
STORED ?= 1000000
SECONDS ?= 60
PYTHON ?= python3
BIN := .venv/bin
RUNTIME := .venv/.runtime
DEV := .venv/.dev

# What to install is read from pyproject.toml (first argument: extras), at the versions of constraints.txt.
define LIST
import sys, tomllib
project = tomllib.load(open("pyproject.toml", "rb"))["project"]
print(*project["dependencies"], *(line for extra in sys.argv[1:] for line in project["optional-dependencies"][extra]), sep="\n")
endef
export LIST

INSTALL = $(BIN)/python -c "$$LIST" $(1) > .venv/wanted.txt && \
	if command -v uv >/dev/null 2>&1; \
	then uv pip install --quiet --python $(BIN)/python -r .venv/wanted.txt -c constraints.txt; \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check -r .venv/wanted.txt -c constraints.txt; fi

.PHONY: play test test-long check bench bench-load maps browser-packages

play: $(RUNTIME)
	@$(BIN)/python manage.py up --port $(PORT)

# The site is started some fifty times: compiled once, it starts in two thirds of the time
test: export PYTHONDONTWRITEBYTECODE =
test: $(DEV)
	@command -v redis-server >/dev/null && command -v chromium >/dev/null || $(MAKE) --no-print-directory browser-packages
	$(BIN)/pytest -n 2 --dist loadgroup

test-long: $(DEV)
	$(BIN)/pytest -m long

check: .venv/.audit
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	git ls-files -z 'templates/*.html' | xargs -0 -r $(BIN)/djade --check --target-version 5.2
	$(BIN)/djlint --quiet --lint templates
	$(BIN)/python manage.py check
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python .ci/audit.py

bench: $(DEV)
	$(BIN)/python manage.py bench

bench-load: $(DEV)
	$(BIN)/python manage.py bench --only load --stored $(STORED) --seconds $(SECONDS)

maps: .venv/.maps
	$(BIN)/python -m games.boards.build

browser-packages:
	@echo "Some tests will be left out. To run them all: apt-get install -y --no-install-recommends redis-server chromium fonts-dejavu-core"

$(BIN)/python:
	@echo "Building .venv ..."
	@if command -v uv >/dev/null 2>&1; then uv venv --quiet .venv; else $(PYTHON) -m venv .venv; fi

$(RUNTIME): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing what the site needs ..."
	@$(call INSTALL,)
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing what the tests need ..."
	@$(call INSTALL,dev)
	@touch $@ $(RUNTIME)

.venv/.maps: $(DEV)
	@$(call INSTALL,dev maps)
	@touch $@

.venv/.audit: .venv/.maps
	@$(call INSTALL,dev maps audit)
	@touch $@
