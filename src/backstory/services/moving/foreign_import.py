"""Import from elsewhere: what others remember becomes facts, what was said becomes messages."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from backstory.core.facts.gate import admit
from backstory.core.facts.slots import IMPORTED
from backstory.core.foreign.model import Foreign, ForeignMemory
from backstory.core.identity import check_scope
from backstory.core.model.fact import USER, Cardinality, Category, Fact, Trust
from backstory.core.model.moving import ImportRequest, ImportResult, Progress
from backstory.core.model.reading import Act, Claim
from backstory.core.model.scope import Scope
from backstory.core.values import normal_value
from backstory.errors import InvalidInputError
from backstory.ports.clock import Clock
from backstory.ports.facts import FactFilter
from backstory.ports.store import Store
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.facts.vectors import FactVectors
from backstory.services.facts.writer import FactWriter
from backstory.services.ingest import Ingest
from backstory.services.moving.foreign_file import ForeignFile, Survey, format_of
from backstory.services.moving.foreign_turns import ForeignTurns
from backstory.services.moving.import_tally import Tally
from backstory.services.reading import ReadingService
from backstory.services.understanding import ReadResult
from backstory.threads import run_in_thread

# Messages and memories that are stored in one go.
_BATCH: Final = 128
_REFUSED: Final = "rejected"
_EMBED_S: Final = 24 * 3600.0
_OTHERS: Final = "it belongs to another user, or names none"


@dataclass(frozen=True)
class _Span:
    """While when a value is held."""

    start: datetime | None
    end: datetime | None

    def meets(self, other: "_Span") -> bool:
        """Whether both hold at some time."""
        return _before(self.start, other.end) and _before(other.start, self.end)


class ForeignImport:
    """Imports chats, and exports of other memories.

    Args:
        store: Says what is there already.
        writer: Writes facts.
        ingest: Adds messages.
        reading: Reads what an import that was cut off left unread.
        vectors, fact_vectors: Make the vectors that it left out.
        clock: The time of what has none.
        tenant_id: Whose data it works on.
        redaction: Whether secrets are masked.
    """

    def __init__(
        self,
        store: Store,
        writer: FactWriter,
        ingest: Ingest,
        reading: ReadingService,
        vectors: VectorMaker,
        fact_vectors: FactVectors,
        clock: Clock,
        tenant_id: str,
        *,
        redaction: bool = True,
    ) -> None:
        self._store = store
        self._writer = writer
        self._ingest = ingest
        self._reading = reading
        self._vectors = vectors
        self._fact_vectors = fact_vectors
        self._clock = clock
        self._tenant_id = tenant_id
        self._redaction = redaction

    async def format_of(self, path: Path) -> str:
        """Tell the format of a file.

        Raises:
            FileError: It cannot be read.
            InvalidInputError: It cannot be told.
        """
        return await run_in_thread(format_of, path)

    async def run(self, path: Path, name: str, asked: ImportRequest) -> ImportResult:
        """Import a file. It is read twice: the first time nothing is stored.

        Raises:
            FileError: It cannot be read.
            InvalidInputError: It is not of this format, or a user must be named.
        """
        file = ForeignFile(path, name)
        survey = await run_in_thread(file.survey)
        user = asked.user_id if asked.user_id is not None else _only_owner(survey, name)
        scope = Scope(self._tenant_id, check_scope(self._tenant_id, user))
        is_theirs = _chooser(survey, user)
        tally = Tally(asked.each, dry_run=asked.dry_run)
        counts = (*survey.turns.items(), *survey.memories.items())
        tell = _counting(asked.progress, sum(n for owner, n in counts if is_theirs(owner)))
        turns = ForeignTurns(self._store, self._ingest, scope, tally, infer=asked.infer)
        known: _Known | None = None
        batches = _batches(file.parts())
        while batch := await run_in_thread(next, batches, None):
            for part in batch:
                _note(part, is_theirs, tally)
            said = [turn for part in batch for turn in part.turns if is_theirs(turn.owner)]
            await turns.add(said)
            held = [one for part in batch for one in part.memories if is_theirs(one.owner)]
            if held:
                known = known or await self._known(scope)
                await self._add_memories(scope, name, held, known, tally)
            if said or held:
                tell(len(said) + len(held))
        await turns.end()
        if not asked.dry_run:
            await self._finish(scope, tally, infer=asked.infer)
        return tally.result(user, name)

    async def _finish(self, scope: Scope, tally: Tally, *, infer: bool) -> None:
        """Do what an earlier run had not come to: read and embed, where that costs no call."""
        tenant = self._tenant_id
        unread = await self._store.facts.count_unread(scope, tenant) if infer else 0
        if unread and self._reading.reads_at_once:
            await self._reading.read_all(scope, tenant, ReadResult())
        await self._embed(scope, tally)
        if self._reading.works and not self._reading.reads_at_once:
            tally.pending += unread

    async def _embed(self, scope: Scope, tally: Tally) -> None:
        tenant = self._tenant_id
        if not self._vectors.embeds_at_once:
            return
        if await self._store.messages.count_pending(scope, tenant):
            flushed = await self._vectors.flush(scope, tenant, _EMBED_S)
            tally.pending = flushed.pending + flushed.failed
        if await self._store.facts.pending(scope, tenant, 1):
            await self._fact_vectors.flush(scope, tenant)

    async def _known(self, scope: Scope) -> "_Known":
        chosen = FactFilter(key=IMPORTED)
        return _Known([fact for _, fact in await self._store.facts.listed(scope, chosen, None)])

    async def _add_memories(
        self,
        scope: Scope,
        source: str,
        memories: Sequence[ForeignMemory],
        known: "_Known",
        tally: Tally,
    ) -> None:
        fresh: list[tuple[ForeignMemory, list[Claim]]] = []
        for memory in memories:
            claims = self._claims(source, memory)
            refusal = admit(claims[:1], {}, redaction=self._redaction)
            if refusal.rejections:
                _refuse(tally, memory, refusal.rejections[0].reason)
            elif known.take(refusal.claims[0], claims[-1]):
                fresh.append((memory, claims))
            else:
                tally.present("fact", memory.position, memory.id)
        if tally.dry_run:
            for memory, _ in fresh:
                tally.stored("fact", memory.position, memory.id)
        else:
            await self._write(scope, fresh, tally)

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
                _refuse(tally, memory, refused[0].reason)
            else:
                tally.stored("fact", memory.position, memory.id)
                if refused:
                    _refuse(tally, memory, f"its end: {refused[0].reason}")

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


def _refuse(tally: Tally, memory: ForeignMemory, reason: str) -> None:
    tally.note(memory.position, reason, kind="fact", name=memory.id)


def _batches(parts: Iterator[Foreign]) -> Iterator[list[Foreign]]:
    """The parts of a file in batches of about so many messages and memories.

    Large parts, such as a long conversation or a whole file, are divided.
    """
    batch: list[Foreign] = []
    size = 0
    for part in _divided(parts):
        batch.append(part)
        size += len(part.turns) + len(part.memories)
        if size >= _BATCH or len(batch) >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _divided(parts: Iterator[Foreign]) -> Iterator[Foreign]:
    for part in parts:
        if len(part.turns) + len(part.memories) <= _BATCH:
            yield part
            continue
        yield Foreign(problems=part.problems, left_out=part.left_out)
        turns, memories = iter(part.turns), iter(part.memories)
        while some := tuple(islice(turns, _BATCH)):
            yield Foreign(turns=some)
        while held := tuple(islice(memories, _BATCH)):
            yield Foreign(memories=held)


def _note(part: Foreign, is_theirs: Callable[[str | None], bool], tally: Tally) -> None:
    """Count what of a part is not stored at all."""
    for problem in part.problems:
        tally.note(problem.position, problem.reason, name=problem.id, session=problem.session)
    for item in part.left_out:
        tally.leave(item)
    for turn in part.turns:
        if not is_theirs(turn.owner):
            name, session = turn.draft.message_id, turn.session
            tally.note(turn.position, _OTHERS, kind="message", name=name, session=session)
    for memory in part.memories:
        if not is_theirs(memory.owner):
            _refuse(tally, memory, _OTHERS)


def _only_owner(found: Survey, name: str) -> str:
    owners = found.owners
    if len(owners) != 1 or name == "langmem":
        named = f"names {len(owners)} users" if owners else "names no user"
        raise InvalidInputError(f"the file {named}; say whose memory it becomes with user_id")
    return owners[0]


def _chooser(found: Survey, user: str) -> Callable[[str | None], bool]:
    """Which owners' records are taken: the only one's whatever the name, else the user's own."""
    several = len(found.owners) > 1

    def is_theirs(owner: str | None) -> bool:
        return not several or (owner is not None and (owner == user or user in owner.split("/")))

    return is_theirs


def _counting(progress: Progress | None, total: int) -> Callable[[int], None]:
    done = 0

    def tell(count: int) -> None:
        nonlocal done
        done += count
        if progress is not None:
            progress(done, total)

    return tell
