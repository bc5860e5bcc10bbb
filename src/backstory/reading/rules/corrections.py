"""What the writer says to have been wrong: slips, other spellings, second thoughts.

For: "typo, I meant 16", "*Ghent, not Bruges", "no, Mark with a k", "oops, two sisters, not
three", "forget what I said about Ghent". Not for: "sorry, had to
run", "no, I work from home" as an answer, "actually" before something new.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from typing import Final

from backstory.core.model.reading import Claim
from backstory.core.values import normal_value
from backstory.reading.rules.held import Held, tokens
from backstory.reading.rules.patterns import Pattern, Rows
from backstory.reading.rules.slips import DATE, STRONG, marked

_LEAD: Final = (
    r"(?:\W|\b(?:no|nope|haha|hehe|ha|lol|omg|jeez|gosh|i tell a lie|i stand corrected|oh|ah"
    r"|(?:my )?god|darn|dammit|crap|shoot|silly me|whoa|woops|eh|aargh|d'oh|man"
    r"|hm+|er+m?|um+|oops|whoops|sorry|wait|hang on|hold on|typo|typing "
    "too fast|(?:fat|butter|clumsy) (?:fingers|thumbs)|(?:stupid|damn|bloody"
    "|dumb) (?:autocorrect|keyboard|phone|thumbs)|wrong|correction|damn|argh|ugh|ok|okay"
    "|my bad|i meant|i mean"
    "|make that|should be|should say|i should have said|that should be|it is|"
    "it's|its|that's|that is|actually|scratch that|strike that|a typo|of "
    r"course|rather|autocorrect|the other way round)\b)*"
)
_VALUE: Final = r"(?P<v>[^\s,;:.!?*()\u00b7][^,;:.!?*()\u00b7]{0,40}?)"
_OLD: Final = r"(?P<o>[^\s,;:.!?*()\u00b7][^,;:.!?*()\u00b7]{0,40}?)"
_STOP: Final = r"(?=\s*(?:[,;:.!?*()\u00b7]|$))"
_PAIRS: Final = Rows(
    (Pattern(text), None)
    for text in (
        (
            rf"^{_LEAD}{_VALUE}(?:\s*[,;.!*\u00b7]+\s*|\s+-+\s+|\s+and\s+)(?:it is |it's )?not "
            f"(?:an? |the |in |at |on )?{_OLD}{_STOP}"
        ),
        (
            f"^{_LEAD}(?:it is |it's |i am |i'm )?not (?:an? |the |in |at |on "
            rf")?{_OLD}(?:(?:\s*[,;.!*\u00b7]+\s*|\s+-+\s+)(?:but |it is |it's )?|"
            rf"\s+but\s+){_VALUE}{_STOP}"
        ),
        rf"\b(?:i meant|i mean) {_VALUE},? (?:and )?not (?:an? |the )?{_OLD}{_STOP}",
        (
            rf"\b(?:i|you) (?:said|wrote|typed|put) {_OLD},? (?:but|when|and) (?:i "
            f")?(?:meant|mean|should have (?:said|written)|it is|it's) {_VALUE}{_STOP}"
        ),
        rf"\bwhen i (?:said|wrote|typed) {_OLD},? i meant {_VALUE}{_STOP}",
        rf"^{_LEAD}(?:an? |the |in )?{_VALUE},? (?:i do not know |i don't know |no idea "
        rf"|not sure |god knows )?why (?:did i|i) (?:say|said|wrote|write|type|typed"
        rf"|put) {_OLD}{_STOP}",
        rf"^{_LEAD}(?P<v>\d+|(?-i:[A-Z])[\w'-]+) not (?P<o>\d+|(?-i:[A-Z])[\w'-]+){_STOP}",
        rf"^{_LEAD}{_VALUE} instead of {_OLD}{_STOP}",
        (
            f"^{_LEAD}{_OLD} (?:should be|should read|should have been|is really|is "
            f"actually) {_VALUE}{_STOP}"
        ),
        rf"\b(?:i am|i'm) not [\w ]{{2,20}}? (?:to|in|from|at|of) {_OLD}, (?:but |it is |it's"
        rf" ){_VALUE}{_STOP}",
        rf"\bmy [\w' ]{{2,25}}? is not {_OLD}[,;.!]+\s*(?:but |it is |it's ){_VALUE}{_STOP}",
    )
)
_SPELLED: Final = Rows(
    (Pattern(text), None)
    for text in (
        (
            rf"^{_LEAD}(?P<v>[^\W\d_][\w'-]+)[,.]? (?:is )?(?:spelle?[dt] "
            rf")?(?:with(?:out)?) (?:an? |the |one |two |double )?[\w']{{1,4}}\b"
        ),
        r"\b(?:spelle?[dt]|it is spelle?[dt]|the spelling is) (?P<v>[^\W\d_][\w'-]+)",
        rf"^{_LEAD}(?P<v>[^\W\d_][\w'-]+),? (?:the other|different|correct|right) (?:spelling|way)",
        r"\b(?:he|she|it|they)(?: is| are|'s) (?:actually |really )?(?:called|named) "
        r"(?P<v>[^\W\d_][\w'-]+)",
        rf"^(?:{_LEAD})(?:it is|it's|its) (?P<v>[^\W\d_][\w'-]+)(?: actually)?,",
    )
)
_SINGLE: Final = Rows(
    (Pattern(text), None)
    for text in (
        rf"^{_LEAD}(?P<v>\d+(?:[.,:]\d+)+)(?!\w)",
        rf"^\W*\*\s*{_VALUE}{_STOP}",
        r"^\W*(?P<v>[\w'.-]+(?: [\w'.-]+){0,2})\s?\*\W*$",
        (
            r"\b(?:i meant(?: to (?:say|write|type))?|i mean|make that|correction:?|"
            "should (?:be|say|have been|read)) (?:in |at |on |the |an? "
            f")?{_VALUE}{_STOP}"
        ),
        (
            r"\b(?:her|his|its|their|my|the|correct|right) (?:[a-z]+ )?(?:name|spelling|"
            f"one) is {_VALUE}{_STOP}"
        ),
        rf"^{_LEAD}{_VALUE},? (?:sorry|actually|i meant?|my bad|typo|oops|of course)\b",
        rf"^{_LEAD}{_VALUE}{_STOP}",
    )
)
_NEAR: Final = 0.5
_NUMBER: Final = re.compile(
    r"\d[\d.,:/-]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE
)
_RECENT: Final = 3
SOON: Final = timedelta(days=3)
"""How long after a slip a few words still set it right."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A held value that was wrong, and what is right in its stead (None = only wrong)."""

    held: Held
    value: str | None


