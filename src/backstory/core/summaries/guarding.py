"""What of a model's summary is taken: nothing that is not about its own source. Pure."""

import re
from typing import Final

from backstory.core.content import is_blank
from backstory.core.continuity.prose import sentences
from backstory.core.scripts import same_writing
from backstory.core.text import clean, one_line

MOST_CHARS: Final = 600
"""Of the summary of a session, in characters, whoever makes it."""
_LETTER: Final = re.compile(r"[^\W_]")
_UNSPACED_END: Final = ("\u3002", "\uff01", "\uff1f", "\u300d", "\u300f")


def checked_text(said: str, source: str, most_chars: int = MOST_CHARS) -> str | None:
    """The text of a model as a summary of its source, or None if it cannot be one.

    It is written in the script of its own source, on one line, and of whole sentences; what is too
    long loses its last sentences.

    Args:
        said: The model's text.
        source: What was summarised, as the model saw it.
        most_chars: The longest summary.
    """
    text = one_line(clean(said)).strip()
    if is_blank(text) or not _LETTER.search(text) or not same_writing(text, source):
        return None
    if len(text) <= most_chars:
        return text
    kept = ""
    for one in sentences(text):
        gap = "" if not kept or kept.endswith(_UNSPACED_END) else " "
        if len(kept) + len(gap) + len(one.text) > most_chars:
            break
        kept = f"{kept}{gap}{one.text}"
    return kept or None
