"""The id port."""

from typing import Protocol


class Ids(Protocol):
    """The only source of new record ids."""

    def new(self) -> str:
        """A new id: unique, opaque text, increasing with time of creation."""
        ...
