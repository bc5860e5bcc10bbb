"""What a reader found beside statements: the guards it passes, and the records it becomes."""
