"""The classic games of `examples/classics`: what the literature knows of them, and the laws."""
