"""The compiled module, which setup.cfg cannot declare. Everything else is there."""

from pathlib import Path

from setuptools import Extension, setup

FOLDER = Path("scrapy_cetr", "extraction", "loops")
# Optional: without a compiler, the package is installed without it and takes longer for a page.
setup(
    ext_modules=[
        Extension(
            ".".join((*FOLDER.parts, source.stem)),
            [source.as_posix()],
            depends=[part.as_posix() for part in FOLDER.glob("*.pxi")],
            optional=True,
        )
        for source in FOLDER.glob("*.pyx")
    ]
)
