"""Allergies, diet, conditions and habits.

For: "I'm allergic to nuts and latex", "I have a peanut allergy", "Allergies: A, B", "I can't have
soya,
allergic", "I'm vegan", "I keep halal", "I have type 1 diabetes", "diagnosed with adhd", "a bad
back",
"I smoke". Not for: passing illness ("a cold"), other people's, questions.
"""

from typing import Final

from backstory.reading.rules.allergies import Words, allergic, allergy, just_allergic
from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.things import (
    AILING,
    BODY_PARTS,
    CONDITION_WORDS,
    CONDITIONS,
    DIETS,
)
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.values import bare, items, phrase_at

_DEGREES: Final = word_set(
    "fully mostly strictly very severely quite badly slightly lifelong strict"
)


def be(scene: Scene, said: Predicate) -> None:
    """Read "I'm allergic to X", "I'm vegan", "I'm lactose intolerant", "I'm diabetic"."""
    words = said.rest
    lows = [word.low for word in words]
    for at, low in enumerate(lows[:10]):
        if low == "allergic" and not {"not", "maybe", "probably"} & {*lows[:at]}:
            allergic(scene, words, at)
            return
    if lows[:1] == ["a"]:
        lows, words = lows[1:], words[1:]
    while lows and lows[0] in _DEGREES:
        lows, words = lows[1:], words[1:]
    if lows[:2] in (["on", "a"], ["on", "the"]) and "diet" in lows[3:5] and lows[2] in DIETS:
        scene.claim("health.diet", words[2].text, changed="now" in said.adverbs)
    if lows:
        _diet(scene, said, words, lows)
        _condition(scene, words, lows)


_HABITS: Final = word_set("teetotal sober teetotaller smoker non-smoker vaper")


def _diet(scene: Scene, said: Predicate, words: Words, lows: list[str]) -> None:
    after = lows[1] if len(lows) > 1 else ""
    household = after == "household" or lows[1:2] == ["family"]
    if lows[0] in DIETS and (
        household
        or after
        in {
            "",
            ",",
            "\u00b7",
            "and",
            "but",
            "so",
            "now",
            "for",
            "since",
            "again",
            "(",
            "btw",
            "myself",
            "too",
            "mostly",
            "except",
            "as",
            "by",
            "these",
            "!",
            "who",
        }
    ):
        if said.subject == "i" or household:
            scene.claim(
                "health.diet",
                words[0].text,
                changed=after in {"now", "again"} or "now" in said.adverbs,
            )
    elif lows[0] in _HABITS and after != "today":
        scene.claim("health.habit", words[0].text)
    elif "intolerant" in lows[:3]:
        at = lows.index("intolerant")
        if lows[at + 1 : at + 2] == ["to"]:
            for item in items(words[at + 2 :]):
                scene.claim("health.allergy", f"{scene.span(item)} intolerance")
        elif at:
            scene.claim("health.allergy", scene.span(words[: at + 1]))


def _condition(scene: Scene, words: Words, lows: list[str]) -> None:
    after = lows[1] if len(lows) > 1 else ""
    if lows[0] in CONDITION_WORDS and after in {
        "",
        ",",
        "\u00b7",
        "and",
        "but",
        "so",
        "in",
        "since",
        "with",
        "too",
        "btw",
        "as",
        "(",
        "myself",
    }:
        scene.claim("health.condition", words[0].text)
    elif lows[:2] in (["colour", "blind"], ["color", "blind"], ["hard", "of"]):
        end = 3 if lows[0] == "hard" else 2
        scene.claim("health.condition", scene.span(words[:end]))
    elif lows[:2] == ["wheelchair", "user"]:
        scene.claim("health.condition", "wheelchair user")
    elif lows[0] in {"left-handed", "right-handed", "ambidextrous"}:
        scene.claim("personal.handedness", words[0].text)
    elif lows[:2] in (["left", "handed"], ["right", "handed"]):
        scene.claim("personal.handedness", scene.span(words[:2]))


def have(scene: Scene, said: Predicate) -> None:
    """Read "I have a peanut allergy", "I've got type 1 diabetes", "I have a bad back"."""
    if said.subject != "i":
        return
    for item in items(said.rest, inner=frozenset({"to", "of"})):
        _ailment(scene, item)


_ORGANS: Final = word_set(
    "heart skin lung thyroid kidney liver eye medical chronic blood neurological"
)


def _ailment(scene: Scene, item: Words) -> None:
    lows = [word.low for word in item]
    if "allergy" in lows or "allergies" in lows:
        allergy(scene)
        return
    head = next((i for i, low in enumerate(lows) if low in CONDITIONS), None)
    if head is not None and lows[0] != "no":
        scene.claim(
            "health.condition",
            scene.span(
                item[
                    : head + 1
                    if lows[head + 1 : head + 2] not in (["disease"], ["syndrome"])
                    else head + 2
                ]
            ),
        )
    elif (
        lows[-2:] == ["hay", "fever"]
        or lows[-3:] == ["high", "blood", "pressure"]
        or (len(lows) == 2 and lows[1] == "condition" and lows[0] in _ORGANS)
        or (lows[0] == "chronic" and lows[-1] in {"pain", "fatigue", "illness"})
        or (len(lows) > 1 and lows[0] in AILING and (lows[-1] in BODY_PARTS))
    ):
        scene.claim("health.condition", scene.span(item))


