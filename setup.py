"""What setup.cfg cannot say: which modules are compiled. All else is there."""

from pathlib import Path

from setuptools import Extension, setup

FOLDER = Path("scrapy_cetr", "extraction", "loops")
# Where there is no compiler, the package is installed without them, and takes longer for a page.
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
