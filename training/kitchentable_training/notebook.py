"""How objects show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def html_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return an HTML table, as a notebook shows it."""
    lines = [f"<tr>{''.join(f'<th>{escape(str(cell))}</th>' for cell in header)}</tr>"]
    lines += [
        f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows
    ]
    return f"<table>{''.join(lines)}</table>"
