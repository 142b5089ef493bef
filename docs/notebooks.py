"""Run the notebooks in ``examples/notebooks`` and make pages: ``python -m docs.notebooks``.

The command runs every notebook from top to bottom and writes what its cells show into the file.
Nothing of Jupyter is needed. The site has a page for each notebook, with the outputs in the file.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "examples" / "notebooks"
PAGES = Path(__file__).parent / "notebooks"
SHOWN = {
    "text/html": "_repr_html_",
    "image/svg+xml": "_repr_svg_",
}
"""The methods by which an object shows itself, by the kind of what they return."""

Cell = dict[str, Any]
Data = dict[str, str]


def notebooks() -> list[Path]:
    """Return the notebooks in the order of their names."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    """Return the content of a notebook."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def run(notebook: dict[str, Any]) -> None:
    """Run the code cells in order, in a new folder, and replace their outputs.

    Raises:
        Exception: whatever a cell raises.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    with tempfile.TemporaryDirectory() as folder, _in_folder(folder):
        for count, cell in enumerate(cells, 1):
            cell["execution_count"] = count
            cell["outputs"] = _run_cell("".join(cell["source"]), names, count)


@contextlib.contextmanager
def _in_folder(folder: str) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _run_cell(source: str, names: dict[str, Any], count: int) -> list[Cell]:
    """Run a cell, and return its outputs: what it prints, its last value, and its figures."""
    tree, value = ast.parse(source), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        exec(compile(tree, f"<cell {count}>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"<cell {count}>", "eval"), names)
    outputs: list[Cell] = []
    if text := printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(text)})
    data = [] if value is None else [_show(value)]
    for bundle in (*data, *_figures()):
        lines = {kind: _lines(text) for kind, text in bundle.items()}
        outputs.append({"output_type": "display_data", "metadata": {}, "data": lines})
    return outputs


def _show(value: object) -> Data:
    """Return how a value shows itself, by kind, as Jupyter asks for it."""
    bundle = {"text/plain": re.sub(" at 0x[0-9a-f]+", "", repr(value))}
    for kind, method in SHOWN.items():
        if (content := getattr(value, method, lambda: None)()) is not None:
            bundle[kind] = content
    return bundle


def _figures() -> Iterator[Data]:
    """Yield matplotlib's open figures, and close them."""
    import matplotlib.pyplot as plt  # noqa: PLC0415

    for number in plt.get_fignums():
        file = io.BytesIO()
        plt.figure(number).savefig(file, format="png", dpi=80, metadata={"Software": None})
        yield {"text/plain": "<Figure>", "image/png": base64.b64encode(file.getvalue()).decode()}
    plt.close("all")


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def page(path: Path) -> tuple[str, dict[str, bytes]]:
    """Return a notebook as a page in Markdown, and the pictures on it by file name."""
    parts, pictures = [], dict[str, bytes]()
    for cell in read(path)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            name = f"{path.stem}_{len(pictures)}"
            parts.append(_output(output, name, pictures))
    note = f"*This page is the notebook `examples/notebooks/{path.name}`.*"
    return "\n\n".join([parts[0], note, *parts[1:]]) + "\n", pictures


def _output(output: Cell, name: str, pictures: dict[str, bytes]) -> str:
    """Return an output in Markdown; a picture is put into ``pictures``."""
    data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
    if "image/png" in data:
        pictures[f"{name}.png"] = base64.b64decode(data["image/png"])
        return f"![A plot]({name}.png)"
    if "image/svg+xml" in data:
        pictures[f"{name}.svg"] = data["image/svg+xml"].encode()
        return f"![The table]({name}.svg)"
    if "text/html" in data:
        return data["text/html"]
    return f"```text\n{''.join(output.get('text', [])) or data['text/plain']}\n```"


def pages() -> dict[str, bytes]:
    """Return all files of the site's section on notebooks, by name."""
    files, names = dict[str, bytes](), []
    for path in notebooks():
        text, pictures = page(path)
        files |= {f"{path.stem}.md": text.encode()} | pictures
        title = text.partition("\n")[0].removeprefix("# ")
        names.append((path.stem, title))
    listed = "\n".join(f"- [{title}]({name}.md)" for name, title in names)
    about = (
        "Each page is a notebook in `examples/notebooks/`, which runs in less than a minute. "
        "The tests run all of them. To try them, run this in the clone:\n\n```\n"
        'pip install ".[training]" jupyter\n'
        "jupyter lab examples/notebooks\n```"
    )
    tree = "\n".join(name for name, _ in names)
    index = f"# Notebooks\n\n{about}\n\n{listed}\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    return {"index.md": index.encode()} | files


def main() -> None:
    """Run all notebooks, and write their outputs."""
    for path in notebooks():
        notebook = read(path)
        run(notebook)
        path.write_text(json.dumps(notebook, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
