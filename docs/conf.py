"""Configuration of the documentation site: ``make docs`` builds it into build/docs."""

from __future__ import annotations

import sys
from pathlib import Path

from scrapy_cetr import __version__

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "scrapy-cetr"
author = "The scrapy-cetr developers"
project_copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "autodoc_types",
]

# The site is built without a network: no intersphinx, no remote images or fonts.
html_theme = "furo"
html_title = f"scrapy-cetr {release}"
html_static_path = ["static"]
html_css_files = ["tables.css"]
html_show_sphinx = False
html_copy_source = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
copybutton_line_continuation_character = "\\"

autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100

nitpicky = True
# Names of other projects and of private modules have no page here.
nitpick_ignore_regex = [
    ("py:.*", r"(scrapy|numpy|np|twisted|itemadapter|web_poet|scrapy_poet|collections)\b.*"),
    ("py:.*", r"scrapy_cetr\.extraction\.(page|columns|lazy|methods|analysis|sites)\b.*"),
    ("py:.*", r"(Any|Self|Literal|Mapping|Iterable|Callable|Page|Verdict)\b.*"),
]
