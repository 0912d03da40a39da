"""Builds wheel and sdist and tries them in clean environments: ``python release/check.py``.

Each of four environments gets one of them: the wheel, the sdist, the sdist where there is no
compiler, and the wheel with the lowest versions of the dependencies that setup.cfg allows. In each,
outside of the repository, a page is crawled without and with workers; with the lowest versions,
some of the tests run too. Needs the package ``build``, a compiler, and an index for pip.
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
# What a file of code or data in the package may be called; all of them have to be in the wheel.
SHIPPED = ("*.py", "*.typed", "*.npz", "*.json", "*.css", "*.js", "*.html", "*.txt")

# A compiler that is none.
NO_COMPILER = "false"
IMPLEMENTATION = "from scrapy_cetr.extraction import loops; print(loops.IMPLEMENTATION)"

TESTS = (
    *("extraction/page", "extraction/html", "extraction/methods/test_cetr.py"),
    *("extraction/test_article.py", "extraction/output/test_text.py"),
    *("test_pipeline.py", "test_spidermiddleware.py", "test_downloadermiddleware.py"),
    *("test_faults.py", "test_reactors.py"),
)
TEST_PACKAGES = (
    *("pytest>=8", "pytest-twisted>=1.14", "hypothesis", "attrs", "pydantic>=2"),
    "py3langid>=0.3",
    "httpx",  # which the oldest Scrapy downloads with where it has no reactor
)


def run(*command: str | Path, cwd: Path, compiler: str = "") -> str:
    """Run a command, and show what it said if it fails."""
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


def try_out(archive: Path, folder: Path, *, pins: list[str], compiler: str = "") -> None:
    """Install an archive in a new environment and crawl with it."""
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    install = ("pip", "install", "--quiet", "--no-cache-dir")
    run(python, "-m", *install, archive, *pins, cwd=folder, compiler=compiler)
    loops = run(python, "-P", "-c", IMPLEMENTATION, cwd=folder).strip()
    if loops != ("numpy" if compiler else "cython"):
        sys.exit(f"{folder.name}: the loops are those of {loops}")
    shutil.copy(SMOKE, folder)
    for workers in ("0", "2"):
        said = run(python, "-P", SMOKE.name, workers, cwd=folder)
        sys.stdout.write(f"{folder.name}, workers {workers}: {said}")


def run_tests(folder: Path) -> None:
    """Run tests of the library and the plugin with the versions of an environment."""
    python = folder / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", *TEST_PACKAGES, cwd=folder)
    files = [f"tests/{name}" for name in TESTS]
    said = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files, cwd=ROOT)
    sys.stdout.write(f"{folder.name}, tests: {said.splitlines()[-1]}\n")


def main() -> None:
    """Build and try everything."""
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
            try_out(archive, folder / kind, pins=pinned, compiler=compiler)
            if pinned:
                run_tests(folder / kind)


if __name__ == "__main__":
    main()
