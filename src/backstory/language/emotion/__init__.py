"""The feeling that a text shows: pleasant or not, how strong, and which."""

from backstory.language.emotion.model import TAGS, Emotion
from backstory.language.emotion.score import score_emotion

__all__ = ["TAGS", "Emotion", "score_emotion"]
