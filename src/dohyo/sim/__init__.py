"""The rules in batch: the same functions, compiled over arrays of records. Needs the extra `fast`."""
