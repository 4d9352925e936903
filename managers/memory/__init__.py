"""What episodes of a story leave to later ones: distilled, merged, recalled, followed."""
