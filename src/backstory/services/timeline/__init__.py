"""The time line: events are found when a session ends, and chosen, ordered and shown from then on."""
