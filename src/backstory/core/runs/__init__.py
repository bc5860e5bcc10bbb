"""Decisions about runs of consolidation."""
