"""Decisions about summaries: what is stored, what stays, and what of a model's text is taken."""
