"""Relatives, partners, friends and animals, and their names.

For: "my sister Oda", "my twins, Bo and Ada, …", "our cat is called Pip", "my brothers are called A
and
B", "we've got three cats: A, B and C", "I'm married to Oda", "Pip, my dog, …", "wife = Oda", "a
puppy!!
he's called Pip". Not for: "my sister's friend Bo", "is my wife called Oda?", "my boss is Danish".
"""

from typing import Final

from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.kin import SAID, Words, fits, name_group, note, noun_at
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.people import (
    KIN,
    NUMBERS,
    PETS,
    singular,
)
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.values import is_stop, name_at

_MINE: Final = word_set("my our")
_COUNTED: Final = {
    "family.sister": "family.sisters", "family.brother": "family.brothers",
    "family.daughter": "family.daughters", "family.son": "family.sons",
    "family.child": "family.children",
}  # fmt: skip
_GONE: Final = word_set("miss missed missing late died dead rip")


def mentions(scene: Scene) -> None:
    """Read all "my KIN NAME" of a clause, also of a question."""
    if scene.mood not in (Mood.STATED, Mood.QUESTION, Mood.SARCASM):
        return
    words = scene.clause.words
    for at, word in enumerate(words):
        if word.low in _MINE:
            found = noun_at(words, at + 1)
            if found is not None:
                _owned(scene, words, at, found)
        elif word.low in {"one", "a", "another", "some"} and any(
            w.low == "of" for w in words[at + 1 : at + 3]
        ):
            continue
        elif word.low in {"=", ":"} and at:
            _equals(scene, words, at)


def _owned(scene: Scene, words: Words, at: int, found: tuple[str, int, bool]) -> None:
    key, end, several = found
    if key.startswith("pet.") and _GONE & scene.clause.bag:
        return
    if end < len(words) and words[end].low == "'s" and not _called_behind(words, end):
        return
    if _owns(scene, words, at, end):
        return
    named = name_group(scene, words, end, key, several=several)
    if not named and at <= scene.clause.body:
        named = _name_before(scene, key, words, end)
    if not named and scene.mood is Mood.STATED:
        scene.topic = (key, words[end - 1].low)


def _owns(scene: Scene, words: Words, at: int, end: int) -> bool:
    """Whether "'s" is a genitive before a name: "driving my dad's Corolla"."""
    if end + 1 >= len(words) or words[end].low != "'s" or words[end + 1].low in SAID | _NAMED:
        return False
    stop = name_at(words, end + 1)
    goes_on = stop < len(words) and not words[stop].is_sign and words[stop].low not in _JOINTS
    return stop > end + 1 and (at > scene.clause.body or goes_on)


_NAMED: Final = word_set("name names")
_JOINTS: Final = word_set("and but btw so while")


def _called_behind(words: Words, at: int) -> bool:
    rest = {word.low for word in words[at + 1 : at + 3]}
    return bool(rest & (SAID | {"name", "names"})) or (
        at + 1 < len(words) and words[at + 1].is_capital
    )


def _name_before(scene: Scene, key: str, words: Words, end: int) -> bool:
    """Read "Pip, my dog, …", "Pip (my cat) …", "Oda is my sister": the name stands before."""
    if scene.at == 0:
        return False
    before = scene.clauses[scene.at - 1]
    after = words[end].low if end < len(words) else ","
    if before.sentence != scene.clause.sentence or after not in {",", ")", "\u00b7"}:
        return False
    at = before.body
    stop = name_at(before.words, at, told=True)
    if stop == len(before.words) and stop > at and scene.clause.lead == "":
        note(scene, key, [before.words[at:stop]])
        return True
    return False


_BEFORE_MINE: Final = word_set("is 's been officially also still")


def is_mine(scene: Scene) -> None:
    """Read "Oda is my sister", "she's been my closest friend"."""
    if scene.mood is not Mood.STATED:
        return
    words = scene.clause.words
    at = next((i for i, word in enumerate(words) if word.low in _MINE), None)
    if at is None or at == 0 or words[at - 1].low not in _BEFORE_MINE:
        return
    found = noun_at(words, at + 1)
    if found is None or any(w.low in {"not", "never"} for w in words[:at]):
        return
    start = scene.clause.body
    nearest = at - 1
    while nearest > start and words[nearest - 1].is_capital:
        nearest -= 1
    if start < nearest < at - 1 and words[nearest - 1].low in {"and", ",", "but", "now"}:
        start = nearest
    if words[start].low in {"she", "he", "they"}:
        name = _lonely_name(scene)
    else:
        stop = name_at(words, start)
        name = words[start:stop] if stop > start and words[stop].low in {"is", "'s", "has"} else ()
    if name and fits(name, told=False):
        note(scene, found[0], [name])


