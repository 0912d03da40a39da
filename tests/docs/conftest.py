"""A new Scrapy project for each test of documented code."""

import shutil
from pathlib import Path

import pytest

from testkit.documented_code import Document, Project, run
from testkit.server import Site

README = Document.read("README.md")


@pytest.fixture(scope="module")
def new_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run ``scrapy startproject`` once per module."""
    folder = tmp_path_factory.mktemp("new")
    run("-m", "scrapy", "startproject", "project", ".", folder=folder)
    return folder


@pytest.fixture
def project(new_project: Path, tmp_path: Path, site: Site) -> Project:
    """Make a project whose spider crawls one page with the callback of the README."""
    folder = shutil.copytree(new_project, tmp_path / "project")
    made = Project(folder, site.url, [site.add("/harbour")])
    made.write_spider(README.block("your spider"))
    return made


@pytest.fixture
def addon() -> str:
    """Return the line of the README that enables the plugin."""
    return README.block("settings.py")


@pytest.fixture
def parse() -> str:
    """Return the callback of the README."""
    return README.block("your spider")
