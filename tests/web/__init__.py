"""The replay viewer: what travels to the page, and what a browser shows of it."""
