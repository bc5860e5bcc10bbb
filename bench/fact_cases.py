"""Runs written cases of what a reader must remember, without a store, and counts what holds.

A case is a conversation with expectations: what must be current at its end, what must not, what
was true at earlier dates, and whether a contradiction is open.
``python -m bench.fact_cases FILE… [--show N] [--kind KIND] [--id PART]``.
"""

import argparse
import asyncio
import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from backstory.core.facts.asof import as_of, is_current
from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.facts.gate import admit
from backstory.core.facts.stating import plan_claims
from backstory.core.model.contradiction import Contradiction, ContradictionState
from backstory.core.model.fact import USER, Fact
from backstory.core.model.message import Role
from backstory.core.model.reading import Batch, Claim, Turn
from backstory.core.secrets import redact
from backstory.ports.reader import Reader
from backstory.reading.rules.reader import RuleReader

NOW: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)
"""When the cases are committed: after all their messages, as in an import of old ones."""

_BEFORE: Final = 6
_KNOWN: Final = 40
_SHORT: Final = 4
_IDS_PER_CLAIM: Final = 6

Case = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Check:
    """One expectation of one case.

    Attributes:
        what: Which kind of expectation: "has", "not", "superseded", "contradiction true", …
        want: What the case asks for.
        got: What was there instead, for people to read.
    """

    case_id: str
    kind: str
    what: str
    ok: bool
    want: object
    got: object
    doubtful: bool = False


@dataclass(kw_only=True)
class Remembered:
    """The rows that a case left behind."""

    facts: dict[str, Fact] = field(default_factory=dict)
    contradictions: dict[str, Contradiction] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)

    def at(self, moment: datetime) -> list[Fact]:
        """What is believed now to have been true at a time."""
        return as_of(self.facts.values(), (), moment)


def load_cases(path: Path) -> list[Case]:
    """Read a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def run_case(case: Case, reader: Reader | None = None) -> list[Check]:
    """Read one conversation turn by turn, and compare what is remembered with its expectations."""
    return list(_checks(case, asyncio.run(remember(case, reader or RuleReader()))))


async def remember(case: Case, reader: Reader) -> Remembered:
    """Read a conversation turn by turn; each turn sees the facts that those before it left."""
    memory = Remembered()
    turns: list[Turn] = []
    user = next((m["speaker"] for m in case["messages"] if _names_user(m)), None)
    for number, message in enumerate(case["messages"]):
        turns.append(_turn(message, number, user))
        batch = Batch(
            turns=(turns[-1],),
            before=tuple(turns[-1 - _BEFORE : -1]),
            known=_known(memory),
            user_name=user,
        )
        read = (await reader.read(batch)).claims
        claims = admit(read, {turn.message_id: turn.text for turn in turns}).claims
        memory.claims.extend(claims)
        _write(memory, _planned(memory, claims, number))
    return memory


def score(checks: Iterable[Check]) -> dict[str, tuple[int, int]]:
    """How many expectations of each sort hold, of how many."""
    all_, right = Counter[str](), Counter[str]()
    for check in checks:
        all_[check.what] += 1
        right[check.what] += check.ok
    return {what: (right[what], all_[what]) for what in sorted(all_)}


def by_kind(checks: Iterable[Check]) -> dict[str, tuple[int, int]]:
    """How many expectations hold in the cases of each kind, of how many."""
    return score(replace(check, what=check.kind) for check in checks)


def fold(text: str) -> str:
    """Without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def contains(value: str, needle: str) -> bool:
    """Whether a value holds a string; short ones must be whole words."""
    value, needle = fold(value), fold(needle)
    if len(needle) <= _SHORT and needle.isascii():
        return re.search(rf"(?<!\w){re.escape(needle)}(?!\w)", value) is not None
    return needle in value


def _names_user(message: Case) -> bool:
    return message["role"] == "user" and bool(message.get("speaker"))


def _turn(message: Case, number: int, user: str | None) -> Turn:
    speaker, role = message.get("speaker"), Role(message["role"])
    return Turn(
        message_id=f"m{number}",
        revision=1,
        role=role,
        text=redact(message["text"]).text,
        timestamp=datetime.fromisoformat(message["at"]),
        is_user=role is Role.USER and speaker in (None, user),
        speaker=speaker,
        session_id="s",
    )


def _known(memory: Remembered) -> tuple[Fact, ...]:
    """What is current when the cases are committed, the latest first, as the service gives it."""
    return tuple(f for f in reversed(memory.facts.values()) if is_current(f, NOW))[:_KNOWN]


