"""A terminal as a person sees it: the live view, the keyboard, and what is going on."""
