"""Allergies.

For: "allergic to A and B", "my A allergy", "Allergies: A, B", "can't have A, allergic". Not for:
other
people's allergies, "am I allergic?".
"""

from collections.abc import Sequence
from typing import Final

from backstory.reading.rules.clauses import Clause
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import items

Words = Sequence[Word]

_PRONOUN: Final = word_set("it them that those this")

_NO_ALLERGENS: Final = word_set(
    """
    them it you mornings morning mondays monday work everything nothing effort nonsense
    stupidity bullshit drama people exercise responsibility commitment smalltalk small-talk
    meetings losing fun idiots stupid mess homework cleaning housework chores sports
    spreadsheets bureaucracy paperwork deadlines maths math bs commitments feelings
    """
)


def allergic(scene: Scene, words: Words, at: int) -> None:
    """Read "allergic to A and B"; "allergic" alone is about what the clause before names."""
    if at + 1 < len(words) and words[at + 1].low == "to":
        if at + 2 < len(words) and words[at + 2].low in _PRONOUN:
            _earlier(scene)
            return
        for item in items(words[at + 2 :], inner=frozenset({"of"})):
            if item[0].low in _NO_ALLERGENS:
                continue
            scene.claim("health.allergy", _dropped(scene, item))
    elif at + 1 >= len(words) or words[at + 1].is_sign:
        _earlier(scene)


def _dropped(scene: Scene, item: Words) -> str:
    while len(item) > 1 and item[-1].low in {"well", "badly", "either"}:
        item = item[:-1]
    return scene.span(item)


def _earlier(scene: Scene) -> None:
    """Read what the clause before was about: "can't do sesame, im allergic"."""
    for back in (1, 2):
        if scene.at < back:
            return
        clause = scene.clauses[scene.at - back]
        if clause.sentence < scene.clause.sentence - 1:
            return
        if _from_denial(scene, clause):
            return
        words = clause.words
        lows = [word.low for word in words]
        for verb in ("brings", "gives", "makes"):
            if verb in lows and lows.index(verb) > 0:
                start = lows.index(verb) - 1
                if lows[start] in _PRONOUN:
                    continue
                _first_item(scene, words[start : start + 1])
                return


def _from_denial(scene: Scene, clause: Clause) -> bool:
    """Note what "can't do X", "can't eat X" is about."""
    words = clause.words
    lows = [word.low for word in words]
    if not {"can", "do"} & {*lows} or "not" not in lows:
        return False
    for verb in ("do", "have", "eat", "touch", "drink"):
        at = lows.index(verb) if verb in lows else -1
        if at < 1 or "not" not in lows[:at] or at + 1 >= len(words):
            continue
        if "with" in lows[at : at + 3]:
            at = lows.index("with", at)
        _first_item(scene, words[at + 1 :])
        return True
    return False


def _first_item(scene: Scene, words: Words) -> None:
    if words and words[0].low == "anything":
        words = words[1:]
    first = next(iter(items(words)), None)
    if first is not None and first[0].low not in _PRONOUN:
        kept = [word for word in first if word.low != "either"]
        scene.claim("health.allergy", scene.span(kept), confidence=0.8)


_SEVERITIES: Final = word_set("severe bad mild serious a an terrible nasty slight")


def allergy(scene: Scene) -> None:
    """Read "my shellfish allergy", "Allergies: A, B, C", "a severe allergy to X"."""
    words = scene.clause.words
    lows = [word.low for word in words]
    if scene.mood is not Mood.STATED or not {"allergy", "allergies"} & {*lows}:
        return
    at = next(i for i, low in enumerate(lows) if low in {"allergy", "allergies"})
    after = lows[at + 1 : at + 2]
    if (
        after in ([":"], ["="])
        or (after == ["are"] and lows[:at] == ["my"])
        or (after in (["to"], ["is"]) and _is_own(lows, at))
    ):
        begin = at + 2
        for item in items(words[begin:]):
            if item[0].low not in {"none", "no"}:
                scene.claim("health.allergy", scene.span(item))
    elif _is_own(lows, at) and lows[at] == "allergy":
        begin = (
            next(i for i in range(at - 1, -1, -1) if lows[i] in {"my", "a", "an", "have", "the"})
            + 1
        )
        kept = [word for word in words[begin:at] if word.low not in _SEVERITIES]
        if kept:
            scene.claim("health.allergy", scene.span(kept))


def _is_own(lows: list[str], at: int) -> bool:
    before = lows[max(0, at - 5) : at]
    if "my" in before:
        return "'s" not in before
    return (
        ("have" in before or "got" in before)
        and ("i" in before or lows[0] in {"i", "got", "have"})
        and "not" not in before
        and "no" not in before
    )


def just_allergic(scene: Scene) -> None:
    """Read "I can't have soya, allergic", "I can't eat shrimp. allergy.": no verb of its own."""
    if scene.mood is not Mood.STATED:
        return
    lows = [word.low for word in scene.clause.words]
    if len(lows) <= 2 and lows[-1] in {"allergic", "allergy"}:
        _earlier(scene)
    elif len(lows) > 5 and lows[-2:] in ([",", "allergic"], [",", "allergy"]):
        _from_denial(scene, scene.clause)
