"""The score sheet of a match that is over: what stands on it, the page as PDF, where it is saved, and who prints it."""
