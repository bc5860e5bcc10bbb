"""The reader that needs no model: English first-person statements, precision before recall."""

from collections import defaultdict

from backstory.core.model.message import Role
from backstory.core.model.reading import Batch, Claim, ClaimRejection, Reading, Turn
from backstory.reading.rules import (
    health,
    home,
    identity,
    intro,
    own,
    pastimes,
    plans,
    relations,
    taste,
    things,
    work,
)
from backstory.reading.rules.clauses import clauses
from backstory.reading.rules.complements import further
from backstory.reading.rules.follow import follow
from backstory.reading.rules.grammar import (
    Predicate,
    elided,
    is_of_other,
    predicate_of,
)
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.modality import Mood, is_foreign, mood_of
from backstory.reading.rules.others import KEPT, of_other
from backstory.reading.rules.scene import ClauseRule, Rule, Scene
from backstory.reading.rules.speakers import of_another
from backstory.reading.rules.text import mask, sentences

_FAMILIES = (identity, own, home, work, relations, taste, health, things, pastimes, plans, intro)
_CLAUSE_RULES: tuple[tuple[frozenset[str], ClauseRule], ...] = tuple(
    rule for family in _FAMILIES for rule in getattr(family, "CLAUSES", ())
)
"""For clauses of any mood that hold one of these words; the rules look at the mood themselves."""

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
        return read_turns(batch)


def read_turns(batch: Batch) -> Reading:
    """What the turns of a batch state; those of the assistant and of tools state nothing."""
    claims: list[Claim] = []
    rejections: list[ClaimRejection] = []
    recent = [c for turn in batch.before if (c := _said_before(turn, batch)) is not None]
    for turn in batch.turns:
        if turn.role is not Role.USER:
            continue
        if turn.is_user:
            found, refused = follow(turn, batch, recent[::-1], read_turn)
            recent.append(found)
        else:
            scene = read_turn(turn, batch)
            found, refused = of_another(scene.claims, turn.speaker), scene.rejections
        claims += found
        rejections += refused
    return Reading(claims=tuple(claims), rejections=tuple(rejections))


def _said_before(turn: Turn, batch: Batch) -> list[Claim] | None:
    return read_turn(turn, batch).claims if turn.role is Role.USER and turn.is_user else None


def read_turn(turn: Turn, batch: Batch) -> Scene:
    """Read one message."""
    masked = mask(turn.text)
    split = sentences(masked)
    scene = Scene(turn=turn, batch=batch, clauses=clauses(split), moods=[])
    if is_foreign(masked):
        scene.reject("fiction, or a text to be worked on", "fiction")
        return scene
    places = [(s.words[0].start, s.words[-1].end) for s in split]
    before, mood = None, Mood.STATED
    for clause in scene.clauses:
        start, end = places[clause.sentence]
        mood = mood_of(clause, before, mood, masked[start : end + 4])
        scene.moods.append(mood)
        before = clause
    for scene.at in range(len(scene.clauses)):
        _read_clause(scene)
    return scene


def _read_clause(scene: Scene) -> None:
    bag = scene.clause.bag
    for triggers, rule in _CLAUSE_RULES:
        if not triggers.isdisjoint(bag):
            rule(scene)
    if scene.mood is not Mood.STATED:
        return
    other = of_other(scene)
    if other is not None:
        _read_of_other(scene, *other)
        return
    if _is_orphan(scene):
        return
    said = predicate_of(scene.clause)
    if said is not None:
        _read_predicate(scene, said)


def _is_orphan(scene: Scene) -> bool:
    """Whether a clause without a subject goes on about somebody else."""
    clause = scene.clause
    at = clause.body
    if not clause.heir and not (at < len(clause.words) and elided(clause.words, at)):
        return False
    for back in range(scene.at - 1, -1, -1):
        before = scene.clauses[back]
        if not before.heir:
            return is_of_other(before) or (clause.heir and predicate_of(before) is None)
    return False


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
