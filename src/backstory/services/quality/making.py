"""From exchanges to scores."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.fence import strip_memory
from backstory.core.model.derived import Quality
from backstory.core.model.fact import USER, Evidence, Fact
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.core.quality import Exchange, quality_id
from backstory.language.quality import score_integrity, score_vitality
from backstory.ports.facts import FactFilter
from backstory.ports.store import Store

_OWN = FactFilter(subject=USER)


async def known_facts(store: Store, scope: Scope, response: Message) -> list[Fact]:
    """What was known of the user when a response was given."""
    return await store.facts.as_of(scope, response.timestamp, response.recorded_at, _OWN)


def quality_of(
    scope: Scope,
    exchange: Exchange,
    facts: list[Fact],
    *,
    mode: str | None,
    now: datetime,
) -> Quality:
    """Score a response, and the reply to it if there is one.

    Args:
        scope: Whose.
        exchange: What was said.
        facts: What was known of the user then.
        mode: That of the session.
        now: The time of scoring.
    """
    response = exchange.response
    found = score_integrity(
        strip_memory(response.text),
        prompt=strip_memory(exchange.prompt),
        facts=facts,
        used_tools=exchange.used_tools,
    )
    record = Quality(
        id=quality_id(scope, response.id),
        user_id=scope.user_id,
        at=response.timestamp,
        recorded_at=now,
        session_id=response.session_id or None,
        evidence=_behind(*(m for m in exchange.stored if m is not exchange.reply)),
        message_id=response.id,
        mode=mode,
        output_integrity=found.score,
        integrity_parts=found.parts,
    )
    return with_reply(record, exchange)


def replies_to(book: DerivedBook, exchanges: Sequence[Exchange], now: datetime) -> DerivedPlan:
    """Score the replies to responses that were scored before them."""
    put = []
    for exchange in exchanges:
        known = book.in_slot(Quality, exchange.response.id)
        if known is not None and known.interaction_vitality is None and exchange.reply:
            put.append(with_reply(replace(known, recorded_at=now), exchange))
    seen = tuple(message for exchange in exchanges for message in exchange.stored)
    return DerivedPlan(put=tuple(put), seen=seen)


def with_reply(record: Quality, exchange: Exchange) -> Quality:
    """A record with the score of the reply, if there is one."""
    reply = exchange.reply
    if reply is None:
        return record
    return replied(
        record,
        strip_memory(reply.text),
        prompt=strip_memory(exchange.prompt),
        delay_s=(reply.timestamp - exchange.response.timestamp).total_seconds(),
        at=reply.timestamp,
        evidence=_behind(reply),
    )


def replied(
    record: Quality,
    reply: str,
    *,
    prompt: str,
    delay_s: float | None,
    at: datetime | None,
    evidence: tuple[Evidence, ...] = (),
) -> Quality:
    """A record with the score of a reply; its integrity is not touched."""
    found = score_vitality(reply, prompt=prompt, delay_s=delay_s)
    return replace(
        record,
        interaction_vitality=found.score,
        vitality_parts=found.parts,
        feedback=str(found.feedback),
        replied_at=at,
        evidence=(*record.evidence, *evidence),
    )


def _behind(*messages: Message) -> tuple[Evidence, ...]:
    # without the words: the scores go with the messages, and say nothing of them
    return tuple(Evidence(message_id=message.id, quote="") for message in messages)
