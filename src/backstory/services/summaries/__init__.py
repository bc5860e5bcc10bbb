"""Summaries of conversations, days and weeks, and the patterns over many conversations."""
