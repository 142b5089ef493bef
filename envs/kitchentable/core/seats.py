"""Seats around a table, counted without a division."""

from __future__ import annotations

from kitchentable.core.kernels import kernel


@kernel
def seat_after(seat: int, steps: int, seats: int) -> int:
    """Return the seat so many steps to the left of another; fewer steps than twice the seats."""
    found = int(seat) + steps
    return int(found - seats if found >= seats else found)


@kernel
def place_of(seat: int, viewer: int, seats: int) -> int:
    """Return how many steps to the left of a viewer a seat is: 0 for the viewer itself."""
    place = int(seat) - int(viewer)
    return int(place + seats if place < 0 else place)
