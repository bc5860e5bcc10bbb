"""Decisions about derived records: what is known of a user, and what a run writes."""
