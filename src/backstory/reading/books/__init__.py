"""Books in files: a folder of texts, one Markdown or text file, an EPUB."""
