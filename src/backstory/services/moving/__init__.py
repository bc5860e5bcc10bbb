"""Memories move: exports and imports, of this library and of others."""
