"""What organisers tell everybody at a ladder, and what authors ask them there."""
