"""What all results have in common: frozen, and able to become JSON."""

from dataclasses import fields
from datetime import date, datetime
from typing import Any


class Record:
    """Base of the result types (frozen dataclasses)."""

    def to_dict(self) -> dict[str, Any]:
        """Give JSON-ready data: ISO 8601 times, lists and plain dicts."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}  # type: ignore[arg-type]


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
