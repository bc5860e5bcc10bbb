"""What language models are told. The names in the examples belong to nobody and mean nothing."""
