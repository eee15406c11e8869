"""The steps, in the order that their revisions say."""
