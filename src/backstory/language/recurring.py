"""What comes back over many conversations: topics and habits, in the user's own words. Pure.

Precision first: a word counts as a topic only if it is spoken of, not merely used, in
conversations of several weeks, and is none of the words that everybody uses. Words are told by an
English list; in other languages only habits that English names, and names, are found.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from backstory.core.continuity.prose import sentences
from backstory.core.text import one_line
from backstory.core.wordlists import word_set
from backstory.language.common_words import COMMON
from backstory.language.lexicon import STOP_WORDS
from backstory.language.stems import stem
from backstory.language.words import bare, normalise, tokens

LEAST_SESSIONS: Final = 3
LEAST_WEEKS: Final = 3
"""A pattern is seen in so many conversations, which lie in so many different weeks."""
LEAST_HEARD: Final = 6
"""So many conversations are needed before a word can stand out among them."""
_MOST_SHARE: Final = 0.7
"""From ten conversations on, a word of more of them is how somebody speaks, not what about."""
_MANY: Final = 10
# Spoken of, not merely used: in more than one turn of two conversations, or in many conversations.
_TWICE: Final = 2
_OFTEN: Final = 5
_MOST_SPOKEN: Final = 1_000
_LEAST_LETTERS: Final = 4
_MOST_QUOTE: Final = 300
_FREQUENT: Final = (
    r"(?:every (?:single )?(?:day|morning|evening|night|week|weekend|other day|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday)"
    r"|(?:on )?(?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends)"
    r"|daily|(?:once|twice|three times) a (?:day|week|month))"
)
_HABIT: Final = re.compile(
    rf"(?:^|[,;:]\s*|\band )i (?:(?:usually|always|often|still|regularly|mostly) )*"
    rf"(?P<verb>[a-z]+)(?: (?P<rest>[^,;:.!?]*?))? ?\b(?P<often>{_FREQUENT})\b"
)
_USUAL: Final = re.compile(
    r"(?:^|[,;:]\s*|\band )i (?:usually|always|often|regularly) (?P<verb>[a-z]+)"
    r"(?: (?P<rest>[^,;:.!?]*))?"
)
_UNSURE: Final = re.compile(
    r"\?|\b(?:not|never|no longer|don't|doesn't|didn't|won't|can't|couldn't|wouldn't|used to|if"
    r"|would|should|could|might|may|wish|want|hope|plan|will|going to|was|were|had|did|try|tried)\b"
)
_NO_HABIT: Final = word_set(
    "am was were be feel felt think thought know knew love like hate mean guess hope wish want "
    "need have had get got see saw say said tell told forget forgot remember wonder look seem try"
)


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What the user said in one conversation.

    Attributes:
        session_id: The conversation.
        on: Its first day.
        turns: The user's turns: the id of the message and its text.
    """

    session_id: str
    on: date
    turns: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A sighting of something: where, and in which words."""

    session_id: str
    message_id: str
    on: date
    quote: str


@dataclass(frozen=True, kw_only=True)
class Recurring:
    """Something that came back.

    Attributes:
        pattern: A name that stays the same from run to run.
        words: It, in the user's words.
        seen: One sighting for each conversation, the oldest first.
    """

    pattern: str
    words: str
    seen: tuple[Seen, ...]


def is_spread(days: Iterable[date], sessions: int) -> bool:
    """Whether sightings are of enough conversations and weeks to be a pattern."""
    weeks = {day.isocalendar()[:2] for day in days}
    return sessions >= LEAST_SESSIONS and len(weeks) >= LEAST_WEEKS


def topics(heard: Sequence[Heard]) -> list[Recurring]:
    """Words that the user comes back to, by their name."""
    if len(heard) < LEAST_HEARD:
        return []
    found: dict[str, dict[str, list[tuple[str, Seen]]]] = {}
    for talk in heard:
        for word, seen in _spoken_of(talk):
            by_session = found.setdefault(stem(word), {})
            by_session.setdefault(talk.session_id, []).append((word, seen))
    recurring = []
    most = _MOST_SHARE * len(heard) if len(heard) >= _MANY else len(heard)
    for key in sorted(found):
        sightings = list(found[key].values())
        days = [some[0][1].on for some in sightings]
        about = sum(len({seen.message_id for _, seen in some}) > 1 for some in sightings)
        if (
            (about >= _TWICE or len(sightings) >= _OFTEN)
            and len(sightings) <= most
            and is_spread(days, len(sightings))
        ):
            words = [word for some in sightings for word, _ in some]
            shown = max(sorted(set(words)), key=words.count)
            where = tuple(sorted((some[0][1] for some in sightings), key=lambda one: one.on))
            recurring.append(Recurring(pattern=f"topic:{key}", words=shown, seen=where))
    return recurring


def habits(heard: Sequence[Heard]) -> list[Recurring]:
    """What the user says again and again to do every day, usually, on Mondays. English."""
    found: dict[str, dict[str, Seen]] = {}
    for talk in heard:
        for message_id, text in talk.turns:
            for span in sentences(text):
                key = _habit(span.text)
                if key is not None:
                    seen = Seen(
                        session_id=talk.session_id,
                        message_id=message_id,
                        on=talk.on,
                        quote=one_line(span.text)[:_MOST_QUOTE],
                    )
                    found.setdefault(key, {}).setdefault(talk.session_id, seen)
    recurring = []
    for key in sorted(found):
        where = tuple(sorted(found[key].values(), key=lambda one: one.on))
        if is_spread([one.on for one in where], len(where)):
            recurring.append(Recurring(pattern=f"habit:{key}", words=where[-1].quote, seen=where))
    return recurring


def _habit(sentence: str) -> str | None:
    """The verb and what it is about, as stems; None if the sentence states no habit."""
    if len(sentence) > _MOST_QUOTE:
        return None
    plain = normalise(sentence).replace("\u2019", "'")
    match = _HABIT.search(plain) or _USUAL.search(plain)
    if match is None or match["verb"] in _NO_HABIT or _UNSURE.search(plain):
        return None
    about = [
        stem(word)
        for word in map(bare, tokens(match["rest"] or ""))
        if word not in STOP_WORDS and word not in COMMON
    ]
    return " ".join([stem(match["verb"]), *about[:1]]) if about else None


def _spoken_of(talk: Heard) -> Iterator[tuple[str, Seen]]:
    for message_id, text in talk.turns:
        if len(text) > _MOST_SPOKEN or "```" in text:
            continue  # a pasted page is not what somebody talks about
        words: dict[str, None] = {}
        for word in map(bare, tokens(text)):
            if _may_be_topic(word):
                words[word] = None
        if not words:
            continue
        quotes = [(normalise(span.text), one_line(span.text)) for span in sentences(text)]
        for word in words:
            quote = next((said for plain, said in quotes if word in plain), "")
            seen = Seen(
                session_id=talk.session_id,
                message_id=message_id,
                on=talk.on,
                quote=quote[:_MOST_QUOTE],
            )
            yield word, seen


def _may_be_topic(word: str) -> bool:
    return (
        len(word) >= _LEAST_LETTERS
        and word.isascii()
        and word.isalpha()
        and word not in STOP_WORDS
        and word not in COMMON
    )
