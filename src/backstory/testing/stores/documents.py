"""The contract of documents."""

from backstory.testing.stores.document_canon import EntityContract, ThreadContract
from backstory.testing.stores.document_chapters import (
    ChapterContract,
    DocumentContract,
    DraftContract,
    PassageContract,
)
from backstory.testing.stores.document_sightings import SightingContract

__all__ = ["DocumentStoreContract"]


class DocumentStoreContract(
    DocumentContract,
    ChapterContract,
    PassageContract,
    DraftContract,
    EntityContract,
    SightingContract,
    ThreadContract,
):
    """The part about documents."""
