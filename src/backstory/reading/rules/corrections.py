"""What the writer says to have been wrong: slips, other spellings, second thoughts.

For: "sorry, typo, I meant 34", "*Ghent, not Bruges", "no, Inez with a z", "oops, two sisters, not
three", "forget what I said about Ghent", "I work at A, no wait, at B". Not for: "sorry, had to
run", "no, I work from home" as an answer, "actually" before something new.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from backstory.core.model.reading import Claim
from backstory.core.values import normal_value
from backstory.reading.rules.held import Held, tokens

Stated = Callable[[str], Sequence[Claim]]

STRONG: Final = re.compile(
    r"\btypo\b|\bcorrection\b|\bi meant\b|\bmy (?:bad|mistake)\b|\bw?oops\b|\b(?:scratch|strike|forget|ignore) that\b"
    r"|^\W*(?:no[, ]+|sorry[, ]+|ah[, ]+|oh[, ]+)*wrong\b|\b(?:that|which|it) (?:was|is) (?:wrong|not right|incorrect|a lie)\b"
    r"|\bi (?:was|am) (?:wrong|mistaken|confused|mixed up)\b|\bmis(?:spoke|typed|spelle?[dt]|read|remembered|wrote)\b|\bautocorrect\b"
    r"|\bi (?:lied|exaggerated|fibbed)\b|\b(?:was|am) (?:just |only )?(?:joking|kidding|exaggerating|pulling your leg)\b"
    r"|\bforget (?:what|that) i said\b|\bignore what i said\b|\bfat fingers\b|\bmixed .{1,20}\bup\b"
    r"|\bno,? wait\b|\bwait,? no\b|\b(?:wrote|said|typed|spelle?[dt]|got|gave you|told you) .{0,40}\bwrong\b|\bmake that\b"
    r"|\bi made a (?:typo|mistake|slip)\b|\bthe wrong (?:one|name|date|year|number|age|city|town)\b|\bnot what i said\b",
    re.IGNORECASE,
)
"""The writer takes something back."""
WEAK: Final = re.compile(
    r"^\W*(?:(?:ah|oh|hm+|er+m?|um+|well|but|ok|okay|nah|hey|wait|haha|lol|u?h)\W+)*(?:no|nope|sorry|actually|not quite)\b"
    r"|\bactually\W*$|^\W*\*|^\W*[\w'.-]+(?: [\w'.-]+){0,2}\W+(?:sorry|oops|my bad|actually)\b",
    re.IGNORECASE,
)
"""The writer may take back what was just said."""
_LEAD: Final = (
    r"(?:\W|\b(?:no|nope|oh|ah|hm+|er+m?|um+|oops|whoops|sorry|wait|typo|typing too fast|wrong|correction|damn|argh|ugh|ok|okay|my bad|i meant|i mean"
    r"|make that|should be|should say|i should have said|that should be|it is|it's|its|that's|that is|actually|scratch that|strike that|a typo|of course|rather|autocorrect|the other way round)\b)*"
)
_VALUE: Final = r"(?P<v>[^\s,;:.!?*()\u00b7][^,;:.!?*()\u00b7]{0,40}?)"
_OLD: Final = r"(?P<o>[^\s,;:.!?*()\u00b7][^,;:.!?*()\u00b7]{0,40}?)"
_STOP: Final = r"(?=\s*(?:[,;:.!?*()\u00b7]|$))"
_PAIRS: Final = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        rf"^{_LEAD}{_VALUE}(?:\s*[,;.!*\u00b7-]+\s*|\s+and\s+)(?:it is |it's )?not (?:an? |the |in |at |on )?{_OLD}{_STOP}",
        rf"^{_LEAD}(?:it is |it's |i am |i'm )?not (?:an? |the |in |at |on )?{_OLD}(?:\s*[,;.!*\u00b7-]+\s*(?:but |it is |it's )?|\s+but\s+){_VALUE}{_STOP}",
        rf"\b(?:i meant|i mean) {_VALUE},? (?:and )?not (?:an? |the )?{_OLD}{_STOP}",
    )
)  # fmt: skip
_SPELLED: Final = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        rf"^{_LEAD}(?P<v>[^\W\d_][\w'-]+),? (?:is )?(?:spelle?[dt] )?(?:with(?:out)?) (?:an? |the |one |two |double )?[\w']{{1,4}}\b",
        r"\b(?:spelle?[dt]|it is spelle?[dt]|the spelling is) (?P<v>[^\W\d_][\w'-]+)",
        rf"^{_LEAD}(?P<v>[^\W\d_][\w'-]+),? (?:the other|different|correct|right) (?:spelling|way)",
        rf"^(?:{_LEAD})(?:it is|it's|its) (?P<v>[^\W\d_][\w'-]+)(?: actually)?,",
    )
)  # fmt: skip
_DATE: Final = re.compile(
    r"(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b(?: \d{4})?"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?\b",
    re.IGNORECASE,
)
_SINGLE: Final = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        rf"^\W*\*\s*{_VALUE}{_STOP}",
        rf"\b(?:i meant(?: to (?:say|write|type))?|i mean|make that|correction:?|should (?:be|say|have been|read)) (?:in |at |on |the |an? )?{_VALUE}{_STOP}",
        rf"\b(?:her|his|its|their|my|the|correct|right) (?:[a-z]+ )?(?:name|spelling|one) is {_VALUE}{_STOP}",
        rf"^{_LEAD}{_VALUE},? (?:sorry|actually|i meant?|my bad|typo|oops|of course)\b",
        rf"^{_LEAD}{_VALUE}{_STOP}",
    )
)  # fmt: skip
_FORGET: Final = re.compile(
    r"\b(?:forget|ignore|disregard|scratch|strike) (?:what i (?:said|wrote|told you) about|that (?:thing )?about|the (?:thing|part|bit) about|the) (?:my |the )?(?P<o>[^,;:.!?()\u00b7]+)"
    r"|\b(?:was|am) (?:just |only )?(?:joking|kidding|lying) about (?:my |the )?(?P<p>[^,;:.!?()\u00b7]+)"
    r"|\b(?:there is|there was|i have|i had) (?:really |actually )?no (?P<q>[^,;:.!?()\u00b7]+), (?:i (?:was|made)|that was|just) ",
    re.IGNORECASE,
)
_NOT: Final = re.compile(
    r"(?:^|[,;.]\s*)(?:sorry\W+|oops\W+|no\W+)*not (?:an? |the |in |at |to )?(?P<o>[^,;:.!?()\u00b7]+)",
    re.IGNORECASE,
)
_REPAIR: Final = re.compile(
    r"(?P<sep>[\s,.;\u2026\u00b7-]+)(?:(?:oh|er+m?|uh+m?|um+|hm+|ah|argh|ugh)\W+)?"
    r"(?:no,? wait|wait,? no|wait|no,? sorry|sorry,? no|sorry,? i mean|i mean|scratch that|strike that|make that|or rather|er+m?|uhm?|no no|no, actually|correction)\b[\s,.:;\u2026-]*"
    r"(?:(?:sorry|wait|no|i mean|actually|i meant)\b[\s,.:]*)*",
    re.IGNORECASE,
)
_NEAR: Final = 0.5
_NUMBER: Final = re.compile(
    r"\d[\d.,:/-]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE
)
_RECENT: Final = 3


@dataclass(frozen=True, slots=True)
class Fix:
    """A held value that was wrong, and what is right in its stead (None = only wrong)."""

    held: Held
    value: str | None


def marked(text: str) -> str:
    """How plainly a message takes something back: "strong", "weak" or ""."""
    if STRONG.search(text):
        return "strong"
    return "weak" if WEAK.search(text) else ""


def replaced_by(claim: Claim, held: Sequence[Held], mark: str) -> Held | None:
    """Which held value a statement in a message with such a mark sets right."""
    if not mark or claim.key is None or not claim.value:
        return None
    others = [h for h in held if h.key == claim.key]
    if any(normal_value(h.value) == normal_value(claim.value) for h in others):
        return None
    if mark == "weak":
        others = [h for h in others if h.ago is not None and h.ago <= _RECENT]
    if others and others[0].is_one:
        return others[0]
    value = claim.value
    alike = [h for h in others if _alike(h.value, value) >= _NEAR]
    return max(alike, key=lambda h: _alike(h.value, value)) if alike else None


def fragments(text: str, held: Sequence[Held]) -> list[Fix]:
    """What a message without a whole statement sets right: "*Ghent, not Bruges"."""
    mark = marked(text)
    for pattern in _PAIRS:
        pair = pattern.search(text)
        fix = _exchange(pair["v"], pair["o"], held) if pair else None
        if fix:
            return [fix]
    recent = [h for h in held if h.ago is not None and h.ago <= _RECENT]
    for pattern in _SPELLED:
        found = pattern.search(text)
        fix = _respelled(found["v"], recent) if found else None
        if fix:
            return [fix]
    if not mark:
        return []
    dated = _redated(text, held) if mark == "strong" else None
    if dated:
        return [dated]
    for pattern in _SINGLE:
        found = pattern.search(text)
        fix = _instead(found["v"], recent, strong=mark == "strong") if found else None
        if fix:
            return [fix]
    return []


def taken_back(text: str, held: Sequence[Held]) -> list[Fix]:
    """What a message says to have been wrong without a better value."""
    found: list[Fix] = []
    forget = _FORGET.search(text)
    if forget:
        found += [Fix(h, None) for h in _naming(forget["o"] or forget["p"] or forget["q"], held)]
    elif STRONG.search(text):
        for match in _NOT.finditer(text):
            found += [Fix(h, None) for h in _naming(match["o"], held)]
    return found


def repaired(text: str, state: Stated) -> str | None:
    """The message as its writer left it after a slip: "at A, no wait, at B" → "at B"."""
    cut = next((m for m in _REPAIR.finditer(text) if m.start() > 0), None)
    if cut is None:
        return None
    before, after = text[: cut.start()], text[cut.end() :]
    first = list(state(before))
    if not first:
        return None
    second = list(state(after))
    keys = {claim.key for claim in second}
    again = next((c for c in reversed(first) if c.key in keys and c.value), None)
    if again is not None:
        kept = _without(before, again, first)
        return f"{kept} {after}".strip()
    last = first[-1].value or ""
    at = before.rfind(last)
    if at < 0 or before[at + len(last) :].strip(" ,.\u2026-*"):
        return None
    lead = before[:at]
    bare = re.match(r"(?:in|at|on|as|to|an?|the|for)\s+(?:an?\s+|the\s+)?", after, re.IGNORECASE)
    return lead + (after[bare.end() :] if bare else after)


def _without(text: str, claim: Claim, claims: Sequence[Claim]) -> str:
    """The text up to where a statement that is taken back begins."""
    quotes = [e.quote for e in claim.evidence]
    at = text.rfind(quotes[0]) if quotes else -1
    return text[:at].rstrip(" ,;") if at >= 0 and len(claims) > 1 else ""


def _exchange(new: str, old: str, held: Sequence[Held]) -> Fix | None:
    new, old = new.strip(), old.strip()
    for h in held:
        if _same_words(h.value, old):
            return Fix(h, _shaped(new, h.value))
    for h in held:
        swapped = _swapped(h.value, old, new)
        if swapped:
            return Fix(h, swapped)
    return None


def _same_words(value: str, other: str) -> bool:
    return _bare(value) == _bare(other)


def _bare(text: str) -> list[str]:
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


def _instead(new: str, recent: Sequence[Held], *, strong: bool) -> Fix | None:
    new = new.strip()
    counted = _recounted(new, recent)
    if counted:
        return counted
    number = _NUMBER.fullmatch(new)
    if number:
        for h in recent:
            olds = _NUMBER.findall(h.value)
            if len(olds) == 1 and olds[0] != new and h.ago == 1:
                return Fix(h, h.value.replace(olds[0], new))
        return None
    if not new[:1].isalpha() or len(new.split()) > _FEW:
        return None
    if new[0].isupper():
        fix = _respelled(new, recent)
        if fix:
            return fix
        last = [h for h in recent if h.ago == 1]
        if (
            strong
            and len(last) == 1
            and last[0].value[:1].isupper()
            and not _bare(new)[:1] == ["i"]
        ):
            return Fix(last[0], new) if normal_value(new) != normal_value(last[0].value) else None
    return None


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
    dates = _DATE.findall(text)
    if len(dates) != 1:
        return None
    fix = redated(text, dates[0], held)
    if fix:
        return fix
    recent = [h for h in held if h.ago == 1 and _DATE.search(h.value)]
    return Fix(recent[0], _DATE.sub(dates[0], recent[0].value)) if len(recent) == 1 else None


def redated(text: str, date: str, held: Sequence[Held]) -> Fix | None:
    """What is held with another date and is named in a text, by its slot or its other words."""
    said = set(tokens(text))
    for h in held:
        old = _DATE.search(h.value)
        if old is None or normal_value(old.group()) == normal_value(date):
            continue
        rest = {t for t in tokens(_DATE.sub(" ", h.value)) if len(t) > _FEW}
        named = h.key.rpartition(".")[2] in said or (bool(rest) and rest <= said)
        if named:
            return Fix(h, _DATE.sub(date.strip(), h.value))
    return None


def _naming(text: str, held: Sequence[Held]) -> list[Held]:
    words = " ".join(_bare(text))
    return [
        h
        for h in held
        if (want := " ".join(_bare(h.value)))
        and (want == words or f" {words} ".startswith(f" {want} "))
    ]


def _alike(one: str, two: str) -> float:
    return SequenceMatcher(None, normal_value(one), normal_value(two), autojunk=False).ratio()
