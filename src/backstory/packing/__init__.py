"""Fit sections of items into a budget of tokens: for contexts of chats, and blocks of documents."""
