"""Which kind of recall a question needs."""

from backstory.core.routing.classify import Routed, classify_retrieval, route
from backstory.core.routing.rules import Profile

__all__ = ["Profile", "Routed", "classify_retrieval", "route"]
