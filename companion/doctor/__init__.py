"""`companion doctor`: what every device says, and one file with all that somebody needs to help."""
