"""What a character may not know, and what a character perceives of a text."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from backstory.core.block.view import View
from backstory.core.continuity.prose import sentences
from backstory.core.model.entity import Entity, EntityKind, EntityState
from backstory.core.names import KnownName, NameIndex
from backstory.core.text import one_line

# Words of a value that a sentence may leave out and still say it: "the killer", "was the killer".
_LINKING_WORDS: Final = (
    "a an the is are was were be been am has have had and of "
    "der die das den dem ein eine einen ist sind war waren hat und "
    "el la los las lo un una es son era fue est sont le les une des du de "
    "il gli uno \u00e8 sono o os as um uma \u00e9 foi een het zijn en "
    "\u044d\u0442\u043e \u0438 \u0431\u044b\u043b \u0431\u044b\u043b\u0430"
)
_LINKING: Final = frozenset(_LINKING_WORDS.split())


class Secrets:
    """What a character may not know, to be kept out of texts that say it.

    A sentence says a secret if it holds its quote, or all words of its value but articles and the
    like, with a name of its entity there or in the sentence before.

    Args:
        entities: Those that may have secrets, with their states.
        view: Who looks. The author has no secrets.
    """

    def __init__(self, entities: Iterable[Entity], view: View) -> None:
        self._quotes: list[str] = []
        self._values: list[tuple[NameIndex, NameIndex, int]] = []
        self._hidden: NameIndex | None = None
        self._folded: NameIndex | None = None
        if view.is_author:
            return
        hidden: list[KnownName] = []
        for entity in entities:
            names = (entity.name, *entity.aliases)
            named = KnownName(key="", forms=names, case_sensitive=False)
            if entity.hidden:
                hidden.append(KnownName(key="", forms=names, case_sensitive=entity.case_sensitive))
            for state in entity.states:
                if (state.hidden or state.known_by) and not view.sees_state(state):
                    self._enter(state, NameIndex([named]))
        if hidden:
            self._hidden = NameIndex(hidden)
            # attributes are kept in lower case
            self._folded = NameIndex(replace(one, case_sensitive=False) for one in hidden)

    def _enter(self, state: EntityState, names: NameIndex) -> None:
        quote = _folded(state.quote)
        if quote:
            self._quotes.append(quote)
        words = {word for word in _folded(state.value).split() if any(map(str.isalnum, word))}
        words = words - _LINKING or words
        if words:
            wanted = [KnownName(key=word, forms=(word,), case_sensitive=False) for word in words]
            self._values.append((names, NameIndex(wanted), len(words)))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to keep."""
        return not self._quotes and not self._values and self._hidden is None

    def tells(self, sentence: str, before: str = "") -> bool:
        """Whether a sentence says one of them, where another stands before it."""
        if self.is_empty:
            return False
        folded = _folded(sentence)
        if self._hidden is not None and self._hidden.count(sentence):
            return True
        if any(_is_part(folded, quote) for quote in self._quotes):
            return True
        return any(
            len(words.count(sentence)) == count
            and bool(names.count(sentence) or names.count(before))
            for names, words, count in self._values
        )

    def without(self, entity: Entity, states: Sequence[EntityState]) -> list[EntityState]:
        """The states of an entity but for those that say one of them."""
        if self.is_empty:
            return list(states)
        own = " ".join((entity.name, *entity.aliases))
        return [
            one
            for one in states
            if not self.tells(f"{one.attribute} {one.value}", own)
            and not (self._folded is not None and self._folded.count(one.attribute))
        ]


def _is_part(sentence: str, quote: str) -> bool:
    """Whether a sentence holds a quote, or is a good part of it."""
    return quote in sentence or (len(sentence) * 2 >= len(quote) and sentence in quote)


def acts(entity_kind: EntityKind, name: str) -> bool:
    """Whether an entity may be somebody who acts, as far as its kind tells."""
    if entity_kind is EntityKind.OTHER:
        return name[:1].upper() == name[:1]
    return entity_kind in {EntityKind.PERSON, EntityKind.GROUP}


def _folded(text: str) -> str:
    return one_line(text).casefold().strip(" .!?\u3002\uff01\uff1f\"'\u201c\u201d")


class Perceived:
    """What a character perceives of a text that tells of several.

    A sentence that names the character is theirs; one that names only others is not; one that
    names nobody goes with the sentence before it. So of a chapter whose other scenes are
    elsewhere only the character's own are left.

    Args:
        knower: The character.
        others: All other entities that act.
        secrets: What must not be told.
    """

    def __init__(self, knower: KnownName, others: Iterable[KnownName], secrets: Secrets) -> None:
        self._own = NameIndex([knower])
        self._others = NameIndex(others)
        self._secrets = secrets

    def of(self, text: str) -> str:
        """The sentences that may be shown, joined by blanks; "" if there are none."""
        kept = []
        is_theirs = False
        before = ""
        for sentence in (span.text for span in sentences(text)):
            if self._own.count(sentence):
                is_theirs = True
            elif self._others.count(sentence):
                is_theirs = False
            if is_theirs and not self._secrets.tells(sentence, before):
                kept.append(sentence)
            before = sentence
        return " ".join(kept)