def _lonely_name(scene: Scene) -> Words:
    """The one name of the clause before, if there is just one."""
    if scene.at == 0:
        return ()
    words = scene.clauses[scene.at - 1].words
    found: list[Words] = []
    at = 1
    while at < len(words):
        end = name_at(words, at)
        if end > at:
            found.append(words[at:end])
        at = max(end, at + 1)
    return found[0] if len(found) == 1 else ()


def _equals(scene: Scene, words: Words, at: int) -> None:
    """Read "wife = Oda", "dog: Pip"."""
    low = singular(words[at - 1].low)
    key = KIN.get(low) or (f"pet.{PETS[low]}" if low in PETS else None)
    if key is None or (at >= 2 and words[at - 2].low in {"my", "our"}):
        return
    if at >= 2 and not words[at - 2].is_sign and words[at].low == ":":
        return
    end = name_at(words, at + 1)
    if end > at + 1:
        note(scene, key, [words[at + 1 : end]])


def the_one(scene: Scene) -> None:
    """Read "a second parrot, the one I've got is called Pip"."""
    words = scene.clause.words
    lows = [word.low for word in words]
    at = next(
        (i for i, low in enumerate(lows) if low in SAID and lows[i - 1] in {"is", "'s"}), None
    )
    earlier = scene.clauses[scene.at - 1] if scene.at else None
    if at is None or scene.mood is not Mood.STATED or not {"got", "have"} & {*lows[:at]}:
        return
    for words_before in (words[:at], earlier.words if earlier is not None else ()):
        kinds = [word.low for word in words_before if word.low in PETS]
        if kinds and ("one" in lows[:at] or "one" in [w.low for w in words_before]):
            key = f"pet.{PETS[kinds[-1]].replace(' ', '_')}"
            name_group(scene, words, at, key, several=False)
            return


def pronoun(scene: Scene) -> None:
    """Read "he's called Pip", "her name is Ada" of whom or what was named just before."""
    if scene.topic is None or scene.mood is not Mood.STATED:
        return
    words = scene.clause.words
    lows = [word.low for word in words]
    at = scene.clause.body
    if lows[at : at + 1] and lows[at] in {"he", "she", "it", "they"}:
        if (
            lows[at + 1 : at + 2]
            and lows[at + 1] in {"is", "'s", "are"}
            and lows[at + 2 : at + 3]
            and lows[at + 2] in SAID
        ):
            name_group(scene, words, at + 2, scene.topic[0], several=lows[at] == "they")
    elif (
        lows[at : at + 1]
        and lows[at] in {"his", "her", "its", "it", "their"}
        and "name" in lows[at + 1 : at + 3]
    ):
        index = lows.index("name", at)
        name_group(scene, words, index, scene.topic[0], several=False)


def have(scene: Scene, said: Predicate) -> None:
    """Read "I have a cat called Pip", "we've got one daughter, Ada", "I have three sisters"."""
    if said.auxiliaries and not said.is_perfect and said.form != "have":
        return
    groups(scene, said.rest)


_BEFORE_COUNT: Final = word_set("just only also got our my the about")


def groups(scene: Scene, words: Words, *, own: bool = False) -> bool:
    """Note the persons and animals of "two daughters (A and B), a son and three goats"."""
    at = 0
    noted = False
    while at < len(words):
        counted = at
        number: int | None = None
        while counted < len(words) and (
            words[counted].low in NUMBERS or words[counted].low in _BEFORE_COUNT
        ):
            number = NUMBERS.get(words[counted].low, number)
            counted += 1
        if counted < len(words) and words[counted].low.isdigit() and len(words[counted].low) < 3:
            number = int(words[counted].low)
            counted += 1
        if _year_old(scene, words, counted):
            return True
        found = noun_at(words, counted) if counted > at or own else None
        if found is None:
            return noted
        key, end, several = found
        if number == 0 and key.startswith(("family", "pet")):
            at = _next_item(words, end)
            continue
        named = name_group(scene, words, end, key, several=several)
        noted = _unnamed(scene, words, counted, end, key, number, named=named) or named or noted
        at = _next_item(words, end)
        if at < 0:
            return noted
    return noted


