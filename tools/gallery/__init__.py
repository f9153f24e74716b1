"""Every screen in its usual and in its hardest states, to look at and to test."""
