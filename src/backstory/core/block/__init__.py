"""What goes into the block for the next chapter: which records matter, who may see them, how."""
