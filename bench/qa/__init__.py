"""Answers from built contexts: any reader, any judge, the same bytes for all readers."""
