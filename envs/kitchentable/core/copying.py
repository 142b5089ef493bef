"""How objects that hold games are copied and pickled."""

from __future__ import annotations

import copy
from typing import Any, ClassVar, Self


class Copied:
    """The base of classes that hold games: a copy goes on like the original, and on its own.

    Copies and pickles contain all attributes except those in ``_derived``, such as compiled loops
    and views of arrays, which `_derive` makes again: a copied view would be an array of its own.
    """

    _derived: ClassVar[tuple[str, ...]] = ()
    """The names of the attributes that `_derive` makes from the others."""

    def _derive(self) -> None:
        """Make the derived attributes; constructors call this too."""

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles are made from."""
        return {name: value for name, value in vars(self).items() if name not in self._derived}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Become the copy of an object with this state."""
        vars(self).update(state)
        self._derive()

    def __copy__(self) -> Self:
        """Return a deep copy: a shallow one would share the games with the original."""
        return copy.deepcopy(self)