def _planned(memory: Remembered, claims: Sequence[Claim], number: int) -> FactPlan:
    book = FactBook(facts=dict(memory.facts), contradictions=_unsettled(memory))
    ids = [f"f{number}-{n}" for n in range(_IDS_PER_CLAIM * len(claims) or 1)]
    return plan_claims(book, claims, user_id="u", now=NOW, new_ids=ids)


def _unsettled(memory: Remembered) -> dict[str, Contradiction]:
    return {
        key: row
        for key, row in memory.contradictions.items()
        if row.state is not ContradictionState.RESOLVED
    }


def _write(memory: Remembered, plan: FactPlan) -> None:
    memory.facts.update(plan.facts)
    memory.contradictions.update(plan.contradictions)
    for fact_id in plan.removed:
        memory.facts.pop(fact_id, None)


def _values(facts: Iterable[Fact]) -> list[str]:
    return [f.value for f in facts if f.subject == USER]


def _checks(case: Case, memory: Remembered) -> Iterator[Check]:
    for what, ok, want, got in _expectations(case, memory):
        yield Check(
            case_id=case["id"],
            kind=case["kind"],
            what=what,
            ok=ok,
            want=want,
            got=got,
            doubtful="doubtful" in case.get("note", ""),
        )


_Found = Iterator[tuple[str, bool, object, object]]


def _expectations(case: Case, memory: Remembered) -> _Found:
    expect = case["expect"]
    last = max(datetime.fromisoformat(m["at"]) for m in case["messages"])
    current = _values(memory.at(last))
    yield from _present("", expect["has"], expect["not"], current, "")
    unique = expect.get("unique", [])
    for single in [unique] if isinstance(unique, str) else unique:
        yield "unique", sum(contains(v, single) for v in current) <= 1, single, current
    history = _values(memory.facts.values())
    for old in expect["superseded"]:
        gone = not any(contains(v, old) for v in current)
        yield "superseded", gone and any(contains(v, old) for v in history), old, (current, history)
    for past in expect["as_of"]:
        then = _values(memory.at(datetime.fromisoformat(past["valid_at"])))
        yield from _present("as_of ", past["has"], past["not"], then, past["valid_at"][:10])
    if expect["contradiction"] is not None:
        open_ = [
            (c.key, c.stored_value, c.stated_value)
            for c in memory.contradictions.values()
            if c.state is ContradictionState.OPEN
        ]
        wanted = bool(expect["contradiction"])
        yield f"contradiction {str(wanted).lower()}", bool(open_) == wanted, wanted, open_


def _present(prefix: str, has: list[Any], absent: list[str], values: list[str], at: str) -> _Found:
    for want in has:
        options = want["any"] if isinstance(want, dict) else [want]
        found = any(contains(value, option) for value in values for option in options)
        yield f"{prefix}has", found, (at, options[:3]), values
    for bad in absent:
        yield f"{prefix}not", not any(contains(v, bad) for v in values), (at, bad), values


def _print(title: str, shares: dict[str, tuple[int, int]]) -> None:
    line = ", ".join(f"{key} {right}/{all_}" for key, (right, all_) in shares.items())
    sys.stdout.write(f"{title}: {line}\n")


def _show(case: Case, failed: Sequence[Check]) -> None:
    for message in case["messages"]:
        sys.stdout.write(f"    {message['at'][:10]} {message['role']}: {message['text']}\n")
    for check in failed:
        sys.stdout.write(f"  {check.case_id} {check.what}: {check.want}, got {check.got}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the cases of files and print the share that holds, per expectation and per kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=0, help="print up to N failed cases")
    parser.add_argument("--kind", default="", help="only kinds that begin so")
    parser.add_argument("--what", default="", help="show only failures of such expectations")
    parser.add_argument("--id", default="", help="only cases whose id holds this")
    args = parser.parse_args(argv)
    for path in args.files:
        cases = [c for c in load_cases(path) if c["kind"].startswith(args.kind)]
        checks: list[Check] = []
        shown = 0
        for case in (c for c in cases if args.id in c["id"]):
            found = run_case(case)
            checks += found
            failed = [c for c in found if not c.ok and c.what.startswith(args.what)]
            if failed and shown < args.show:
                shown += 1
                _show(case, failed)
        sure = [c for c in checks if not c.doubtful]
        _print(path.name, score(sure))
        _print("   by kind", by_kind(sure))
        _print("   doubtful", score(c for c in checks if c.doubtful))
    return 0


if __name__ == "__main__":
    sys.exit(main())