_PERIODS: Final = word_set("autumn year spring summer winter week month")


def diagnose(scene: Scene, said: Predicate) -> None:
    """Read "I was diagnosed with X", "got diagnosed with X"."""
    words = said.rest
    if words and words[0].low == "diagnosed":
        words = words[1:]
    elif said.form != "diagnosed":
        return
    if words and words[0].low == "with":
        end = phrase_at(words, 1, inner=frozenset({"of"}), most=4)
        kept = [
            w for w in bare(words[1:end]) if w.low not in {"last", "this"} and w.low not in _PERIODS
        ]
        if kept:
            scene.claim("health.condition", scene.span(kept))


_KEEPING: Final = word_set("keep eat follow do keeping eating following")
_DIET_ENDS: Final = word_set("diet so and but now at mostly")


def keep(scene: Scene, said: Predicate) -> None:
    """Read "I keep halal", "I eat keto", "I follow a vegan diet"."""
    words = bare(said.rest)
    if not words or words[0].low not in DIETS or said.form not in _KEEPING:
        return
    if len(words) == 1 or words[1].is_sign or words[1].low in _DIET_ENDS:
        scene.claim("health.diet", words[0].text, changed=any(w.low == "now" for w in words))


def suffer(scene: Scene, said: Predicate) -> None:
    """Read "I suffer from migraines"."""
    if said.form in {"suffer", "suffering"} and said.rest and said.rest[0].low == "from":
        for item in items(said.rest[1:]):
            if item[0].low not in {"it", "this", "that", "a", "lack"}:
                scene.claim("health.condition", scene.span(item))


_NOT_FOR_GOOD: Final = word_set("anymore longer much enough yet today well often more")
_NO_SUBSTANCES: Final = word_set("it them that this anything breakfast lunch dinner out much a")


_TAKING: Final = word_set("eat drink do have tolerate digest")
_NO_FOOD: Final = word_set(
    """
    gluten dairy lactose nuts peanuts sugar caffeine alcohol shellfish soy soya eggs wheat pork
    beef meat fish milk sesame seafood onion garlic spicy
    """
)


def abstain(scene: Scene, said: Predicate) -> None:
    """Read "I don't eat pork", "I never drink alcohol": what is denied."""
    lows = [word.low for word in said.rest]
    if "can" in said.auxiliaries and said.form in _TAKING and lows[:1] and lows[0] in _NO_FOOD:
        for item in items(said.rest):
            scene.claim("health.avoids", f"no {scene.span(item)}")
        return
    if said.form not in {"eat", "drink"} or {"can", "could", "will", "would", "did"} & {
        *said.auxiliaries
    }:
        return
    lows = [word.low for word in said.rest]
    if not lows or _NOT_FOR_GOOD & {*lows} or "no longer" in said.adverbs:
        return
    for item in items(said.rest):
        if item[0].low in _NO_SUBSTANCES:
            return
        scene.claim("health.avoids", f"no {scene.span(item)}")


def wear(scene: Scene, said: Predicate) -> None:
    """Read "I wear glasses"."""
    lows = [word.low for word in said.rest[:2]]
    if (
        said.form == "wear"
        and lows
        and (
            lows[0] in {"glasses", "contacts"}
            or lows in (["contact", "lenses"], ["hearing", "aids"])
        )
    ):
        end = 1 if lows[0] in {"glasses", "contacts"} else 2
        scene.claim("health.habit", f"wear {scene.span(said.rest[:end])}")


DENIED = dict.fromkeys(_TAKING, (abstain,))


def smoke(scene: Scene, said: Predicate) -> None:
    """Read "I smoke", "I smoke rollies"."""
    if said.form == "smoke" and not said.auxiliaries:
        end = phrase_at(said.rest, 0, most=4)
        value = "smoke " + scene.span(said.rest[:end]) if end else "smokes"
        if (
            not said.rest
            or end
            or said.rest[0].is_sign
            or said.rest[0].low in {"and", "but", "too", "a", "about"}
        ):
            scene.claim("health.habit", value)


_REGULARLY: Final = word_set("every day daily lots always week now mostly only")


def drink(scene: Scene, said: Predicate) -> None:
    """Read "I drink six coffees a day", "now I drink rooibos"."""
    if said.form in {"drink", "eat"} and not said.auxiliaries:
        end = phrase_at(said.rest, 0, most=4)
        lows = [word.low for word in said.rest]
        regular = _REGULARLY & ({*lows} | {*said.adverbs} | {w.low for w in said.before})
        if end and regular and lows[0] not in {"it", "that", "this", "the", "my"}:
            scene.claim("health.habit", f"{said.form} {scene.span(said.rest[:end])}")


VERBS = {
    "suffer": (suffer,),
    "wear": (wear,),
    "be": (be,),
    "have": (have, diagnose),
    "keep": (keep,),
    "eat": (keep, drink),
    "follow": (keep,),
    "do": (keep,),
    "diagnose": (diagnose,),
    "get": (diagnose,),
    "smoke": (smoke,),
    "drink": (drink,),
}


CLAUSES = (
    (word_set("allergy allergies"), allergy),
    (word_set("allergic allergy"), just_allergic),
)
