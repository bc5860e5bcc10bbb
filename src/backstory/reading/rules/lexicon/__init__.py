"""Closed lists of English nouns that the patterns look at, in lower case."""
