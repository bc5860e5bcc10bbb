"""Readers: from messages to statements."""
