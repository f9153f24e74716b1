"""`make test` and `make play` on a bare Debian."""
