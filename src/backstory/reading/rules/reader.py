"""The reader that needs no model: English first-person statements, precision before recall."""

import re
from collections import defaultdict
from functools import lru_cache
from typing import Final

from backstory.core.model.message import Role
from backstory.core.model.reading import Batch, Claim, ClaimRejection, Reading, Turn
from backstory.reading.rules import (
    commuting,
    health,
    home,
    identity,
    intro,
    newcomers,
    own,
    pastimes,
    plans,
    relations,
    taste,
    things,
    work,
)
from backstory.reading.rules.clauses import Clause, clauses
from backstory.reading.rules.complements import further
from backstory.reading.rules.follow import follow
from backstory.reading.rules.grammar import (
    Predicate,
    elided,
    is_of_other,
    predicate_of,
)
from backstory.reading.rules.kin import noun_at
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.modality import Mood, is_foreign, is_sarcastic, mood_of
from backstory.reading.rules.others import KEPT, of_other
from backstory.reading.rules.scene import ClauseRule, Rule, Scene
from backstory.reading.rules.speakers import of_another
from backstory.reading.rules.text import Sentence, mask, sentences
from backstory.threads import run_in_thread

_FAMILIES = (
    identity,
    own,
    home,
    work,
    commuting,
    relations,
    newcomers,
    taste,
    health,
    things,
    pastimes,
    plans,
    intro,
)
_CLAUSE_RULES: tuple[tuple[frozenset[str], ClauseRule], ...] = tuple(
    rule for family in _FAMILIES for rule in getattr(family, "CLAUSES", ())
)
"""For clauses of any mood that hold one of these words; the rules look at the mood themselves."""

_BY_WORD: dict[str, list[int]] = defaultdict(list)
for _number, (_triggers, _) in enumerate(_CLAUSE_RULES):
    for _word in _triggers:
        _BY_WORD[_word].append(_number)

_VERB_RULES: dict[str, list[Rule]] = defaultdict(list)
for _family in _FAMILIES:
    _verbs: dict[str, tuple[Rule, ...]] = getattr(_family, "VERBS", {})
    for _verb, _rules in _verbs.items():
        _VERB_RULES[_verb].extend(_rules)
_DENIED_RULES: dict[str, list[Rule]] = defaultdict(list)
for _denying in (taste.DENIED, health.DENIED):
    for _verb, _rules in _denying.items():
        _DENIED_RULES[_verb].extend(_rules)
_ANY_VERB = _VERB_RULES.pop("*", [])
_PAST_TOO = word_set(
    """
    adopt rescue turn bear raise grow start join buy get diagnose take call name employ base have
    """
)
"""Verbs whose past form states what still holds: "was born", "started at", "bought"."""


_MOST_TALK: Final = 2_000
"""Characters. Of a longer message, which is mostly pasted, only plain statements are read."""
# Reading less than this takes no longer than a few hops into another thread.
_INLINE_CHARS: Final = 400
_RUN: Final = re.compile(r"(.)\1{15}|\s{12}", re.DOTALL)
_INTROS: Final = word_set("me myself intro introduction")
_ROLLING_EYES: Final = "\U0001f644"
_FOND: Final = word_set("love loving adore enjoy fond excited thrilled happy glad fan delighted")
_FAR: Final = 8
"""Clauses. How far back a subject is looked for."""
_MOST_WORDS: Final = 120
"""Words. A longer clause is no sentence of talk."""


class RuleReader:
    """Reads plain statements about oneself in English. See ``docs/explanation/reading.md``."""

    @property
    def name(self) -> str:
        """For the log."""
        return "rules"

    @property
    def reads_at_once(self) -> bool:
        """It costs no call."""
        return True

    def wants(self, role: Role, text: str) -> bool:
        """Whether a message can hold anything: the rules read what users say, if it has words."""
        return role is Role.USER and any(char.isalpha() for char in text)

    async def read(self, batch: Batch) -> Reading:
        """Read a batch. It never fails."""
        if sum(len(turn.text) for turn in batch.turns) < _INLINE_CHARS:
            return read_turns(batch)
        return await run_in_thread(read_turns, batch)

    def read_now(self, batch: Batch) -> Reading:
        """Read a batch where nothing can be waited for."""
        return read_turns(batch)


def read_turns(batch: Batch) -> Reading:
    """What the turns of a batch state; those of the assistant and of tools state nothing."""
    claims: list[Claim] = []
    rejections: list[ClaimRejection] = []
    recent = [c for turn in batch.before if (c := _said_before(turn, batch)) is not None]
    earlier = (batch.before[-1] if batch.before else None, *batch.turns)
    for before, turn in zip(earlier, batch.turns, strict=False):
        if turn.role is not Role.USER:
            continue
        if turn.is_user and _is_plain_talk(turn.text):
            scene = _read(turn, batch)
            found, refused = follow(scene, batch, before, recent, read_turn)
            recent.append(found)
        elif turn.is_user:
            scene = read_turn(turn, batch)
            found, refused = scene.claims, scene.rejections
            recent.append(found)
        else:
            scene = read_turn(turn, batch)
            found, refused = of_another(scene.claims, turn.speaker), scene.rejections
        claims += found
        rejections += refused
    return Reading(claims=tuple(claims), rejections=tuple(rejections))


def _is_plain_talk(text: str) -> bool:
    """Whether changes and corrections are looked for: not in pasted or drawn text."""
    return len(text) <= _MOST_TALK and _RUN.search(text) is None


