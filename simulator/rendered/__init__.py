"""A drawn table before a drawn camera: the default where there is none, and the test bed of the eye."""
