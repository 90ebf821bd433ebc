# Everything a person or CI does here, by name. Only Python 3.11 to 3.13 and make are needed; after `setup`, no network.

.DEFAULT_GOAL := help
SHELL := /bin/sh
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.set-up
SOURCES := functions infra shared tests
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input -q
LOCK := -q --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11

.PHONY: help setup local-model demo run test test-all parity bench cost tool-choice memory screenshots sim check fmt lint type imports dead docs package package-check sbom audit plan deploy smoke destroy schema lock clean

help: ## This list
	@echo 'Memex. Start with: make demo'
	@echo
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
		printf '%-16s %s\n' "$$name" "$$text"; done

setup: $(STAMP) ## Create .venv and install what is pinned (needs the network once)

$(STAMP): requirements-dev.txt
	@python=$$(sh infra/setup/python.sh "$(PYTHON)") && sh infra/setup/venv.sh "$$python" $(VENV)
	@echo 'Installing the pinned packages into $(VENV)'
	@$(PIP) install --require-hashes -r requirements-dev.txt
	@sh infra/setup/command.sh $(VENV)
	@touch $@

demo: $(STAMP) ## Research one of twenty sample notes on a throw-away local cloud, and show report and bill
	@$(BIN)/memex demo

run: $(STAMP) ## The local cloud with its data in .memex/: page, API, emulated services (ARGS='--http-port 0')
	@exec $(BIN)/memex up $(ARGS)

test: $(STAMP) ## The test suite without what is slow
	$(BIN)/python -m pytest -n 3 --dist worksteal --tb=short -rfE -m 'not slow'

test-all: $(STAMP) ## The whole test suite
	$(BIN)/python -m pytest -n 2 --dist worksteal --tb=short -rfE

SEEDS ?= 500
sim: $(STAMP) ## Simulate the research of notes under faults: make sim SEEDS=500
	$(BIN)/python -m infra.sim --seeds $(SEEDS)

bench: $(STAMP) ## Speed next to Google's emulators, where they are installed (ARGS="--only pubsub --repeat 2")
	@GRPC_VERBOSITY=NONE $(BIN)/python -m bench $(ARGS)

cost: $(STAMP) ## What everything costs, into docs/cost.md; some ten minutes (ARGS="--render", "--check", "--only chat-turn")
	@GRPC_VERBOSITY=NONE $(BIN)/python -m infra.cost $(ARGS)

tool-choice: $(STAMP) ## How well a model chooses tools (ARGS="--model ollama --role plan --fail-under 0.9")
	@GRPC_VERBOSITY=NONE $(BIN)/python -m bench.tool_choice $(ARGS)

screenshots: $(STAMP) ## Pictures of every view in six forms, in screenshots/ (ARGS="feed run --width 390")
	$(BIN)/python -m tests.browser.screenshots $(ARGS)

memory: $(STAMP) ## How well a month of notes and chats is remembered (ARGS="--model rules --verbose")
	@GRPC_VERBOSITY=NONE $(BIN)/python -m bench.memory $(ARGS)

parity: $(STAMP) ## Compare the local Firestore and Pub/Sub with Google's emulators, where installed
	$(BIN)/python -W ignore -m tests.contract.parity $(PARITY)

check: lint type imports dead ## Lint, types, import contracts, dead code

fmt: $(STAMP) ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(STAMP) ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

type: $(STAMP) ## mypy, strict
	$(BIN)/mypy

imports: $(STAMP) ## The import contracts
	$(BIN)/lint-imports

dead: $(STAMP) ## Code that nothing uses
	$(BIN)/vulture

local-model: $(STAMP) ## A small real language model in .venv-model, for memex up --model local (network, C++ compiler)
	@python=$$(sh infra/setup/python.sh "$(PYTHON)") && sh infra/setup/model.sh "$$python" .venv-model

docs: $(STAMP) ## Write docs/contracts/, docs/settings.md and .env.example anew from the code
	$(BIN)/python -m infra.docs

package: $(STAMP) ## A reproducible zip of each function, in dist/
	$(BIN)/python -m infra.packages.zips

package-check: package ## Serve each package as production would, beside nothing but its own requirements; a table
	$(BIN)/python -m infra.packages.check

sbom: $(STAMP) ## What is delivered, as CycloneDX, and its licences: dist/sbom.json, dist/licences.md
	$(BIN)/python -m infra.packages.bom

audit: $(STAMP) ## Whether anything is known against what is locked (asks PyPI; fails where it gives no answer)
	@folder=$$(mktemp -d) && $(BIN)/python -m venv "$$folder" && "$$folder/bin/pip" install -q pip-audit==2.10.1 && \
	"$$folder/bin/pip-audit" --strict --disable-pip --require-hashes -r requirements.txt; status=$$?; \
	rm -rf "$$folder"; exit $$status

plan: package ## What a deployment would change: make plan ENV=staging (needs terraform)
	@PYTHON=$(BIN)/python sh infra/terraform/run.sh plan '$(ENV)'

deploy: package ## Deploy: make deploy ENV=staging (needs terraform and an account)
	@PYTHON=$(BIN)/python sh infra/terraform/run.sh deploy '$(ENV)'

smoke: $(STAMP) ## The main job in what is deployed: make smoke ENV=staging MEMEX_TOKEN=... (one paid research run)
	@PYTHON=$(BIN)/python sh infra/terraform/run.sh smoke '$(ENV)'

destroy: $(STAMP) ## End a deployment: make destroy ENV=staging
	@PYTHON=$(BIN)/python sh infra/terraform/run.sh destroy '$(ENV)'

schema: $(STAMP) ## The provider's schema of what Terraform's files use, anew (needs the network)
	@folder=$$(mktemp -d) && $(PIP) download --no-deps -d "$$folder" \
		cdktf-cdktf-provider-google==16.12.1 cdktf-cdktf-provider-google-beta==16.12.1 && \
	$(BIN)/python -m infra.terraform.schema "$$folder"/*.whl; rm -rf "$$folder"

lock: $(STAMP) ## Pin anew from requirements*.in (needs uv and the network)
	@uv=$$(command -v uv || echo $(BIN)/uv); \
	test -x "$$uv" || { echo 'make lock needs uv: $(BIN)/python -m pip install uv' >&2; exit 1; }; \
	"$$uv" pip compile $(LOCK) requirements.in -o requirements.txt && \
	"$$uv" pip compile $(LOCK) -c requirements.txt requirements-dev.in -o requirements-dev.txt

clean: ## Remove what make made; .memex/ with your notes stays
	rm -rf $(VENV) dist build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
