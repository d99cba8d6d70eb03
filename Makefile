# make play [PORT=8000]   the whole site on this machine
# make test | check | bench | bench-load | architecture | maps | messages | train | test-long | test-containers

PORT ?= 8000
STORED ?= 1000000
SECONDS ?= 60
SEED := 1
PYTHON ?=
BIN := .venv/bin
PREPARE := PYTHON="$(PYTHON)" .ci/prepare

.PHONY: play test test-long test-containers check bench bench-load architecture maps messages train

play:
	@$(PREPARE)
	@$(BIN)/python manage.py up --port $(PORT)

# The site is started many times: compiled once, it starts in two thirds of the time.
test test-long: export PYTHONDONTWRITEBYTECODE =

# SEED decides the order of the tests and which cards they deal, except on sites that they start. Long tests choose one.
test:
	@$(PREPARE) dev
	$(BIN)/pytest -n auto --dist loadgroup --randomly-seed=$(SEED)

test-long:
	@$(PREPARE) dev
	$(BIN)/pytest -m long -n auto --dist loadgroup

# The image and docker-compose.yml, built and run. Needs a running Docker engine, or root and Debian's packages
# docker.io, debootstrap and iptables. What is missing fails here; `make test-long` leaves these tests out instead.
test-containers: export EMPIRE_TEST_ALL = 1
test-containers:
	@$(PREPARE) dev
	$(BIN)/pytest -m containers -p no:randomly -p no:xdist -s tests/containers

check:
	@$(PREPARE) dev maps audit
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	git ls-files -z 'templates/*.html' | xargs -0 -r $(BIN)/djade --check --target-version 5.2
	$(BIN)/djlint --quiet --lint templates
	$(BIN)/python manage.py check
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python .ci/architecture.py --check
	$(BIN)/python .ci/words.py
	$(BIN)/python .ci/languages.py
	$(BIN)/python .ci/audit.py

bench:
	@$(PREPARE) dev
	$(BIN)/python -m tests.bench

bench-load:
	@$(PREPARE) dev
	$(BIN)/python -m tests.bench --only load --stored $(STORED) --seconds $(SECONDS)

architecture:
	@$(PREPARE) dev
	$(BIN)/python .ci/architecture.py

maps:
	@$(PREPARE) dev maps
	$(BIN)/python -m games.boards.eight_minute.build

# Needs Debian's gettext. `LANGUAGES="it pt"` adds languages to those that empire/locale holds. See docs/languages/README.md.
messages:
	@$(PREPARE) dev
	@mkdir -p empire/locale
	$(BIN)/python manage.py makemessages --all --no-obsolete $(foreach language,$(LANGUAGES),--locale $(language))

# The weights of the bots Hard and Master in the Eight-Minute games, by self-play. 40 minutes on two quiet cores; the same seed gives the same weights.
train:
	@$(PREPARE)
	$(BIN)/python manage.py train --processes 2
