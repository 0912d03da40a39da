PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: test demo lint types screenshots clean

test: lint types
	$(BIN)/pytest

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready
	$(BIN)/mypy

demo: $(VENV)/ready
	$(BIN)/python example_project/demo.py

# Needs Chromium: apt-get install chromium
screenshots: $(VENV)/ready
	$(BIN)/python docs/screenshots.py

# Everything the project needs, in an environment of its own; made again when its requirements change.
$(VENV)/ready: setup.cfg pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'scrapy-cetr needs Python 3.11 or newer; name one with: make PYTHON=python3.12')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) demo-output build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
