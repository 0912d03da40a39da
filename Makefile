PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

WORKFLOWS := $(wildcard .github/workflows/*.yml)

.PHONY: test test-slow test-engines demo docs lint types screenshots fuzz sanitize release wheels clean

# One process per core. A process that has finished takes over tests of the others.
test: lint types
	$(BIN)/pytest -m "not slow and not engines" --numprocesses=auto --maxprocesses=4 --dist=worksteal

# The how-to guides with servers and libraries that the other tests do not need.
test-slow: $(VENV)/cookbook
	$(BIN)/pytest -m "slow and not engines" tests

# Spark, datatrove, Ray and shared crawls on this machine. Needs Java 17 and redis-server.
test-engines: $(VENV)/engines
	$(BIN)/pytest -m engines tests/engines

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows $(WORKFLOWS)

types: $(VENV)/ready
	$(BIN)/mypy

# Runs until an input fails or SECONDS are over; python -m fuzz FILE runs a failing input again.
fuzz: $(VENV)/ready
	mkdir -p fuzz/found
	$(BIN)/python -m fuzz fuzz/found fuzz/corpus -max_total_time=$(or $(SECONDS),3600)

# Builds the compiled modules with gcc's sanitizers, and runs the tests that compare them with Python.
SANITIZERS := -fsanitize=address,undefined
sanitize: $(VENV)/ready
	CFLAGS="$(SANITIZERS) -g -O1" LDFLAGS="$(SANITIZERS)" \
		$(BIN)/pip install --quiet --disable-pip-version-check --upgrade --no-deps --target build/sanitized .
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1 PYTHONMALLOC=malloc \
		$(BIN)/pytest --override-ini=pythonpath="build/sanitized ." tests/extraction/loops

release: $(VENV)/ready
	$(BIN)/pip install --quiet --disable-pip-version-check build
	$(BIN)/python -m release.check

# For the Python versions that pyproject.toml names, into dist. Needs pipx, and docker on Linux.
CIBUILDWHEEL ?= pipx run cibuildwheel
wheels:
	$(CIBUILDWHEEL) --output-dir dist

demo: $(VENV)/ready
	$(BIN)/python example_project/demo.py

# The documentation site, into build/docs; a warning is an error.
docs: $(VENV)/ready
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -b html docs build/docs
	@echo "built: build/docs/index.html"

# Needs Chromium: apt-get install chromium
screenshots: $(VENV)/ready
	$(BIN)/python docs/screenshots.py

# Everything the project needs, in an environment of its own; made again when its requirements change.
$(VENV)/ready: setup.cfg setup.py pyproject.toml $(wildcard $(addprefix scrapy_cetr/extraction/loops/,*.pyx *.pxi))
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'scrapy-cetr needs Python 3.11 or newer; name one with: make PYTHON=python3.12')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,docs]'
	touch $@

# An older pip does not find versions of these that fit together.
$(VENV)/cookbook: $(VENV)/ready
	$(BIN)/pip install --quiet --disable-pip-version-check 'pip>=24'
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,docs,cookbook]'
	touch $@

$(VENV)/engines: $(VENV)/ready
	$(BIN)/pip install --quiet --disable-pip-version-check 'pip>=24'
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,docs,engines]'
	touch $@

clean:
	rm -rf $(VENV) demo-output build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	rm -f scrapy_cetr/extraction/loops/*.c scrapy_cetr/extraction/loops/*.so
