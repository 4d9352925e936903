"""Reading English game prose: words, noun phrases, layout, listings, outcomes."""
