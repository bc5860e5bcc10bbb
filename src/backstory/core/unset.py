"""The mark of an argument that was left out, where None has a meaning."""

from enum import Enum
from typing import Final


class Unset(Enum):
    """Stands for "leave it as it is"."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET
