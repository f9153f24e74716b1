"""A newcomer's first minute in the window of `make play`, on an X server that nobody looks at."""
