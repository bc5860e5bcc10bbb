"""How many cases a proof tries."""

from hypothesis import settings


def cases(few: int, many: int) -> int:
    """``few`` in ``make test``, ``many`` in ``make soak``, which loads the profile soak."""
    return many if settings.get_current_profile_name() == "soak" else few
