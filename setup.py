"""What setup.cfg cannot say: which modules are compiled. All else is there."""

from setuptools import Extension, setup

PACKAGE = "scrapy_cetr.extraction"
# Where there is no compiler, the package is installed without them, and takes longer for a page.
setup(
    ext_modules=[
        Extension(f"{PACKAGE}.{name}", [f"{PACKAGE.replace('.', '/')}/{name}.pyx"], optional=True)
        for name in ("_loops", "_scanning")
    ]
)
