"""Embedders that tests hold up."""

import asyncio
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from backstory.testing import HashEmbedder


class HeldEmbedder(HashEmbedder):
    """Embeds nothing until it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.began, self.may_go_on = asyncio.Event(), asyncio.Event()

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Say that it was asked, wait, and embed."""
        self.began.set()
        await self.may_go_on.wait()
        return await super().embed(texts)
