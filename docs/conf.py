"""Configuration of Sphinx, which builds the documentation: ``make docs``."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel

sys.path.insert(0, str(Path(__file__).parents[1]))

import kitchentable
from docs import generate

project = "Kitchentable"
author = copyright = "The Kitchentable developers"  # noqa: A001 (Sphinx's name)
version = release = kitchentable.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_static_path, html_css_files, html_js_files = ["static"], ["site.css"], ["copy.js"]
html_favicon = "static/favicon.svg"
html_title = f"{project} {version}"
html_copy_source = html_show_sourcelink = False
smartquotes_action = "D"  # a double hyphen is an en dash, as between a parameter and its text

myst_enable_extensions = ["html_image"]
myst_heading_anchors = 3

# Single backticks in docstrings link to objects that are documented.
napoleon_use_ivar = True  # otherwise attributes documented twice in a class are listed twice
default_role = "py:obj"
HIDDEN = "\N{MODIFIER LETTER COLON}"
suppress_warnings = ["ref.python"]  # some names, such as `step`, are ambiguous
autodoc_default_options = {"member-order": "bysource", "exclude-members": "model_config"}
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
python_maximum_signature_line_length = 88


CONSTANTS = {"ALGORITHMS", "ENVIRONMENTS", "SOLVERS"}
"""The constants that users name; others do not appear on the pages of the API."""


def setup(app: Any) -> None:
    """Generate pages from the code before Sphinx reads the pages."""
    app.connect("builder-inited", lambda _: generate.main())
    app.connect("autodoc-skip-member", _skip_constants)
    app.connect("autodoc-process-signature", _without_fields)
    # Before and after napoleon, which takes text before a colon for an attribute's type.
    app.connect("autodoc-process-docstring", _hide_colons, priority=400)
    app.connect("autodoc-process-docstring", _show_colons, priority=600)


def _skip_constants(_: Any, what: str, name: str, *__: Any) -> bool | None:
    """Leave out constants of modules; None: as usual."""
    return True if what == "module" and name.isupper() and name not in CONSTANTS else None


def _without_fields(_: Any, what: str, name: str, obj: Any, *__: Any) -> tuple[str, str] | None:
    """Remove the signature of a class whose fields are documented one by one."""
    del name
    fields = dataclasses.is_dataclass(obj) or issubclass(obj, BaseModel) if what == "class" else 0
    return ("", "") if fields else None


def _hide_colons(_: Any, what: str, *rest: Any) -> None:
    if what == "attribute":
        rest[-1][:] = [line.replace(":", HIDDEN) for line in rest[-1]]


def _show_colons(_: Any, what: str, *rest: Any) -> None:
    if what == "attribute":
        rest[-1][:] = [line.replace(HIDDEN, ":") for line in rest[-1]]
