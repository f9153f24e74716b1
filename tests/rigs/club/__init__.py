"""A club on this computer: a broker, a database, a board and many tables, killed and stopped in mid-load."""
