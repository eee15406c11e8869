"""The judge, a process of its own: it builds and checks hand-ins and plays the matches."""