_IT_IS: Final = Pattern(rf"[,.;] (?:it is|it's|its|that's) (?P<v>(?-i:[A-Z])[\w'-]+){_STOP}")


def replaced_by(claim: Claim, held: Sequence[Held], mark: str) -> Held | None:
    """Which held value a statement in a message with such a mark sets right."""
    if not mark or claim.key is None or not claim.value:
        return None
    others = [h for h in held if h.key == claim.key]
    if any(normal_value(h.value) == normal_value(claim.value) for h in others):
        return None
    if mark == "weak":
        others = _just_said(others, claim.said_at)
    if others and others[0].is_one:
        return others[0]
    value = claim.value
    alike = [h for h in others if _alike(h.value, value) >= _NEAR]
    return max(alike, key=lambda h: _alike(h.value, value)) if alike else None


_NOT_OLD: Final = Pattern(
    r"(?:,|;|\u2013|-|\bbut|\band)? ?\bnot (?:in |at |on |an? |the |for |to )*(?P<o>[^,;:.!?()]+)"
)


def contrasted(claim: Claim, held: Sequence[Held], text: str) -> Held | None:
    """Which held value of its slot a marked sentence names as the wrong one, however old it is."""
    found = [m["o"] for m in _NOT_OLD.finditer(text)]
    return next(
        (h for h in held if h.key == claim.key and any(_same_words(h.value, o) for o in found)),
        None,
    )


_LONGEST: Final = 400
"""Characters. What sets right in a few words is a short message."""
_RUN: Final = re.compile(r"(\W{3})\W+")
_PICTURES: Final = re.compile("[\\s\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]+$")
_SORRY: Final = Pattern(
    r"^\W*(?:sorry|oops|whoops|argh|ugh)[,:]? (?P<v>(?-i:[A-Z])[\w'-]+)[\s.!*]*$"
)
_CRY: Final = re.compile(r"^\W*(?P<v>[A-Z][\w'-]+)[!*]+(?:\s|$)")
_CLOSE: Final = 0.6
_LAUGHING: Final = re.compile(
    r"[\s,.!]{1,3}(?:(?:ha){2,9}h?|lol|lmao|hehe|ffs|duh|xd|ugh|argh|sigh|rofl)\W*$", re.IGNORECASE
)
_NOT_SHORT: Final = Pattern(r"n['\u2019]t\b")


