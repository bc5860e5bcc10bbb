"""Documents in the database: chapters, entities, threads, passages, drafts."""
