"""What becomes canon: a chapter's reading, checked against the chapter and what is known."""
