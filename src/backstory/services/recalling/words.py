"""What a query asks of words, found once for all who search for it in one call."""

from typing import Final

from backstory.core.terms import QueryTerms
from backstory.language.terms import query_terms

_READ_WHOLE: Final = 2500
"""Characters. Of longer queries not all who search read the same."""


def terms_of(query: str | None) -> QueryTerms | None:
    """What a query asks of words; None if there is none, or not all read the same of it."""
    return None if query is None or len(query) > _READ_WHOLE else query_terms(query)
