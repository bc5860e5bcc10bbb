"""The rule reader: patterns of English first-person statements, no model."""
