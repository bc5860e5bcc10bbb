"""Which chapters of a long document are shown when the next one is written."""
