"""Which language a text is in, as far as its script, its letters and its small words tell."""

from backstory.language.identify.deciding import Language, language_of

__all__ = ["Language", "language_of"]
