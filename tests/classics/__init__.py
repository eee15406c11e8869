"""The classic games of `dohyo.classics`: what the literature knows of them, and the laws."""
