"""The constants of the ranking, with what each gains.

Measured as recall of evidence turns among the first ten, in percent, on two sets of development
conversations: people with names (760 questions; 81.7 with all of it) and a user with an assistant
who gives long answers (355 questions; 63.5). The constants are round because their neighbours do
as well: half or double of any one of them moves recall by less than two points.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class RankOptions:
    """How the arms are weighed. The defaults are one configuration for every kind of dialogue.

    Attributes:
        k1: BM25's saturation of repeated words, as usual in the literature.
        b: BM25's share of length normalisation, likewise. 0.4 costs the assistant's users 7 in
            the keyword arm alone: the longest answers come first.
        most_terms: Query terms that are scored, the rarest first; bounds the work, costs nothing.
        keyword_weight: Share of the keyword arm; the dense arm has the rest. Alone they reach
            75 and 53 (keyword), 68 and 59 (dense).
        keyword_before: Share of the previous turn's keyword score that a turn inherits.
        keyword_after: Share of the next turn's. Both together: 79.1 -> 80.7.
        window_weight: Share of the cosine to the mean of a turn and its neighbours; 79.3 -> 80.7.
        short_turn: Words. Longer turns speak for themselves: they inherit, and take from the
            window, in inverse proportion to their length. With an assistant: 61.4 -> 62.7.
        session_weight: Of the mean of the three best turns of the session; 79.9 -> 80.7.
        speaker_bonus: For turns of a speaker whom the query names.
        time_bonus: For turns with an expression of time, where the query asks for one.
        question_malus: For turns that ask, between people with names; 80.0 -> 80.7.
        long_answer: Characters. An assistant's longer answers touch on everything and crowd out
            what the user said, so their scores are multiplied by (long_answer / length) **
            long_answer_power, but by no less than long_answer_floor: 50.8 -> 62.2.
        long_answer_power: See there.
        long_answer_floor: See there.
    """

    k1: float = 1.2
    b: float = 0.75
    most_terms: int = 32
    keyword_weight: float = 0.35
    keyword_before: float = 0.35
    keyword_after: float = 0.2
    window_weight: float = 0.4
    short_turn: int = 40
    session_weight: float = 0.25
    speaker_bonus: float = 0.2
    time_bonus: float = 0.1
    question_malus: float = 0.1
    long_answer: int = 500
    long_answer_power: float = 0.3
    long_answer_floor: float = 0.7

    @property
    def most(self) -> float:
        """The highest total that the arms and bonuses can reach, the scale of the scores."""
        return 1 + self.session_weight + self.speaker_bonus + self.time_bonus
