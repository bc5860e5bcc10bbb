"""Facts in time: what a statement does to what is stored. Pure decisions on values."""
