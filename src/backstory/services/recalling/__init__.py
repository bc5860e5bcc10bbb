"""Recall: search, and the context that a model gets."""