def _said_before(turn: Turn, batch: Batch) -> list[Claim] | None:
    if turn.role is not Role.USER or not turn.is_user:
        return None
    if _is_plain_talk(turn.text):
        return list(_read_alone(turn, batch.user_name).claims)
    return list(_claims_alone(turn, batch.user_name))


def _read(turn: Turn, batch: Batch) -> Scene:
    """Read a message of a batch; it is read once for itself and for those behind it."""
    alone = _read_alone(turn, batch.user_name)
    return read_turn(turn, batch) if alone.is_answer and batch.before else alone


@lru_cache(maxsize=128)
def _read_alone(turn: Turn, user_name: str | None) -> Scene:
    """A turn by itself; in a conversation each turn is looked back at six times."""
    return read_turn(turn, Batch(turns=(turn,), user_name=user_name))


@lru_cache(maxsize=256)
def _claims_alone(turn: Turn, user_name: str | None) -> tuple[Claim, ...]:
    """What a turn states by itself, of a long one without its words."""
    return tuple(read_turn(turn, Batch(turns=(turn,), user_name=user_name)).claims)


def read_turn(turn: Turn, batch: Batch) -> Scene:
    """Read one message."""
    masked = mask(turn.text)
    split = sentences(masked)
    scene = Scene(turn=turn, batch=batch, clauses=clauses(split), moods=[])
    if is_foreign(masked):
        scene.reject("fiction, or a text to be worked on", "fiction")
        return scene
    ironic = [
        is_sarcastic(masked[s.words[0].start : s.words[-1].end + 4]) or _rolls_eyes(turn.text, s)
        for s in split
    ]
    before, mood = None, Mood.STATED
    for clause in scene.clauses:
        mood = mood_of(clause, before, mood)
        scene.moods.append(Mood.SARCASM if ironic[clause.sentence] else mood)
        before = clause
    _orphans(scene)
    for at in range(len(scene.clauses)):
        scene.at = at
        _read_clause(scene)
    return scene


def _rolls_eyes(text: str, sentence: Sentence) -> bool:
    """Whether a liking ends with eyes that roll; beside other statements they are a sigh."""
    last = sentence.words[-1]
    rolling = _ROLLING_EYES in text[last.start : last.end + 4]
    return rolling and not _FOND.isdisjoint(word.low for word in sentence.words)


def _read_clause(scene: Scene) -> None:
    if len(scene.clause.words) > _MOST_WORDS:
        return
    found = {number for word in scene.clause.bag for number in _BY_WORD.get(word, ())}
    for number in sorted(found):
        _CLAUSE_RULES[number][1](scene)
    if scene.mood is not Mood.STATED:
        return
    other = of_other(scene)
    if other is not None:
        _read_of_other(scene, *other)
        return
    said = predicate_of(scene.clause)
    if said is not None:
        _read_predicate(scene, said)


def _orphans(scene: Scene) -> None:
    """Take clauses without a subject that go on about somebody else for that one's."""
    for at, clause in enumerate(scene.clauses):
        if scene.moods[at] is Mood.STATED and _is_orphan(scene, at, clause):
            scene.moods[at] = Mood.REPORTED


def _is_orphan(scene: Scene, at: int, clause: Clause) -> bool:
    begins = clause.body < len(clause.words) and elided(clause.words, clause.body)
    if not clause.heir and not begins:
        return False
    first = scene.clauses[0]
    if (
        clause.sentence == first.sentence
        and ":" in first.bag
        and not _INTROS.isdisjoint(first.lows[:4])
    ):
        return False
    for back in range(at - 1, max(at - _FAR, 0) - 1, -1):
        before = scene.clauses[back]
        if before.heir:
            continue
        if before.sentence == clause.sentence and not clause.first:
            said = predicate_of(before) is not None or _tells_past(before)
            return is_of_other(before) or (clause.heir and not said)
        return _is_of_person(before)
    return False


_PAST: Final = word_set(
    "gave quit sold left got went took bought broke lost made found met came ran"
)


def _tells_past(clause: Clause) -> bool:
    """Whether a clause begins with what the writer did: "packed my things and moved …"."""
    if clause.body >= len(clause.words):
        return False
    first = clause.words[clause.body].low
    return clause.first and (first in _PAST or (first.endswith("ed") and first.isalpha()))


def _is_of_person(clause: Clause) -> bool:
    """Whether a clause's subject is a person other than the writer."""
    words, at = clause.words, clause.body
    if at >= len(words):
        return False
    if words[at].low in {"he", "she", "they"}:
        return True
    if words[at].low not in {"my", "our"}:
        return False
    found = noun_at(words, at + 1)
    return found is not None and not found[0].startswith("pet.")


def _read_predicate(scene: Scene, said: Predicate) -> None:
    if said.is_future:
        return
    if said.denied:
        for denied_rule in _DENIED_RULES.get(said.verb, ()):
            denied_rule(scene, said)
        return
    if said.is_unreal or (said.is_past and said.verb not in _PAST_TOO):
        return
    made = len(scene.claims)
    for verb_rule in (*_VERB_RULES.get(said.verb, ()), *_ANY_VERB):
        verb_rule(scene, said)
    if said.verb == "be":
        for more in further(scene, said, made):
            for verb_rule in _VERB_RULES["be"]:
                verb_rule(scene, more)


def _read_of_other(scene: Scene, subject: str, said: Predicate) -> None:
    """Read what is said of another person; nothing of it becomes the writer's."""
    mine, made = scene.subject, scene.claims
    scene.subject, scene.claims = subject, []
    if not said.is_past:
        _read_predicate(scene, said)
    about = [c for c in scene.claims if c.key and c.key.startswith(KEPT)]
    scene.subject, scene.claims = mine, [*made, *about]
