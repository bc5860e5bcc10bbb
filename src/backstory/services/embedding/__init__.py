"""Vectors: made, filled in, moved to another embedder, and what their similarities mean."""
