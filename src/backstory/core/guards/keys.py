"""Keys of facts that are dropped, kept for a while, or never contradicted.

They go by whole words: ``current_mood`` is ephemeral, ``currency`` is not.
"""

from itertools import pairwise
from typing import Final

from backstory.core.keywords import key_parts, key_words
from backstory.core.wordlists import word_set

_SPEAKER: Final = word_set("speaker speakers speaking")
_BESIDE_SPEAKER: Final = word_set(
    "a active as chat conversation currently current detected id identified identity is label last "
    "main message my name now of person present primary role session speaker speaking the this "
    "user who"
)

_MOMENT: Final = word_set(
    "current currently now temp temporary today tonight momentary momentarily"
)
_MOMENT_PAIRS: Final = frozenset(
    {
        ("right", "now"),
        ("at", "moment"),
        ("this", "moment"),
        ("this", "morning"),
        ("this", "evening"),
    }
)

_VOLATILE: Final = word_set(
    "schedule schedules scheduling timetable rota roster shift shifts calendar agenda availability "
    "routine appointment appointments sleep sleeping bedtime wake waking wakeup asleep nap naps "
    "mood "
    "moods feeling feelings emotion emotions weather forecast temperature tiredness"
)
_VOLATILE_PAIRS: Final = frozenset(
    {
        ("work", "hours"), ("working", "hours"), ("office", "hours"), ("work", "days"),
        ("working", "days"), ("emotional", "state"), ("energy", "level"), ("stress", "level"),
        ("get", "up"), ("go", "bed"), ("to", "bed"), ("bed", "time"), ("days", "off"),
    }
)  # fmt: skip
# With these a volatile word still means what changes; any other noun behind it makes a thing
# of it (``sleep_mask``, ``weather_station``).
_BESIDE_VOLATILE: Final = word_set(
    "afternoon at bad condition conditions cycle daily day days duration evening friday general "
    "good "
    "habit habits here home hour hours in last length level local monday month morning mornings "
    "night "
    "nights now outside overall pattern patterns quality report saturday start state status "
    "summary "
    "sunday thursday time times today tomorrow tonight tuesday type up wednesday week weekday "
    "weekdays "
    "weekend weekends weekly work yesterday"
)
_LASTING: Final = word_set("favourite preferred preference ideal dream")


def is_speaker_fact(key: str) -> bool:
    """Whether a key only says who is speaking (``current_speaker``, ``speaker.name``).

    A speaker that somebody owns or is (``bluetooth_speaker``, ``public_speaker``) is a fact.
    """
    words = frozenset(key_words(key))
    return not words.isdisjoint(_SPEAKER) and words <= _BESIDE_SPEAKER | _SPEAKER


def is_ephemeral_fact_key(key: str) -> bool:
    """Whether a key is about this moment (``current_*``, ``today_*``, ``right_now``).

    Such a fact is stored as temporary for 12 hours.
    """
    return any(
        part[0] in _MOMENT or part[-1] in _MOMENT or not _MOMENT_PAIRS.isdisjoint(_pairs(part))
        for part in key_parts(key)
    )


def is_volatile_fact_key(key: str) -> bool:
    """Whether a key is about what changes all the time: schedules, sleep, moods, weather.

    Such a fact is stored and never raises a contradiction.
    """
    parts = key_parts(key)
    if any(word in _LASTING for part in parts for word in part):
        return False
    return any(map(_is_volatile, parts))


def _is_volatile(part: tuple[str, ...]) -> bool:
    if not _VOLATILE_PAIRS.isdisjoint(_pairs(part)):
        return True
    places = [place for place, word in enumerate(part) if word in _VOLATILE]
    if not places:
        return False
    behind = part[places[-1] + 1 :]
    return all(word in _BESIDE_VOLATILE for word in behind[:1])


def _pairs(part: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(part))
