"""What other memories export: read into statements and messages. Pure."""
