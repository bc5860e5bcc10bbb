"""The services of what is derived from messages: time line, summaries, feelings and the rest."""

from backstory.bootstrap.facts import FactServices


class DerivedServices(FactServices):
    """What reads and keeps derived records. A part is loaded when it is used first."""