def _year_old(scene: Scene, words: Words, at: int) -> bool:
    """Read "a 3 year old named Bo", "a two-year-old called Ada"."""
    lows = [word.low for word in words[at - 1 : at + 5]]
    for index, low in enumerate(lows[:4]):
        if low in {"old", "year-old"} or low.endswith("-year-old"):
            follow = at + index
            if follow < len(words) and (words[follow].low in SAID or words[follow].low == ","):
                return name_group(scene, words, follow, "family.child", several=False)
            return False
    return False


def _next_item(words: Words, at: int) -> int:
    """Where the next group begins: after "and" or a comma, if a number or article follows."""
    for index in range(at, len(words) - 1):
        if words[index].low in {"and", "but", ",", "plus"} and (
            words[index + 1].low in NUMBERS or words[index + 1].low.isdigit()
        ):
            return index + 1
    return len(words)


def _unnamed(
    scene: Scene, words: Words, begin: int, end: int, key: str, number: int | None, *, named: bool
) -> bool:
    phrase = scene.span(words[begin:end])
    if (
        end < len(words)
        and words[end].low in {"'s", "who", "food", "allergy", "in"} | PETS.keys()
        and not named
    ):
        return False
    if key.startswith("pet."):
        if not named:
            if end < len(words) and not (words[end].is_sign or is_stop(words[end])):
                return False
            if number is not None and number > 1:
                scene.claim("pet", f"{scene.span(words[begin - 1 : begin])} {phrase}")
            else:
                scene.claim("pet", phrase)
            scene.topic = (key, words[end - 1].low)
        return True
    if number is not None and number > 1 and key in _COUNTED:
        scene.claim(_COUNTED[key], f"{scene.span(words[begin - 1 : begin])} {phrase}")
        return True
    if not named:
        scene.topic = (key, words[end - 1].low)
    return False


_PARENTS: Final = word_set("mum mom dad mother father parent")
_STATUS_ENDS: Final = word_set(", and \u00b7 again now but with since so")


def be(scene: Scene, said: Predicate) -> None:
    """Read "I'm married to Oda", "I'm with Bo now", "I'm single", "I'm the only child"."""
    words = said.rest
    if not words:
        return
    lows = [word.low for word in words]
    for at, low in enumerate(lows[:6]):
        if low in {"married", "engaged"} and (
            at == 0 or lows[at - 1] in {",", "happily", "am", "and"}
        ):
            _married(scene, words, at)
            return
    if lows[:2] == ["a", "single"] and lows[2:3] and lows[2] in _PARENTS:
        scene.claim("relationship.status", lows[1])
    if lows[0] in {"single", "divorced", "widowed"} and (len(lows) == 1 or lows[1] in _STATUS_ENDS):
        scene.claim("relationship.status", lows[0], changed="now" in lows or "again" in lows)
    elif lows[:3] == ["an", "only", "child"]:
        scene.claim("family.siblings", "only child")
    elif (
        lows[0] in {"with", "dating", "seeing"}
        and len(words) > 1
        and words[1].is_capital
        and "now" in lows
    ):
        end = name_at(words, 1)
        if end > 1:
            scene.claim("relationship.partner", scene.span(words[1:end]), changed=True)


def _married(scene: Scene, words: Words, at: int) -> None:
    scene.claim("relationship.status", words[at].low)
    if at + 2 < len(words) and words[at + 1].low in {"to", "with"}:
        end = name_at(words, at + 2)
        if end > at + 2:
            scene.claim("relationship.partner", scene.span(words[at + 2 : end]))


def married(scene: Scene) -> None:
    """Read "married to Oda" without a verb, as in a list about oneself."""
    if scene.mood is not Mood.STATED:
        return
    words = scene.clause.words
    for at, word in enumerate(words[:-2]):
        if (
            word.low == "married"
            and words[at + 1].low == "to"
            and (
                at == 0 or words[at - 1].low in {",", "\u00b7", "from"} or words[at - 1].is_capital
            )
        ):
            _married(scene, words, at)


VERBS = {
    "adopt": (have,),
    "rescue": (have,),
    "buy": (have,),
    "have": (have,),
    "be": (be,),
    "keep": (have,),
    "own": (have,),
}
CLAUSES = (
    (word_set("my our = :"), mentions),
    (word_set("my our"), is_mine),
    (word_set("called named"), the_one),
    (word_set("called named name"), pronoun),
    (word_set("married"), married),
)
