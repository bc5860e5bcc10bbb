"""How the user feels: of each message, at strong moments, and where a conversation was left off."""
