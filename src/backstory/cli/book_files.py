"""Storing a book that was read from files, so that nothing doubles or is lost."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from backstory.api import BackstoryError, Document
from backstory.api.books import BookFile, BookPart
from backstory.errors import ConflictError, InvalidInputError, NotFoundError

ADDED: Final = "added"
REVISED: Final = "revised"
KNOWN: Final = "already there"
DIFFERENT: Final = "different"
FAILED: Final = "failed"
LEFT_OUT: Final = "left out"
PROBLEMS: Final = (DIFFERENT, FAILED)


@dataclass(frozen=True, kw_only=True)
class Item:
    """What became of one chapter, or of a file that is none."""

    number: int | None
    title: str
    place: str
    status: str
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return dict(vars(self))


@dataclass(kw_only=True)
class Outcome:
    """What became of a book so far."""

    book: BookFile
    dry_run: bool
    items: list[Item] = field(default_factory=list)
    pending: int = 0
    degraded: str | None = None

    @property
    def counts(self) -> Counter[str]:
        """How many items there are of each status."""
        return Counter(item.status for item in self.items)

    @property
    def problems(self) -> list[Item]:
        """What should have been stored and was not."""
        return [item for item in self.items if item.status in PROBLEMS]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "title": self.book.title,
            "form": self.book.form,
            "numbered": self.book.numbered,
            "dry_run": self.dry_run,
            "counts": dict(self.counts),
            "pending": self.pending,
            "degraded": self.degraded,
            "items": [item.to_dict() for item in self.items],
        }


class BookImporter:
    """Stores chapters one by one.

    A chapter that is there with the same text is passed over, so an import that was cut off is
    finished by running it again.

    Args:
        document: Where they go; None = a dry run into a document that is not there.
        revise: Whether a chapter that is there with another text is replaced.
        dry_run: Store nothing.
    """

    def __init__(self, document: Document | None, *, revise: bool, dry_run: bool) -> None:
        self._document = document
        self._revise = revise
        self._dry_run = dry_run

    def run(
        self,
        book: BookFile,
        reached: Callable[[int, int], None],
        each: Callable[[Item], None],
    ) -> Outcome:
        """Store all parts. One that cannot be stored costs no other.

        Args:
            book: What was read.
            reached: Called with how many parts are done, and how many there are.
            each: Called with what became of each item.

        Raises:
            BackstoryError: The store failed; what was stored before is still there.
        """
        outcome = Outcome(book=book, dry_run=self._dry_run)

        def note(item: Item) -> None:
            outcome.items.append(item)
            each(item)

        for gone in book.left_out:
            status = FAILED if gone.is_problem else LEFT_OUT
            note(Item(number=None, title="", place=gone.place, status=status, reason=gone.reason))
        for done, part in enumerate(book.parts, start=1):
            note(self._part(part, outcome))
            reached(done, len(book.parts))
        return outcome

    def _part(self, part: BookPart, outcome: Outcome) -> Item:
        try:
            status, reason = self._stored(part, outcome)
        except (InvalidInputError, ConflictError) as error:
            status, reason = FAILED, str(error)
        return Item(
            number=part.number, title=part.title, place=part.place, status=status, reason=reason
        )

    def _stored(self, part: BookPart, outcome: Outcome) -> tuple[str, str | None]:
        """Store a part; gives its status, and the reason if it was not stored."""
        known = self._known(part.number)
        if known == part.text:
            return KNOWN, None
        if known is not None and not self._revise:
            return DIFFERENT, "another text is stored under this number; --revise replaces it"
        if not self._dry_run and self._document is not None:
            store = self._document.add_chapter if known is None else self._document.revise_chapter
            result = store(part.number, part.text, title=part.title or None)
            outcome.pending += result.pending
            outcome.degraded = result.degraded or outcome.degraded
        return (ADDED if known is None else REVISED), None

    def _known(self, number: int) -> str | None:
        if self._document is None:
            return None
        try:
            return self._document.chapters.get(number).text
        except NotFoundError:
            return None


def finish(document: Document, outcome: Outcome) -> None:
    """Make the vectors that wait, where the embedder is not asked in the call itself."""
    if not outcome.pending or outcome.dry_run:
        return
    try:
        done = document.flush()
    except BackstoryError as error:
        outcome.degraded = str(error)
        return
    outcome.pending = done.failed + done.pending
    if done.reasons:
        outcome.degraded = done.reasons[0]
