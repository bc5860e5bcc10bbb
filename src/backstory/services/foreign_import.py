"""Import from other memories: what they remember becomes facts, what was said becomes messages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Final

from backstory.core.content import is_blank
from backstory.core.facts.gate import admit
from backstory.core.facts.slots import IMPORTED
from backstory.core.foreign.model import Foreign, ForeignMemory, ForeignTurn
from backstory.core.identity import check_scope
from backstory.core.model.fact import USER, Cardinality, Category, Fact, Trust
from backstory.core.model.moving import ImportResult, Progress
from backstory.core.model.reading import Act, Claim
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.core.values import normal_value
from backstory.errors import ConflictError, InvalidInputError
from backstory.ports.clock import Clock
from backstory.ports.facts import FactFilter
from backstory.ports.store import Store
from backstory.services.fact_writer import FactWriter
from backstory.services.foreign_file import read_foreign
from backstory.services.import_tally import Tally
from backstory.services.ingest import BLANK, Ingest
from backstory.threads import run_in_thread

_BATCH: Final = 64
_REFUSED: Final = "rejected"


@dataclass(frozen=True)
class _Span:
    """While when a value is held."""

    start: datetime | None
    end: datetime | None

    def meets(self, other: "_Span") -> bool:
        """Whether both hold at some time."""
        return _before(self.start, other.end) and _before(other.start, self.end)


class ForeignImport:
    """Imports exports of mem0, LangMem and Zep.

    Args:
        store: Says what is there already.
        writer: Writes facts.
        ingest: Adds messages.
        clock: The time of what has none.
        tenant_id: Whose data it works on.
        redaction: Whether secrets are masked.
    """

    def __init__(
        self,
        store: Store,
        writer: FactWriter,
        ingest: Ingest,
        clock: Clock,
        tenant_id: str,
        *,
        redaction: bool = True,
    ) -> None:
        self._store = store
        self._writer = writer
        self._ingest = ingest
        self._clock = clock
        self._tenant_id = tenant_id
        self._redaction = redaction

    async def run(
        self,
        path: Path,
        name: str,
        user_id: str | None,
        *,
        infer: bool,
        progress: Progress | None,
    ) -> ImportResult:
        """Import a file.

        Raises:
            FileError: It cannot be read.
            InvalidInputError: It is not of this format, or a user must be named.
        """
        found = await run_in_thread(read_foreign, path, name)
        user = user_id if user_id is not None else _only_owner(found, name)
        scope = Scope(self._tenant_id, check_scope(self._tenant_id, user))
        tally = Tally()
        for problem in found.problems:
            tally.note(problem.position, problem.reason)
        is_theirs = _chooser(found, user)
        memories = [m for m in found.memories if _keep(m, is_theirs, tally)]
        turns = [t for t in found.turns if _keep(t, is_theirs, tally)]
        total = len(memories) + len(turns)
        tell = _counting(progress, total)
        await self._add_turns(scope, turns, tally, tell, infer=infer)
        await self._add_memories(scope, name, memories, tally, tell)
        return tally.result(user, name)

    async def _add_turns(
        self,
        scope: Scope,
        turns: Sequence[ForeignTurn],
        tally: Tally,
        tell: Callable[[int], None],
        *,
        infer: bool,
    ) -> None:
        for session, group in groupby(turns, key=lambda turn: turn.session):
            whole = list(group)
            for start in range(0, len(whole), _BATCH):
                some = whole[start : start + _BATCH]
                await self._add_some(scope, session, some, tally, infer=infer)
                tell(len(some))
            await self._store.sessions.end(scope, session)

    async def _add_some(
        self,
        scope: Scope,
        session: str,
        turns: Sequence[ForeignTurn],
        tally: Tally,
        *,
        infer: bool,
    ) -> None:
        good = [turn for turn in turns if not is_blank(turn.draft.text)]
        for turn in turns:
            if is_blank(turn.draft.text):
                tally.note(turn.position, BLANK)
        if not good:
            return
        try:
            added = await self._ingest.add(
                scope,
                session,
                SessionLabel(bulk=True),
                [turn.draft for turn in good],
                infer=infer,
            )
        except ConflictError as error:
            if len(good) == 1:
                tally.note(good[0].position, str(error))
                return
            for turn in good:
                await self._add_some(scope, session, [turn], tally, infer=infer)
            return
        for message in added.messages:
            (tally.imported if message.created else tally.skipped)["message"] += 1
        tally.pending += added.pending

    async def _add_memories(
        self,
        scope: Scope,
        source: str,
        memories: Sequence[ForeignMemory],
        tally: Tally,
        tell: Callable[[int], None],
    ) -> None:
        if not memories:
            return
        chosen = FactFilter(key=IMPORTED)
        known = _Known([f for _, f in await self._store.facts.listed(scope, chosen, None)])
        for start in range(0, len(memories), _BATCH):
            some = memories[start : start + _BATCH]
            fresh: list[tuple[ForeignMemory, list[Claim]]] = []
            for memory in some:
                claims = self._claims(source, memory)
                refusal = admit(claims[:1], {}, redaction=self._redaction)
                if refusal.rejections:
                    tally.note(memory.position, refusal.rejections[0].reason)
                elif known.take(refusal.claims[0], claims[-1]):
                    fresh.append((memory, claims))
                else:
                    tally.skipped["fact"] += 1
            await self._write(scope, fresh, tally)
            tell(len(some))

    async def _write(
        self,
        scope: Scope,
        fresh: Sequence[tuple[ForeignMemory, Sequence[Claim]]],
        tally: Tally,
    ) -> None:
        claims = [claim for _, some in fresh for claim in some]
        if not claims:
            return
        written = await self._writer.write(scope, claims)
        reasons = iter(written.rejections)
        outcomes = iter(written.plan.outcomes)
        for memory, some in fresh:
            first, *rest = [next(outcomes) for _ in some]
            refused = [next(reasons) for done in (first, *rest) if done.what == _REFUSED]
            if first.what == _REFUSED:
                tally.note(memory.position, refused[0].reason)
            else:
                tally.imported["fact"] += 1
                if refused:
                    tally.note(memory.position, f"its end: {refused[0].reason}")

    def _claims(self, source: str, memory: ForeignMemory) -> list[Claim]:
        """A memory as statements: that it holds, and its end where that was learnt later."""
        known = memory.created_at
        end = memory.valid_until or memory.ended_at
        learnt = memory.ended_at
        apart = learnt is not None and known is not None and learnt > known
        start = memory.valid_from
        if start is None and known is not None and (end is None or known < end):
            start = known
        holds = Claim(
            key=IMPORTED,
            value=memory.text,
            subject=USER,
            cardinality=Cardinality.MANY,
            category=Category.CONTEXT,
            trust=Trust.IMPORT,
            actor="import",
            reason=f"{source} {memory.id}"[:500],
            said_at=known or self._clock.now(),
            known_from=known,
            valid_from=start,
            valid_until=None if apart else end,
            intent_id=f"{source}:{memory.id}",
        )
        if not apart or learnt is None:
            return [holds]
        ends = replace(holds, act=Act.END, said_at=learnt, known_from=learnt, valid_until=end)
        return [holds, ends]


class _Known:
    """The imported memories that are there: by their id elsewhere, and by what they say."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._labels = {fact.intent_id for fact in facts}
        self._spans: dict[str, list[_Span]] = {}
        for fact in facts:
            self._note(fact.value, _Span(fact.valid_from, fact.valid_until))

    def take(self, claim: Claim, last: Claim) -> bool:
        """Note a memory; False if it is there already."""
        span = _Span(claim.valid_from, last.valid_until)
        value = str(claim.value)
        same = self._spans.get(normal_value(value), [])
        if claim.intent_id in self._labels or any(span.meets(other) for other in same):
            return False
        self._labels.add(claim.intent_id)
        self._note(value, span)
        return True

    def _note(self, value: str, span: _Span) -> None:
        self._spans.setdefault(normal_value(value), []).append(span)


def _before(start: datetime | None, end: datetime | None) -> bool:
    return start is None or end is None or start < end


def _only_owner(found: Foreign, name: str) -> str:
    owners = found.owners
    if len(owners) != 1 or name == "langmem":
        named = f"names {len(owners)} users" if owners else "names no user"
        raise InvalidInputError(f"the file {named}; say whose memory it becomes with user_id")
    return owners[0]


def _chooser(found: Foreign, user: str) -> Callable[[str | None], bool]:
    """Which owners' records are taken: the only one's whatever the name, else the user's own."""
    several = len(found.owners) > 1

    def is_theirs(owner: str | None) -> bool:
        return not several or (owner is not None and (owner == user or user in owner.split("/")))

    return is_theirs


def _keep(
    record: ForeignMemory | ForeignTurn, is_theirs: Callable[[str | None], bool], tally: Tally
) -> bool:
    kept = is_theirs(record.owner)
    if not kept:
        tally.note(record.position, "it belongs to another user, or names none")
    return kept


def _counting(progress: Progress | None, total: int) -> Callable[[int], None]:
    done = 0

    def tell(count: int) -> None:
        nonlocal done
        done += count
        if progress is not None:
            progress(done, total)

    return tell