def _just_said(held: Sequence[Held], at: datetime) -> list[Held]:
    return [h for h in held if h.ago is not None and h.ago <= _RECENT and at - _said(h, at) < SOON]


def _said(held: Held, at: datetime) -> datetime:
    return held.said_at or at


def fragments(text: str, held: Sequence[Held], at: datetime) -> list[Fix]:
    """What a message without a whole statement sets right: "*Ghent, not Bruges".

    Args:
        text: The message.
        held: What is held of its writer, the latest said first.
        at: When it was said; what it sets right in so few words was said shortly before.
    """
    if len(text) > _LONGEST:
        return []
    said = _SORRY.match(text)
    if said:
        only = _only_one(said["v"], _just_said(held, at))
        if only is not None and normal_value(only.held.value)[:2] == normal_value(said["v"])[:2]:
            return [only]
    cry = _CRY.match(text)
    if cry:
        only = _respelled(cry["v"], [h for h in _just_said(held, at) if h.ago == 1])
        if only is not None and _alike(only.held.value, cry["v"]) >= _CLOSE:
            return [only]
    flat = _LAUGHING.sub("", _PICTURES.sub("", _NOT_SHORT.sub(" not", _RUN.sub(r"\1", text))))
    texts = (flat, flat.rpartition(": ")[2]) if ": " in flat else (flat,)
    fix = next((f for t in texts for f in _fixes(t, held, marked(flat), at) if f is not None), None)
    return [fix] if fix else []


def _fixes(text: str, held: Sequence[Held], mark: str, at: datetime) -> Iterator[Fix | None]:
    """What each pattern makes of a short message, the surest first."""
    for pair, _ in _PAIRS.search(text):
        yield _exchange(pair["v"], pair["o"], held)
    recent = _just_said(held, at)
    for found, _ in _SPELLED.search(text):
        yield _respelled(found["v"], recent)
    respelt = _IT_IS.search(text) if mark == "strong" else None
    yield _respelled(respelt["v"], recent) if respelt else None
    if mark == "strong":
        yield _redated(text, held)
    for found, _ in _SINGLE.search(text) if mark else ():
        yield _instead(found["v"], recent, strong=mark == "strong")


def _exchange(new: str, old: str, held: Sequence[Held]) -> Fix | None:
    new, old = new.strip(), old.strip()
    if re.fullmatch(_LEAD, new, re.IGNORECASE) or _CLAUSE.match(new):
        return None
    for h in held:
        if _same_words(h.value, old):
            return Fix(h, _shaped(new, h.value))
    words = bare_words(old)
    for h in held:
        size = len(bare_words(h.value))
        if _CLAUSE.match(old) and 0 < size < len(words) and words[-size:] == bare_words(h.value):
            return Fix(h, _shaped(new, h.value))
    for h in held:
        swapped = _swapped(h.value, old, new)
        if swapped:
            return Fix(h, swapped)
    return None


_CLAUSE: Final = re.compile(r"(?:i|it|that|this|he|she|we|they|you|my)\b", re.IGNORECASE)


def _same_words(value: str, other: str) -> bool:
    return bare_words(value) == bare_words(other)


def bare_words(text: str) -> list[str]:
    """The words of a text without articles and prepositions."""
    return [t for t in tokens(text) if t not in {"a", "an", "the", "in", "at", "on", "my"}]


def _shaped(new: str, old: str) -> str:
    """A value shouted in capitals as it is otherwise written."""
    return new.title() if new.isupper() and not old.isupper() and len(new) > _LONG else new


_LONG: Final = 4


def _swapped(value: str, old: str, new: str) -> str | None:
    """The value with a part of it exchanged: "three sisters", "three", "two" → "two sisters"."""
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
    if not pattern.search(value) or len(old) < 1:
        return None
    tail = [w for w in new.split() if w.lower() not in value.lower().split()]
    return pattern.sub(" ".join(tail) or new, value)


def _respelled(new: str, held: Sequence[Held]) -> Fix | None:
    alike = [
        h
        for h in held
        if _alike(h.value.split()[-1], new) >= _NEAR or _alike(h.value, new) >= _NEAR
    ]
    alike = [h for h in alike if normal_value(h.value) != normal_value(new)]
    if not alike or (not new[0].isupper() and all(h.value[0].isupper() for h in alike)):
        return None
    best = max(alike, key=lambda h: _alike(h.value, new))
    if len(best.value.split()) > 1 and " " not in new:
        nearest = max(best.value.split(), key=lambda word: _alike(word, new))
        return Fix(best, best.value.replace(nearest, new))
    return Fix(best, _shaped(new, best.value))


