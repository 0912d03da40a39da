"""Builds the wheel and the sdist and tests them in clean environments: ``python -m release.check``.

There are four environments: with the wheel, with the sdist, with the sdist and no compiler, and
with the wheel and the lowest versions of the dependencies that setup.cfg allows. In each of them, a
page is crawled without and with workers, outside of the repository. With the lowest versions, some
of the tests run against the installed wheel. Needs the package ``build``, a compiler, and an index
for pip.
"""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SMOKE = Path(__file__).with_name("smoke_crawl.py")
# Files of the package that match these patterns have to be in the wheel.
SHIPPED = ("*.py", "*.typed", "*.npz", "*.json", "*.css", "*.js", "*.html", "*.txt")

# A command that fails in place of a compiler.
NO_COMPILER = "false"
IMPLEMENTATION = "from scrapy_cetr.extraction import loops; print(loops.IMPLEMENTATION)"

# Copied beside the tests, which import or read them.
TEST_FILES = ("tests", "testkit", "example_project", "setup.cfg")
TESTS = (
    *("extraction/page", "extraction/html", "extraction/methods/test_cetr.py"),
    *("extraction/test_article.py", "extraction/output/test_text.py"),
    *("test_pipeline.py", "test_spidermiddleware.py", "test_downloadermiddleware.py"),
    *("test_faults.py", "test_reactors.py"),
)
TEST_PACKAGES = (
    *("pytest>=8", "pytest-twisted>=1.14", "hypothesis", "attrs", "pydantic>=2"),
    "py3langid>=0.3",
    "httpx",  # the oldest Scrapy downloads with it if there is no reactor
)


def run(*command: str | Path, cwd: Path, compiler: str = "") -> str:
    """Run a command and return its output; if it fails, exit with its output."""
    done = subprocess.run(  # noqa: S603
        list(map(str, command)),
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | ({"CC": compiler} if compiler else {}),
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def lowest_versions(requirements: str) -> list[str]:
    r"""Pin each requirement to the lowest version that it allows.

    >>> lowest_versions("scrapy>=2.15\nturbohtml>=1.15,<2")
    ['scrapy==2.15.*', 'turbohtml==1.15.*']
    """
    bounds = re.findall(r"^\s*([\w-]+)>=([\d.]+)", requirements, re.MULTILINE)
    return [f"{name}=={version}.*" for name, version in bounds]


def missing(wheel: Path) -> list[str]:
    """List the files of the package that are not in the wheel."""
    listed = run(sys.executable, "-m", "zipfile", "-l", wheel, cwd=ROOT)
    package = ROOT / "scrapy_cetr"
    names = (path.relative_to(ROOT) for kind in SHIPPED for path in package.rglob(kind))
    return [str(name) for name in names if str(name) not in listed]


def check_archive(archive: Path, folder: Path, *, pins: list[str], compiler: str = "") -> None:
    """Install an archive in a new environment, and crawl with it."""
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    install = ("pip", "install", "--quiet", "--no-cache-dir")
    run(python, "-m", *install, archive, *pins, cwd=folder, compiler=compiler)
    loops = run(python, "-P", "-c", IMPLEMENTATION, cwd=folder).strip()
    if loops != ("numpy" if compiler else "cython"):
        sys.exit(f"{folder.name}: the loops are those of {loops}")
    shutil.copy(SMOKE, folder)
    for workers in ("0", "2"):
        output = run(python, "-P", SMOKE.name, workers, cwd=folder)
        sys.stdout.write(f"{folder.name}, workers {workers}: {output}")


def run_tests(folder: Path) -> None:
    """Run tests of the library and the plugin on the package that an environment has."""
    python = folder / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", *TEST_PACKAGES, cwd=folder)
    # In the repository, the tests would import its modules instead of the installed ones.
    for name in TEST_FILES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    files = [f"tests/{name}" for name in TESTS]
    output = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files, cwd=folder)
    sys.stdout.write(f"{folder.name}, tests: {output.splitlines()[-1]}\n")


def main() -> None:
    """Build the distributions and check them in all environments."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    pins = lowest_versions(config["options"]["install_requires"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "build", "--outdir", folder / "dist", ROOT, cwd=ROOT)
        (wheel,), (sdist,) = (list((folder / "dist").glob(kind)) for kind in ("*.whl", "*.tar.gz"))
        if absent := missing(wheel):
            sys.exit(f"not in the wheel: {', '.join(absent)}")
        for kind, archive, pinned, compiler in (
            ("wheel", wheel, [], ""),
            ("sdist", sdist, [], ""),
            ("sdist without a compiler", sdist, [], NO_COMPILER),
            ("lowest versions", wheel, pins, ""),
        ):
            (folder / kind).mkdir()
            check_archive(archive, folder / kind, pins=pinned, compiler=compiler)
            if pinned:
                run_tests(folder / kind)


if __name__ == "__main__":
    main()
