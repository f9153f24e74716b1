"""`make install` and `make uninstall` for real, in a Debian root."""
