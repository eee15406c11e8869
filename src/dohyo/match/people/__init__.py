"""People in a match: a match that waits for somebody, and what is known of it while it waits.

`desk.py`: where a person is asked, whatever is behind it; `turns_back.py`: turns that were taken back, and one replay
of all that counts; `sitting.py`: a match in a thread of its own, with people at a page, told as data; `seen.py`: what
of it a seat is told. The kind of player that asks a desk is a guest's (`guests/people/`).
"""
