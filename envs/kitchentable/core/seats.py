"""Arithmetic on seats around a table, without division."""

from __future__ import annotations

from kitchentable.core.kernels import kernel
from kitchentable.core.state import NOBODY


@kernel
def seat_after(seat: int, steps: int, seats: int) -> int:
    """Return the seat ``steps`` to the left of ``seat``, where ``seat + steps < 2 * seats``."""
    found = int(seat) + steps
    return int(found - seats if found >= seats else found)


@kernel
def place_of(seat: int, viewer: int, seats: int) -> int:
    """Return how many steps a seat is to the left of ``viewer``: 0 for the viewer itself."""
    place = int(seat) - int(viewer)
    return int(place + seats if place < 0 else place)


@kernel
def place_or_nobody(seat: int, viewer: int, seats: int) -> int:
    """Return the result of `place_of` for a seat, and `NOBODY` for no seat."""
    return NOBODY if seat == NOBODY else place_of(seat, viewer, seats)
