"""How good a response was."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from backstory.core.model.derived.base import Derived


@dataclass(frozen=True, kw_only=True)
class Quality(Derived):
    """The scores of one response of the assistant: two numbers that never mix.

    Attributes:
        message_id: The response.
        output_integrity: How good the response itself is, 0 to 1.
        integrity_parts: What it is made of, each 0 to 1.
        interaction_vitality: How the user took it, 0 to 1; None until the user replies.
        vitality_parts: What it is made of, each 0 to 1.
        feedback: The class of the reply, or None.
        self_check: What a model found, 0 to 1, or None; it is not part of the others.
        self_check_note: Why, in the model's words.
    """

    message_id: str
    output_integrity: float
    integrity_parts: Mapping[str, float] = field(default_factory=dict)
    interaction_vitality: float | None = None
    vitality_parts: Mapping[str, float] = field(default_factory=dict)
    feedback: str | None = None
    self_check: float | None = None
    self_check_note: str = ""

    WHOLE = True

    @property
    def slot(self) -> str:
        """One for each response."""
        return self.message_id
