"""The time line: events are found when a session ends; from then on they are chosen and ordered."""
