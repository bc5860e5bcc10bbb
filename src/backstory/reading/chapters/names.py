"""Who and what occurs in a chapter, by rules: known names, and new ones with aliases. Pure."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from backstory.core.model.chapter_reading import Sighting
from backstory.core.model.entity import Entity, EntityKind
from backstory.core.names import KnownName, NameIndex
from backstory.reading.chapters.honorifics import honoured
from backstory.reading.chapters.lexicon import (
    FEMALE,
    GROUP_ENDS,
    MALE,
    PLACE_ENDS,
    PLACE_STARTS,
    TITLES,
)
from backstory.reading.chapters.spotting import Spot, Spotter, is_shouted, without_case

_LINKS: Final = frozenset({"of", "de"})
_THING_TIMES: Final = 2
_RATHER: Final = 3


@dataclass(frozen=True, slots=True)
class Mention:
    """Where an entity is named in a chapter, and the name that the document has for it."""

    start: int
    end: int
    name: str


@dataclass(frozen=True, slots=True)
class Cast:
    """Who and what occurs in a chapter."""

    sightings: tuple[Sighting, ...] = ()
    mentions: tuple[Mention, ...] = ()


@dataclass(slots=True)
class _Bearer:
    """Somebody or something with its names."""

    name: str
    known: bool = False
    kind: EntityKind = EntityKind.OTHER
    given: tuple[str, ...] = ()
    forms: Counter[str] = field(default_factory=Counter)
    titles: Counter[str] = field(default_factory=Counter)
    cues: Counter[str] = field(default_factory=Counter)
    spans: list[tuple[int, int]] = field(default_factory=list)

    def take(self, spot: Spot, form: str) -> bool:
        """Count a spot as one of this bearer; whether the form is a new one."""
        is_new = form not in self.forms
        self.forms[form] += 1
        self.titles[spot.title] += 1 if spot.title else 0
        self.cues.update(spot.cues)
        self.spans.append((spot.start, spot.end))
        return is_new

    @property
    def is_fixed(self) -> bool:
        """Whether parts of its name do not name it: "London" is not "London Bridge"."""
        words = self.name.split()
        return len(words) > 1 and (words[-1] in PLACE_ENDS | GROUP_ENDS or words[0] in PLACE_STARTS)

    def parts(self, form: str) -> set[str]:
        """Single words of a form that may name the bearer."""
        words = [word for word in form.split() if word.rstrip(".") not in TITLES]
        if len(words) > 1 and self.is_fixed:
            return set()
        return {*words[:1], *(() if _LINKS & set(words) else words[-1:])}

    def sexes(self) -> set[str]:
        """What its titles say."""
        found = {"m" for title in self.titles if title in MALE}
        return found | {"f" for title in self.titles if title in FEMALE}

    def found_kind(self) -> EntityKind:
        """The kind that is known, or the one that the marks of all its spots say."""
        if self.known and self.kind is not EntityKind.OTHER:
            return self.kind
        cues = self.cues
        person, place = cues["person"], cues["place"]
        if cues["group"] > person + place:
            return EntityKind.GROUP
        if self._is_with_article and person < len(self.spans):
            return EntityKind.GROUP if self.name.endswith("s") else EntityKind.THING
        if person > place or (person > 1 and person == place):
            return EntityKind.PERSON
        if place > 1 and place > person:
            return EntityKind.PLACE
        return self.kind

    @property
    def _is_with_article(self) -> bool:
        return self.cues["thing"] >= _THING_TIMES and self.cues["thing"] * 2 > len(self.spans)

    @property
    def is_sure(self) -> bool:
        """Whether there is more than one capital letter to say that this is a name."""
        marked = self.cues["person"] + self.cues["place"] + self.cues["group"]
        return self.known or len(self.spans) > 1 or bool(marked) or " " in self.name


def find_cast(text: str, known: Sequence[Entity] = ()) -> Cast:
    """The entities that occur in a chapter.

    Known names are found wherever they stand as whole words. A new name is a capitalised word or
    a run of them that is used as a name: inside a sentence, or again and again with a verb of
    saying. Forms of one name are joined only where a single bearer can be meant: with Anna
    Bell and Tom Bell in the book, "Bell" alone is given to neither.

    Where capitals say nothing (scripts without case, text in capitals, most nouns of German)
    only known names count, names with a title or honorific, and in German those that act.

    Args:
        text: A chapter.
        known: Entities that may occur, with their aliases.
    """
    shouted = is_shouted(text)
    names = [
        KnownName(
            key=one.name,
            forms=(one.name, *one.aliases),
            case_sensitive=one.case_sensitive and not shouted,
        )
        for one in known
    ]
    crowd = _Crowd(text, known)
    index = NameIndex(names)
    if not shouted:
        words = frozenset(form for name in names for form in name.forms if " " not in form)
        crowd.meet(Spotter(text, words).spots())
    crowd.recognise(index)
    return crowd.cast()


class _Crowd:
    """The bearers of names in one chapter."""

    def __init__(self, text: str, known: Sequence[Entity]) -> None:
        self._text = text
        self._bearers: list[_Bearer] = []
        self._by_part: defaultdict[str, list[_Bearer]] = defaultdict(list)
        self._by_form: defaultdict[str, list[_Bearer]] = defaultdict(list)
        for one in known:
            bearer = _Bearer(one.name, known=True, kind=one.kind, given=one.aliases)
            self._bearers.append(bearer)
            for form in dict.fromkeys((one.name, *one.aliases)):
                bearer.forms[form] = 0
                self._index(bearer, form)

    def meet(self, spots: Sequence[Spot]) -> None:
        """Give each spot to its bearer: whole names first, then parts with a title, then parts."""
        spots = _divided(spots)
        full = [spot for spot in spots if len(spot.words) > 1]
        for spot in sorted(full, key=lambda one: -len(one.words)):
            self._whole(spot)
        single = [spot for spot in spots if len(spot.words) == 1]
        titled: defaultdict[str, set[str]] = defaultdict(set)
        for spot in single:
            if spot.title:
                titled[spot.words[0]] |= _sex(spot.title)
        for spot in single:
            if spot.title:
                self._with_title(spot, both=len(titled[spot.words[0]]) > 1)
        for spot in single:
            if not spot.title:
                self._part(spot)

    def recognise(self, index: NameIndex) -> None:
        """Count the known names, and those with an honorific, where nothing longer was found."""
        taken = sorted(span for bearer in self._bearers for span in bearer.spans)
        by_name = {bearer.name: bearer for bearer in self._bearers}
        for found in index.find(self._text):
            if len(found.keys) == 1 and not _covered(taken, found.start, found.end):
                bearer = by_name[found.keys[0]]
                bearer.forms[self._text[found.start : found.end]] += 1
                bearer.spans.append((found.start, found.end))
        forms = "\n".join(form for bearer in self._bearers for form in bearer.forms)
        for name, spans in honoured(self._text).items():
            if name not in forms:
                bearer = _Bearer(name, kind=EntityKind.PERSON, cues=Counter(person=3))
                bearer.forms[name] += len(spans)
                bearer.spans += spans
                self._bearers.append(bearer)

    def _index(self, bearer: _Bearer, form: str) -> None:
        for part in bearer.parts(form):
            for key in {part, without_case(part)}:
                if bearer not in self._by_part[key]:
                    self._by_part[key].append(bearer)
        for key in {form, *form.split()[:1], *form.split()[-1:]}:
            if not any(one is bearer for one in self._by_form[key]):
                self._by_form[key].append(bearer)

    def _give(self, bearer: _Bearer, spot: Spot, form: str) -> None:
        if bearer.take(spot, form):
            self._index(bearer, form)

    def _whole(self, spot: Spot) -> None:
        near = [*self._by_form[spot.words[0]], *self._by_form[spot.words[-1]]]
        near = list({id(one): one for one in near}.values())
        found = [one for one in near if _is_form(spot.words, one)]
        if not found and spot.words[-1] not in PLACE_ENDS | GROUP_ENDS:
            # Known bearers of a single name that this is the whole of: "Anna" of "Anna Bell".
            ends = {spot.words[0], spot.words[-1]}
            found = [
                one
                for one in near
                if one.known
                and not any(" " in form for form in one.forms)
                and ends & set(one.forms)
            ]
        if len(found) == 1:
            self._give(found[0], spot, spot.name)
        elif not found:
            self._add(spot, spot.name)

    def _with_title(self, spot: Spot, *, both: bool) -> None:
        """A title and one word; both: there is a Mr and a Mrs of that name."""
        form = self._titled_form(spot)
        found = [one for one in self._by_form[form] if form in one.forms]
        if not found:
            found = [one for one in self._candidates(spot.words[0]) if _agrees(one, spot, both)]
        if len(found) == 1:
            self._give(found[0], spot, form)
        elif not found:
            self._add(spot, form)

    def _part(self, spot: Spot) -> None:
        word = spot.words[0]
        candidates = self._candidates(word)
        found = candidates
        if len(found) > 1:
            found = [one for one in found if word in one.forms]
        if len(found) == 1:
            self._give(found[0], spot, word)
        elif not candidates and not (word.endswith("s") and self._candidates(word[:-1])):
            self._add(spot, word)

    def _candidates(self, word: str) -> list[_Bearer]:
        return self._by_part.get(word) or self._by_part.get(without_case(word)) or []

    def _titled_form(self, spot: Spot) -> str:
        return " ".join(self._text[spot.start : spot.end].split())

    def _add(self, spot: Spot, form: str) -> None:
        bearer = _Bearer(form)
        self._bearers.append(bearer)
        self._give(bearer, spot, form)

    def cast(self) -> Cast:
        """Those that are sure, in the order in which they appear."""
        met = sorted((one for one in self._bearers if one.spans and one.is_sure), key=_first)
        return Cast(tuple(map(_sighting, met)), tuple(sorted(_mentions(met), key=_start)))


def _divided(spots: Sequence[Spot]) -> list[Spot]:
    """The spots without runs of two names: both stand by themselves, and much more often."""
    often = Counter(spot.name for spot in spots)
    found = []
    for spot in spots:
        first, last = spot.words[0], spot.words[-1]
        least = _RATHER * often[spot.name]
        if _LINKS & set(spot.words):
            alone = often[first] >= least
        else:
            alone = len(spot.words) > 1 and min(often[first], often[last]) > least
        if alone:
            end = spot.inner + len(first)
            found.append(Spot(spot.title, (first,), spot.start, spot.inner, end, spot.cues))
            if often[last]:
                start = spot.end - len(last)
                found.append(Spot("", (last,), start, start, spot.end))
        else:
            found.append(spot)
    return found


def _mentions(bearers: Sequence[_Bearer]) -> Iterator[Mention]:
    for bearer in bearers:
        for start, end in bearer.spans:
            yield Mention(start, end, bearer.name)


def _start(mention: Mention) -> int:
    return mention.start


def _first(bearer: _Bearer) -> int:
    return min(start for start, _ in bearer.spans)


def _sighting(bearer: _Bearer) -> Sighting:
    known = {form.casefold() for form in (*bearer.given, bearer.name)}
    aliases = [
        form for form, times in bearer.forms.items() if times and form.casefold() not in known
    ]
    return Sighting(
        name=bearer.name,
        kind=bearer.found_kind(),
        aliases=tuple(dict.fromkeys(" ".join(form.split()) for form in aliases)),
        times=len(bearer.spans),
    )


def _sex(title: str) -> set[str]:
    return {sex for sex, titles in (("m", MALE), ("f", FEMALE)) if title in titles}


def _agrees(bearer: _Bearer, spot: Spot, both: bool) -> bool:  # noqa: FBT001 (of one name)
    """Whether a bearer may be meant by a title; where there are two, it must bear such a one."""
    mine, wanted = bearer.sexes(), _sex(spot.title)
    return bool(mine & wanted) if both and wanted else not (mine and wanted and mine != wanted)


def _is_form(words: tuple[str, ...], bearer: _Bearer) -> bool:
    """Whether a name is one of a bearer's: the same, with more or fewer given names."""
    for form in bearer.forms:
        other = tuple(word for word in form.split() if word.rstrip(".") not in TITLES)
        if words == other:
            return True
        if len(other) < 2 or _LINKS & {*words, *other}:
            continue
        short, long = sorted((words, other), key=len)
        if short[0] == long[0] and (short[-1] == long[-1] or long[-1] in PLACE_ENDS):
            rest = iter(long)
            if all(word in rest for word in short):
                return True
    return False


def _covered(taken: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    place = bisect_right(taken, (start, len(taken) and taken[-1][1]))
    beside = taken[max(0, place - 1) : place + 1]
    return any(first < end and start < last for first, last in beside)
