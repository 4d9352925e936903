"""What is believed: claims and how far they are trusted, what commands come to, models' ratings."""
