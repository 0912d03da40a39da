"""What setup.cfg cannot say: which module is compiled. All else is there."""

from setuptools import Extension, setup

NAME = "scrapy_cetr.extraction._scanning"
# Where there is no compiler, the package is installed without, and reads pages by tokens.
setup(ext_modules=[Extension(NAME, [f"{NAME.replace('.', '/')}.pyx"], optional=True)])
