"""How many chapters before the next one are shown as recent, and where such a window begins."""

from typing import Final

RECENT_CHAPTERS: Final = 20
"""How many chapters the recent window holds."""
JUMP: Final = 5
"""A window that begins behind a multiple of this goes on for some chapters without losing one."""
EARLY_JUMP: Final = 2
"""While the skeleton is dense, so that no step makes more than two of its entries new."""
DENSE_UP_TO: Final = 40
"""From so many chapters on, ``JUMP`` more make at most two entries of the skeleton new."""
