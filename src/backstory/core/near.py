"""What a database says of the distance of messages to a vector."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Near:
    """Some messages and their cosines.

    Attributes:
        seqs: Numbers of the messages, in any order.
        cosines: Of each, to half precision.
        exact: Whether every message was compared that could be asked for; else an index chose.
    """

    seqs: NDArray[np.int64]
    cosines: NDArray[np.float32]
    exact: bool = True

    def __len__(self) -> int:
        return len(self.seqs)


NOTHING_NEAR: Final = Near(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32))
"""No messages."""
