# make run          install what is needed and open the window; make run FILE=table.csv opens that file
# make test         lint, types and tests, in some minutes
# make test-all     the same with slow tests and every example
# make warmup       compile the kernels into the cache beforehand
# make bench        speed beside XGBoost, LightGBM, scikit-learn and CatBoost
# make clean        remove everything that was made here

PYTHON := .venv/bin/python
PIP := $(PYTHON) -m pip --disable-pip-version-check --quiet
export FILE

.PHONY: run test test-all warmup bench clean ready-for-tests

run: .venv/installed
	@.ci/qt-libs
	@.ci/open

test:
	@.ci/check

test-all:
	@.ci/check -m ''

warmup: .venv/installed
	$(PYTHON) -m workbench warmup

bench: .venv/installed-for-benchmarks
	$(PYTHON) -m tests.benchmarks

clean:
	rm -rf .venv .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist tour
	find workbench tests -name __pycache__ -prune -exec rm -rf {} +

ready-for-tests: .venv/installed-for-tests
	@.ci/qt-libs

.venv/bin/python:
	@.ci/venv

.venv/installed: pyproject.toml | .venv/bin/python
	@echo "Installing the Boosting Workbench into .venv (once; a minute or two)."
	@$(PIP) install --editable '.[files]'
	@touch $@

.venv/installed-for-tests: pyproject.toml | .venv/bin/python
	@echo "Installing the Boosting Workbench and its test tools into .venv (once; a minute or two)."
	@$(PIP) install --editable '.[test]'
	@touch .venv/installed $@

.venv/installed-for-benchmarks: pyproject.toml | .venv/bin/python
	@echo "Installing the Boosting Workbench and the libraries it is measured with into .venv (once)."
	@$(PIP) install --editable '.[bench]'
	@touch .venv/installed $@
