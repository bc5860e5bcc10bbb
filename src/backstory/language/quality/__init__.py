"""How good a response is, and how the user took it: two numbers by rules, which never mix."""

from backstory.language.quality.feedback import Feedback, feedback_of
from backstory.language.quality.integrity import Integrity, score_integrity
from backstory.language.quality.vitality import Vitality, score_vitality

__all__ = [
    "Feedback",
    "Integrity",
    "Vitality",
    "feedback_of",
    "score_integrity",
    "score_vitality",
]
