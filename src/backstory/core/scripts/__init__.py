"""Scripts of texts: which letters, which script carries a text, what keeps to its source."""

from backstory.core.scripts.carrier import Carrier, carrier_of
from backstory.core.scripts.guard import same_writing
from backstory.core.scripts.letters import count_scripts, script_of

__all__ = ["Carrier", "carrier_of", "count_scripts", "same_writing", "script_of"]
