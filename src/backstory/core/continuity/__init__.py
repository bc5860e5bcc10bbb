"""What contradicts what: a text against what a document says before it."""
