"""Moments and textures as lines of a context: our own words first, the user's behind them."""

import json
from datetime import datetime, tzinfo

from backstory.core.feelings.fading import CHARS, Fade, fade_of
from backstory.core.feelings.quoting import bounded
from backstory.core.feelings.register import NEUTRAL
from backstory.core.model.derived import EmotionalMoment, Texture
from backstory.core.rendering import display, escape, render_name, render_time
from backstory.core.text import one_line
from backstory.core.times import date_in, time_in


def render_moment(moment: EmotionalMoment, *, zone: tzinfo) -> str:
    """``- 2024-05-12 grief, fear: "the words"``.

    Args:
        moment: Any moment.
        zone: Its date is shown in it.
    """
    feelings = ", ".join(map(render_name, moment.tags)) or tone_of(moment.valence)
    return f"- {render_time(date_in(moment.at, zone))} {feelings}: {_quoted(moment.quote)}"


def tone_of(valence: float) -> str:
    """A word for a valence."""
    if abs(valence) <= NEUTRAL:
        return "mixed"
    return "pleasant" if valence > 0 else "unpleasant"


def render_texture(texture: Texture, *, zone: tzinfo, now: datetime) -> str:
    """``- 2024-05-12 21:40 (mode coaching; tone even): "what it was about"``; empty once faded.

    Args:
        texture: Any texture.
        zone: Its time is shown in it.
        now: The time of asking: what is left of it fades with the hours since.
    """
    fade = fade_of(now - texture.at)
    if fade is Fade.GONE:
        return ""
    about = []
    if texture.mode is not None:
        about.append(f"mode {render_name(texture.mode)}")
    if texture.register and fade is Fade.FULL:
        about.append(f"tone {escape(one_line(display(texture.register)))}")
    aside = f" ({'; '.join(about)})" if about else ""
    words = _quoted(bounded(texture.throughline, CHARS[fade]))
    return f"- {render_time(time_in(texture.at, zone))}{aside}: {words}"


def _quoted(text: str) -> str:
    return escape(json.dumps(one_line(display(text)), ensure_ascii=False))
