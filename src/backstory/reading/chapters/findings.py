"""What of a model's answer the chapter supports, and why the rest is not taken. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from backstory.core.continuity.prose import sentences
from backstory.core.model.chapter_reading import ChapterReading, Sighting, StateRead, ThreadOpRead
from backstory.core.model.entity import Entity
from backstory.core.names import KnownName, NameIndex
from backstory.core.scripts.guard import same_writing
from backstory.core.text import clean, one_line
from backstory.core.values import normal_value
from backstory.ports.chapter_reader import ChapterToRead
from backstory.reading.chapters.prompts import MAX_OPS
from backstory.reading.chapters.shapes import SaidChapter, SaidEntity, SaidState, SaidThread
from backstory.reading.quoting import find_quote

MAX_NAME_CHARS: Final = 200
MAX_VALUE_CHARS: Final = 300
MAX_SUMMARY_CHARS: Final = 3_000
MAX_ENTITIES: Final = 200
MAX_STATES: Final = 300
_SHOWN: Final = 60


class Findings:
    """Checks an answer against its chapter, item by item."""

    def __init__(self, chapter: ChapterToRead) -> None:
        """Take the chapter that the answer is about."""
        self._chapter = chapter
        self._text = chapter.text
        self._rejected: list[str] = []
        self._known: dict[str, str] = {}
        for entity in chapter.entities:
            for form in (entity.name, *entity.aliases):
                self._known.setdefault(normal_value(form), entity.name)

    def read(self, said: SaidChapter) -> ChapterReading:
        """What is taken: nothing that the chapter does not say in its own words and script."""
        entities = [one for one in said.entities[:MAX_ENTITIES] if self._is_named(one)]
        for entity in entities:
            for form in (entity.name, *entity.aliases):
                self._known.setdefault(normal_value(form), _plain(entity.name))
        sightings = self._sightings(entities)
        states = [state for entity in entities for state in self._states(entity)]
        return ChapterReading(
            summary=self._summary(said.summary),
            sightings=tuple(sightings),
            states=tuple(states[:MAX_STATES]),
            threads=tuple(self._threads(said.threads)),
            rejected=tuple(self._rejected),
        )

    def _reject(self, what: str, why: str) -> None:
        shown = one_line(what)
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}\u2026"
        self._rejected.append(f"{shown}: {why}")

    def _summary(self, summary: str) -> str:
        if self._chapter.given_summary is not None or not summary:
            return ""
        if not same_writing(summary, self._text):
            self._reject(summary, "the summary is not written in the script of its text")
            return ""
        if len(summary) <= MAX_SUMMARY_CHARS:
            return _plain(summary)
        kept = ""
        for one in sentences(summary):
            if len(kept) + len(one.text) + 1 > MAX_SUMMARY_CHARS:
                break
            kept = f"{kept} {one.text}".strip()
        self._reject(summary, f"the summary is cut at {MAX_SUMMARY_CHARS} characters")
        return _plain(kept or summary[:MAX_SUMMARY_CHARS])

    def _is_named(self, entity: SaidEntity) -> bool:
        if len(entity.name) > MAX_NAME_CHARS:
            self._reject(entity.name, "the name is too long")
            return False
        forms = [entity.name, *entity.aliases, *self._forms(entity.name)]
        if not NameIndex([_looked_for("x", forms)]).find(self._text):
            self._reject(entity.name, "the name does not occur in the text")
            return False
        return True

    def _forms(self, name: str) -> Iterator[str]:
        known = self._known.get(normal_value(name))
        for entity in self._chapter.entities:
            if entity.name == known:
                yield from (entity.name, *entity.aliases)

    def _sightings(self, entities: Sequence[SaidEntity]) -> Iterator[Sighting]:
        """Those that the model names, and the known ones that it left out."""
        merged: dict[str, tuple[list[str], SaidEntity | None, Entity | None]] = {}
        for known in self._chapter.entities:
            merged[known.name] = ([known.name, *known.aliases], None, known)
        for said in entities:
            name = self._known[normal_value(said.name)]
            forms, before, entity = merged.get(name, ([name], None, None))
            own = [form for form in (said.name, *said.aliases) if self._is_own(form, name)]
            merged[name] = ([*forms, *map(_plain, own)], before or said, entity)
        index = NameIndex(
            [
                _looked_for(name, forms, case_sensitive=known is None or known.case_sensitive)
                for name, (forms, _, known) in merged.items()
            ]
        )
        times = index.count(self._text)
        for name, (forms, said_so, known_as) in merged.items():
            if name in times:
                given = set(known_as.aliases) if known_as else set()
                other = [form for form in dict.fromkeys(forms) if form not in {name, *given}]
                aliases = [form for form in other if self._occurs(form)]
                kind = said_so.kind if said_so else known_as.kind if known_as else None
                if kind is not None:
                    yield Sighting(name=name, kind=kind, aliases=tuple(aliases), times=times[name])

    def _is_own(self, form: str, name: str) -> bool:
        """Whether a form is not the name of somebody else."""
        return len(form) <= MAX_NAME_CHARS and self._known.get(normal_value(form), name) == name

    def _occurs(self, form: str) -> bool:
        return bool(NameIndex([_looked_for("x", [form])]).find(self._text))

    def _states(self, entity: SaidEntity) -> Iterator[StateRead]:
        name = self._known[normal_value(entity.name)]
        for state in entity.states:
            quote = find_quote(state.quote, self._text)
            what = f"{name} {state.attribute} {state.value}"
            why = self._why_not(state, quote)
            if why:
                self._reject(what, why)
                continue
            yield StateRead(
                entity=name,
                attribute=_plain(state.attribute).casefold(),
                value=_plain(state.value),
                quote=quote or "",
                known_by=tuple(
                    dict.fromkeys(self._known[normal_value(one)] for one in state.known_by)
                ),
                learned=state.learned,
            )

    def _why_not(self, state: SaidState, quote: str | None) -> str:
        strangers = [one for one in state.known_by if normal_value(one) not in self._known]
        if len(state.attribute) > MAX_NAME_CHARS or len(state.value) > MAX_VALUE_CHARS:
            why = "it is too long"
        elif quote is None:
            why = "its quote does not occur in the text"
        elif not same_writing(state.value, self._text):
            why = "it is not written in the script of its text"
        elif strangers:
            # Without its last knower a secret would be known to all.
            why = f"it is known by {strangers[0][:_SHOWN]}, who is not known"
        else:
            why = "it does not say who learns it" if state.learned and not state.known_by else ""
        return why

    def _threads(self, said: Sequence[SaidThread]) -> Iterator[ThreadOpRead]:
        for number, one in enumerate(said):
            if number >= MAX_OPS:
                self._reject(one.summary or one.ref, f"more than {MAX_OPS} operations on threads")
            elif not same_writing(f"{one.summary} {one.note}", self._text):
                self._reject(one.summary or one.note, "it is not in the script of its text")
            else:
                yield ThreadOpRead(
                    action=_plain(one.action)[:MAX_NAME_CHARS],
                    ref=_plain(one.ref)[:MAX_NAME_CHARS],
                    summary=_plain(one.summary)[:MAX_SUMMARY_CHARS],
                    kind=_plain(one.kind)[:MAX_NAME_CHARS] or None,
                    deadline=one.deadline,
                    note=_plain(one.note)[:MAX_SUMMARY_CHARS],
                )


def _looked_for(key: str, forms: Sequence[str], *, case_sensitive: bool = True) -> KnownName:
    return KnownName(key=key, forms=tuple(forms), case_sensitive=case_sensitive)


def _plain(text: str) -> str:
    return one_line(clean(text))
