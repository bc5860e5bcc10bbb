"""Calendar arithmetic: pure functions of dates. Weeks run from Monday to Sunday."""

from calendar import monthrange
from datetime import date, timedelta

from backstory.language.dates.model import Point

SATURDAY = 5


def add_days(day: date, days: int) -> date:
    """The day so many days later."""
    return day + timedelta(days=days)


def add_months(day: date, months: int) -> date:
    """The same day so many months later, or the last day of a month that lacks it."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return clipped(year, month + 1, day.day)


def clipped(year: int, month: int, day: int) -> date:
    """The day of a month, or the month's last day if it has fewer."""
    return date(year, month, min(day, monthrange(year, month)[1]))


def before(day: date, weekday: int) -> date:
    """The latest day with the weekday (0 = Monday) that lies before the day."""
    return add_days(day, -((day.weekday() - weekday - 1) % 7 + 1))


def after(day: date, weekday: int) -> date:
    """The earliest day with the weekday (0 = Monday) that lies after the day."""
    return add_days(day, (weekday - day.weekday() - 1) % 7 + 1)


def in_week(day: date, weekday: int) -> date:
    """The day with the weekday in the same week."""
    return add_days(day, weekday - day.weekday())


def nth_weekday(year: int, month: int, weekday: int, number: int) -> date:
    """The first (1), second (2) … or last (-1) such weekday of a month.

    Raises:
        ValueError: The month has no fifth one.
    """
    if number < 0:
        last = date(year, month, monthrange(year, month)[1])
        return add_days(last, -((last.weekday() - weekday) % 7))
    first = date(year, month, 1)
    days = (weekday - first.weekday()) % 7 + 7 * (number - 1)
    return date(year, month, 1 + days)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (Gauss's rule in the form of Lichtenberg, 1997)."""
    century = year // 100
    secular_moon = 15 + (3 * century + 3) // 4 - (8 * century + 13) // 25
    secular_sun = 2 - (3 * century + 3) // 4
    moon_age = year % 19
    seed = (19 * moon_age + secular_moon) % 30
    correction = seed // 29 + (seed // 28 - seed // 29) * (moon_age // 11)
    full_moon = 21 + seed - correction
    first_sunday = 7 - (year + year // 4 + secular_sun) % 7
    days = full_moon + 7 - (full_moon - first_sunday) % 7
    return add_days(date(year, 3, 1), days - 1)


def shifted(day: date, number: int, unit: str, *, exact: bool = False) -> Point:
    """Count from a day: days and weeks give a day, months a month, years a year.

    Args:
        day: Where to count from.
        number: How many; negative = earlier.
        unit: ``day``, ``night``, ``week``, ``fortnight``, ``month``, ``year``, ``decade`` or
            ``century``.
        exact: Whether months and years give a day too.

    Raises:
        OverflowError: The day is outside the calendar; ValueError likewise.
    """
    days = {"day": 1, "night": 1, "week": 7, "fortnight": 14}.get(unit)
    if days is not None:
        return Point.of(add_days(day, days * number))
    months = {"month": 1, "year": 12, "decade": 120, "century": 1200}[unit] * number
    target = add_months(day, months)
    if exact:
        return Point.of(target)
    return Point(target.year, target.month) if unit == "month" else Point(target.year)
