"""What the files of a book are: their encoding, their order, the numbers of their chapters."""
