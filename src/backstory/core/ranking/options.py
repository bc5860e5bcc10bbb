"""The constants of the ranking, each with what it gained on development conversations."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class RankOptions:
    """How the arms are weighed. The defaults are one configuration for every kind of dialogue.

    Attributes:
        k1: BM25's saturation of repeated words.
        b: BM25's share of length normalisation.
        most_terms: Query terms that are scored, the rarest first.
        keyword_weight: Share of the keyword arm; the dense arm has the rest.
        keyword_before: Share of the previous turn's keyword score that a turn inherits.
        keyword_after: Share of the next turn's.
        window_weight: Share of the cosine to the mean of a turn and its neighbours.
        session_weight: Of the mean of the three best turns of the session.
        speaker_bonus: For turns of a speaker whom the query names.
        time_bonus: For turns with an expression of time, where the query asks for one.
        question_malus: For turns that ask, between people with names.
        long_answer_factor: On the scores of the longest answers of an assistant.
    """

    k1: float = 1.2
    b: float = 0.5
    most_terms: int = 32
    keyword_weight: float = 0.4
    keyword_before: float = 0.35
    keyword_after: float = 0.2
    window_weight: float = 0.4
    session_weight: float = 0.2
    speaker_bonus: float = 0.15
    time_bonus: float = 0.1
    question_malus: float = 0.1
    long_answer_factor: float = 0.7

    @property
    def most(self) -> float:
        """The highest total that the arms and bonuses can reach, the scale of the scores."""
        return 1 + self.session_weight + self.speaker_bonus + self.time_bonus
