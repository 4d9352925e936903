"""Reading English game prose: words, noun phrases, layout, things, outcomes."""
