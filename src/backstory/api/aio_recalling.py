"""The calls that recall."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any, Literal

from backstory.api.aio_opened import _Opened
from backstory.api.fact_inputs import count_of, optional_instant
from backstory.api.inputs import budget_of, key_of, recall_of, seconds_of, sources_of, zone_of
from backstory.core.identity import check_optional_id
from backstory.core.model.context import Context
from backstory.core.model.recall import Hits, Recall
from backstory.core.shape import for_search
from backstory.core.text import clean
from backstory.core.times import check_zone, date_in, parse_instant
from backstory.errors import ConfigurationError, InvalidInputError
from backstory.ports.chat_model import Completion, Prompt
from backstory.services.recalling.requests import Question, Request

_KINDS = ("all", "messages", "facts", "conversations", "events")


class _Recalling(_Opened):
    """The way out."""

    async def search(
        self,
        query: str,
        *,
        user_id: str,
        kind: Literal["all", "messages", "facts", "conversations", "events"] = "all",
        top_k: int | None = None,
        threshold: float | None = None,
        recall: Recall | None = None,
        exclude_session_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
        valid_at: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_history: bool = False,
        explain: bool = False,
    ) -> Hits:
        """Find what a user's memory holds about something.

        Args:
            query: A question or some words; it is data, never query syntax. Of more than 2,500
                characters the first 2,000 and last 500 are embedded, cut at word borders.
            user_id: Whose memory is searched.
            kind: "messages", "facts", or "all": both, by their scores. "conversations" finds whole
                sessions by their words, their nearest turn, their centroid and their summary;
                "events" what is on the time line.
            top_k: How many hits, 1 to 10,000; None = ``recall.top_k``, else 10.
            threshold: Least raw cosine, 0 to 1; a message that holds a word of the query passes.
                None = ``recall.threshold``, else none.
            recall: Overrides of what the route of the query says (``classify_retrieval``).
            exclude_session_id: Leaves the messages of one session out.
            filters: Conditions on messages, applied before the cut to ``top_k``; see
                ``parse_filter``. With filters, "all" finds messages only: facts have none of these.
                A conversation counts if one of its messages passes, an event if its own does.
            valid_at: Facts that were true then; None = now.
            known_at: What was known then, messages as they read then; None = now.
            include_history: Past facts too; their ``status`` says what became of them.
            explain: Whether each hit says why it is there.

        Returns:
            Hits, best first, ``top_k`` of them whenever so many messages pass the filters and no
            threshold is set. None for a blank query. ``degraded`` says what was missing.

        Raises:
            InvalidInputError: An argument is outside its range.
        """
        if kind not in _KINDS:
            raise InvalidInputError(f"kind must be one of {', '.join(_KINDS)}, not {kind!r}")
        chosen = recall_of(recall, top_k, threshold)
        asked = clean(query, "query")
        request = Request(
            scope=self._scope(user_id),
            query=asked,
            shape=for_search(asked, chosen),
            threshold=chosen.threshold,
            keyword=chosen.keyword,
            dense=chosen.dense,
            filters=filters,
            exclude_session_id=check_optional_id(exclude_session_id, "exclude_session_id"),
            valid_at=optional_instant(valid_at, "valid_at"),
            known_at=optional_instant(known_at, "known_at"),
            include_history=include_history,
            explain=explain,
            now=self._clock.now(),
        )
        services = await self._open()
        return await services.search.search(kind, request, self._clock.now())

    async def context(
        self,
        user_id: str,
        query: str | None = None,
        *,
        max_tokens: int | None = None,
        session_id: str | None = None,
        sources: Sequence[str] | None = None,
        recall: Recall | None = None,
        count_tokens: str | Callable[[str], int] | None = None,
        filters: Mapping[str, Any] | None = None,
        valid_at: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_history: bool = False,
        include_intention: bool = False,
        max_facts: int = 30,
        mode: str | None = None,
        speaker: str | None = None,
        channel: str | None = None,
        now: datetime | str | None = None,
        timezone: str | tzinfo = "UTC",
        timeout_s: float = 5.0,
    ) -> Context:
        """Build the memory block for a prompt, never larger than its budget.

        Args:
            user_id: Whose memory it is.
            query: What the answer is about, usually the user's last message; None or blank =
                this conversation's turns, and the facts that were said last.
            max_tokens: The budget, 0 or more: ``count_tokens(context.text) <= max_tokens``,
                headings included. None = 3,200.
            session_id: The current conversation. Its turns then come from the recent turns only,
                never from recall. None = the user's open one.
            sources: Which sources to ask, by name ("facts", "contradictions", "intention",
                "texture", "observations", "emotions", "summaries", "timeline", "graph", "recalled",
                "recent"); None = all that are on.
            recall: Overrides of what the route of the query says.
            count_tokens: A counter's name (see the setting ``token_counter``) or a function from
                text to int; None = the setting.
            filters: Conditions on recalled messages.
            valid_at: Facts that were true then; None = at ``known_at``, else now.
            known_at: Build it of what could be known then: messages as they read, facts as they
                were believed, contradictions that were open. None = now.
            include_history: Past facts too, marked by what became of them.
            include_intention: Whether an open intention is brought up, at most one on a day of
                ``timezone``: a side effect, see ``memory.intentions.get_prompt``. With ``known_at``
                nothing is counted. (Naming the source "intention" asks for it too.)
            max_facts: Most facts, 0 or more.
            mode: Of this conversation: where the last one of the same mode, speaker and channel was
                left off is shown. None = as in its session. So for the next two.
            speaker: Of this conversation.
            channel: Of this conversation.
            now: The time of asking; None = ``known_at``, else now. It shows as a date: the text is
                the same all day.
            timezone: Dates are shown in it: an IANA name or a tzinfo.
            timeout_s: Time limit of each source; one that is late costs only its section.

        Raises:
            InvalidInputError: An argument is outside its range.
            BudgetError: The counter counts the empty text above the budget.
        """
        asked = now if now is not None else known_at
        moment = self._clock.now() if asked is None else parse_instant(asked, "now")
        zone = check_zone(await zone_of(timezone), moment)
        key = key_of(mode, speaker, channel)
        counter = await self._counter(count_tokens or self._settings.token_counter)
        question = Question(
            scope=self._scope(user_id),
            query=None if query is None else clean(query, "query"),
            recall=recall_of(recall, None, None),
            filters=filters,
            session_id=check_optional_id(session_id, "session_id"),
            timezone=zone,
            now=moment,
            valid_at=optional_instant(valid_at, "valid_at"),
            known_at=optional_instant(known_at, "known_at"),
            include_history=include_history,
            max_facts=count_of(max_facts, "max_facts"),
            max_tokens=budget_of(max_tokens),
            mode=key.mode,
            speaker=key.speaker,
            channel=key.channel,
        )
        limit = seconds_of(timeout_s)
        services = await self._open()
        return await services.context.build(
            question,
            max_tokens=question.max_tokens,
            count=counter,
            names=sources_of(sources, services.context.names, include_intention=include_intention),
            timeout_s=limit,
            today=date_in(moment, zone),
        )

    async def complete(self, prompt: Prompt) -> Completion:
        """Ask the language model that this memory is set up with, once. Nothing is stored.

        Args:
            prompt: What is asked: ``system`` takes the instructions and a context, ``user`` what
                was said.

        Raises:
            ConfigurationError: No language model is set.
            ModelError: It refused, failed, was too slow, or its answer was cut off.
        """
        if not isinstance(prompt, Prompt):
            raise InvalidInputError(f"prompt must be a Prompt, not {type(prompt).__name__}")
        services = await self._open()
        if services.model is None:
            raise ConfigurationError(
                "no language model is set; give llm= or set BACKSTORY_LLM, such as "
                '"openai:gpt-5-mini"'
            )
        return await services.model.complete(prompt)
