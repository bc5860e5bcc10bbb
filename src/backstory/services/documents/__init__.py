"""Long documents: chapters in, the block for the next chapter out."""
