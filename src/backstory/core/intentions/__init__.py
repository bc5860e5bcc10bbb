"""Decisions about intentions: saving, bringing up once a day, resolving. Pure."""

from backstory.core.intentions.bringing_up import bring_up, preview, take_back
from backstory.core.intentions.changing import confirm, erase, resolve
from backstory.core.intentions.lines import prompt_of, render_intention
from backstory.core.intentions.listing import OPEN, SHOWN, known, listed
from backstory.core.intentions.saving import new_proposals, same_as, save

__all__ = [
    "OPEN",
    "SHOWN",
    "bring_up",
    "confirm",
    "erase",
    "known",
    "listed",
    "new_proposals",
    "preview",
    "prompt_of",
    "render_intention",
    "resolve",
    "same_as",
    "save",
    "take_back",
]
