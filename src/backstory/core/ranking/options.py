"""The constants of the ranking, with what each is worth.

Measured as the share of evidence turns among the first ten, in percent, on two sets of development
conversations: P, people with names (760 questions), and A, a user with an assistant who gives
long answers (355 questions). With all of it P is 81.6 and A 63.4. "P 80.1" beside a constant
means: 80.1 without it. The constants are round, and half or double of any one of them moves P and
A by less than 2.5 points.
"""

from dataclasses import dataclass

from backstory.core.terms import QueryTerms


@dataclass(frozen=True, kw_only=True)
class RankOptions:
    """How the arms are weighed. The defaults are one configuration for every kind of dialogue.

    Attributes:
        k1: BM25's saturation of repeated words, as usual in the literature.
        b: BM25's share of length normalisation, likewise. With 0.4 long answers come first in
            the keyword arm: A 33 instead of 40 by that arm alone.
        most_terms: Query terms that are scored, the rarest first. Bounds the work; 12 would do.
        keyword_weight: Share of the keyword arm; the dense arm has the rest. The dense arm by
            itself: P 73.3, A 59.4; the keyword arm by itself: P 75.4, A 55.0.
        keyword_before: Share of the previous turn's keyword score that a turn inherits; P 80.1,
            A 62.6.
        keyword_after: Share of the next turn's; P 81.1, A 62.4.
        window_weight: Share of the cosine to the mean of a turn and its neighbours; P 79.7, A 63.5.
        short_turn: Words. Longer turns speak for themselves: they inherit, and take from the
            window, in inverse proportion to their length; P 81.2, A 62.4.
        session_weight: Of the mean of the three best turns of the session; P 80.0, A 62.0.
        speaker_bonus: For turns of a speaker whom the query names; P 78.7.
        time_bonus: For turns with an expression of time, where the query asks for one; P 81.3,
            and 0.2 would cost A 0.8.
        date_bonus: For turns of a day that the query names, half of it for the rest of the month;
            P 81.6, and more would gain nothing.
        told_bonus: For turns that place something in time ("last week", "in May"), where the query
            is about time; half of it where it does not ask when.
        beside_bonus: For these, of what their best neighbour is above them, where the query asks
            when.
        told_date_bonus: For turns that tell of a date which the query names.
        wish_bonus: For turns in which a user says how to be answered ("always", "prefer"), where
            the query asks for help: they hold for requests that share no word with them; A 63.9.
        question_malus: For turns that ask, between people with names; P 80.2. Between a user and
            an assistant it would cost A 2, so it does not apply there.
        long_answer: Characters. An assistant's longer answers touch on everything and crowd out
            what the user said, so their scores are multiplied by (long_answer / length) **
            long_answer_power, but by no less than long_answer_floor; A 53.0.
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
    date_bonus: float = 0.2
    told_bonus: float = 0.1
    beside_bonus: float = 0.8
    told_date_bonus: float = 0.2
    wish_bonus: float = 0.2
    question_malus: float = 0.1
    long_answer: int = 500
    long_answer_power: float = 0.3
    long_answer_floor: float = 0.7

    @property
    def most(self) -> float:
        """The highest total that the arms and bonuses of every query can reach."""
        return 1 + self.session_weight + self.speaker_bonus + self.time_bonus

    def reach(self, terms: QueryTerms) -> float:
        """The highest total that a message can reach for a query, the scale of the scores."""
        named = self.date_bonus * bool(terms.dates) + self.told_date_bonus * bool(terms.told)
        told = self.told_bonus * terms.is_temporal
        return self.most + named + told + self.wish_bonus * bool(terms.wishes)
