"""Reads chapters of documents: by rules, or with a language model."""
