"""Finds dated happenings in what a person says. Rules for English, no model."""

from backstory.reading.timeline.finding import find_events

__all__ = ["find_events"]
