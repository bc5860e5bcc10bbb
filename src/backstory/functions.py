"""Pure functions for users: no store, no I/O."""

from backstory.core.tokens import token_upper_bound

__all__ = ["token_upper_bound"]
