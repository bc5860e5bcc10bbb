"""Puts a memory together: settings choose the adapters, the adapters make the services.

The only package that knows all sides.
"""

from backstory.bootstrap.opening import open_services, system_clock, system_ids, token_counter
from backstory.bootstrap.services import Services

__all__ = ["Services", "open_services", "system_clock", "system_ids", "token_counter"]
