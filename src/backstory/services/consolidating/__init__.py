"""Consolidation: sessions are digested when they end, days and weeks when they are over."""