_ARTICLES: Final = re.compile(r"^(?:an?|the|in|at|from) (?=[A-Z])")


def _instead(new: str, recent: Sequence[Held], *, strong: bool) -> Fix | None:
    new = _ARTICLES.sub("", new.strip())
    counted = _recounted(new, recent)
    if counted:
        return counted
    if _NUMBER.fullmatch(new):
        return _renumbered(new, recent)
    if strong and new.islower():
        return _likened(new, recent) or (_other_favourite(new, recent) if new.isalpha() else None)
    if not (new[:1].isupper() or new[:1].isdigit()) or len(new.split()) > _FEW:
        return None
    return _respelled(new, recent) or (_only_one(new, recent) if strong else None)


def _renumbered(new: str, recent: Sequence[Held]) -> Fix | None:
    """The one number that the turn before gave, set right."""
    for h in recent:
        olds = _NUMBER.findall(h.value)
        if len(olds) == 1 and olds[0] != new and h.ago == 1:
            return Fix(h, h.value.replace(olds[0], new))
    return None


def _other_favourite(new: str, recent: Sequence[Held]) -> Fix | None:
    """The favourite that the turn before named, if it named nothing else: "no wait, it's green"."""
    last = [h for h in recent if h.ago == 1]
    if len(last) != 1 or not last[0].key.startswith("preference.favourite."):
        return None
    return None if new.endswith("ing") or new == last[0].value else Fix(last[0], new)


def _likened(new: str, recent: Sequence[Held]) -> Fix | None:
    """The only value that the turn before gave, if it is nearly the same: "I mean right-handed"."""
    last = [h for h in recent if h.ago == 1]
    if len(last) != 1 or not last[0].value.islower() or new == last[0].value:
        return None
    return Fix(last[0], new) if _alike(last[0].value, new) >= _CLOSE else None


def _only_one(new: str, recent: Sequence[Held]) -> Fix | None:
    """The only value that the turn before gave, if both are names."""
    last = [h for h in recent if h.ago == 1]
    if (
        len(last) != 1
        or not last[0].value[:1].isupper()
        or new.casefold().startswith("i ")
        or "'s" in new
    ):
        return None
    return Fix(last[0], new) if normal_value(new) != normal_value(last[0].value) else None


_FEW: Final = 3
_COUNTED: Final = re.compile(
    rf"(?P<n>{_NUMBER.pattern}|an?) (?P<noun>[a-z-]+)(?: and\b.*)?", re.IGNORECASE
)


def _recounted(new: str, recent: Sequence[Held]) -> Fix | None:
    """The held number of the same things: "it's one kayak" → "two kayaks"."""
    counted = _COUNTED.fullmatch(new)
    if counted is None:
        return None
    for h in recent:
        old = _COUNTED.fullmatch(h.value)
        if old and tokens(old["noun"]) == tokens(counted["noun"]) and old["n"] != counted["n"]:
            return Fix(h, f"{counted['n']} {counted['noun']}")
    return None


def _redated(text: str, held: Sequence[Held]) -> Fix | None:
    """The held date that the one date of a message sets right."""
    dates = DATE.findall(text)
    if len(dates) != 1:
        return None
    fix = redated(text, dates[0], held)
    if fix:
        return fix
    said = [t for t in tokens(DATE.sub(" ", STRONG.sub(" ", text))) if len(t) > 1]
    if len(said) > _FEW:
        return None
    recent = [h for h in held if h.ago == 1 and DATE.search(h.value)]
    return Fix(recent[0], DATE.sub(dates[0], recent[0].value)) if len(recent) == 1 else None


def redated(text: str, date: str, held: Sequence[Held]) -> Fix | None:
    """What is held with another date and is named in a text, by its slot or its other words."""
    said = set(tokens(text))
    for h in held:
        old = DATE.search(h.value)
        if old is None or normal_value(old.group()) == normal_value(date):
            continue
        rest = {t for t in tokens(DATE.sub(" ", h.value)) if len(t) > _FEW}
        named = h.key.rpartition(".")[2] in said or (bool(rest) and rest <= said)
        if named:
            return Fix(h, DATE.sub(date.strip(), h.value))
    return None


def _alike(one: str, two: str) -> float:
    return SequenceMatcher(None, normal_value(one), normal_value(two), autojunk=False).ratio()
