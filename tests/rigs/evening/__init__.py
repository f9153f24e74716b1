"""A newcomer's evening: all five games in a real window on a virtual X server, by pointer and keys."""
