"""How the writer gets to work.

For: "I cycle to work", "I take the tram to work these days", "I go to work by bus", "I commute by
train". Not for: "I sometimes walk to work", "I take the bus to work when it rains", "I drove to
work today", "I'm walking to work", which is said on the way.
"""

from collections.abc import Sequence
from typing import Final

from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import bare

KEY: Final = "work.commute"
_MOVING: Final = word_set("cycle bike bicycle walk drive run jog ferry scooter carpool")
_PROGRESSIVE: Final = word_set("cycling biking walking driving running taking riding going")
_TAKING: Final = word_set("take ride use catch")
_VEHICLES: Final = word_set(
    """
    bike bicycle tram bus train metro subway underground tube car ferry boat scooter coach taxi
    moped motorbike motorcycle shuttle trolleybus tricycle e-bike u-bahn s-bahn
    """
)
_GOING: Final = word_set("go get come travel commute")
_SELDOM: Final = word_set("sometimes often never even partly nearly almost")
_CONDITIONS: Final = word_set("when if unless whenever")
_AFTER: Final = word_set("now nowadays these every each daily and because since again but so")
_SAME: Final = (
    word_set("cycle cycling bike biking bicycle"),
    word_set("walk walking foot"),
    word_set("drive driving car"),
    word_set("metro subway underground tube u-bahn"),
)
_EMPTY: Final = word_set("take taking ride riding use catch by on the a an my our")


def alike(one: str, other: str) -> bool:
    """Whether two answers name the same way of getting to work: "cycle", "by bike"."""
    return bool(_modes(one)) and _modes(one) == _modes(other)


def _modes(value: str) -> frozenset[str]:
    words = {word for word in value.casefold().split() if word not in _EMPTY}
    return frozenset(next((min(group) for group in _SAME if word in group), word) for word in words)


def moving(scene: Scene, said: Predicate) -> None:
    """Read "I cycle to work"."""
    if _is_lasting(scene, said) and said.form in _MOVING | _PROGRESSIVE and _to_work(said.rest, 0):
        scene.claim(KEY, said.form)


def taking(scene: Scene, said: Predicate) -> None:
    """Read "I take the tram to work"."""
    if not _is_lasting(scene, said) or said.form not in _TAKING | _PROGRESSIVE:
        return
    lows = [word.low for word in said.rest]
    at = lows.index("to") if "to" in lows[:5] else 0
    if at and lows[at - 1] in _VEHICLES and _to_work(said.rest, at):
        scene.claim(KEY, scene.span(bare(said.rest[:at])))


def going(scene: Scene, said: Predicate) -> None:
    """Read "I go to work by bus", "I get to work on foot", "I commute by train"."""
    if not _is_lasting(scene, said) or said.form not in _GOING | _PROGRESSIVE:
        return
    lows = [word.low for word in said.rest]
    at = next((n for n, low in enumerate(lows[:6]) if low in {"by", "on"}), None)
    if at is None or at + 1 >= len(lows) or lows[at + 1] not in _VEHICLES | {"foot"}:
        return
    if said.verb == "commute" or "work" in lows[:at]:
        if _goes_no_further(said.rest, at + 2):
            scene.claim(KEY, scene.span(said.rest[at : at + 2]))
    elif _to_work(said.rest, at + 2):
        scene.claim(KEY, scene.span(said.rest[at : at + 2]))


def _is_lasting(scene: Scene, said: Predicate) -> bool:
    """Whether it is a habit: of what is going on, "now" has to say that it is new."""
    nxt = scene.next_clause
    if said.subject != "i" or said.adverbs & _SELDOM:
        return False
    if nxt is not None and nxt.sentence == scene.clause.sentence and nxt.lead in _CONDITIONS:
        return False
    if not said.form.endswith("ing"):
        return not said.auxiliaries
    new = word_set("now these nowadays")
    lows = {word.low for word in (*said.rest, *said.before)} | said.adverbs
    return "am" in said.auxiliaries and bool(lows & new) and "right" not in lows


def _to_work(words: Sequence[Word], at: int) -> bool:
    lows = [word.low for word in words[at : at + 2]]
    return lows == ["to", "work"] and _goes_no_further(words, at + 2)


def _goes_no_further(words: Sequence[Word], at: int) -> bool:
    """Whether no condition follows: "when it rains", "on Fridays", "or take the bus"."""
    lows = [word.low for word in words[at:]]
    if "or" in lows:
        return False
    return not lows or words[at].is_sign or lows[0] in _AFTER


VERBS = {
    **dict.fromkeys(_MOVING | {"biking", "walking"}, (moving,)),
    **dict.fromkeys(_TAKING, (taking,)),
    **dict.fromkeys(_GOING, (going,)),
}
