"""What a turn teaches: one transition goes in, better knowledge comes out."""
