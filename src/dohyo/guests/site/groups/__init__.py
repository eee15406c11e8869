"""Classes of students: who is in one, the gradebook that it came from, and points back into it."""
