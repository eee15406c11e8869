"""UCI engines: what they are told, what they do wrong, and what is written of their matches."""
