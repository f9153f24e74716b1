"""Other machines on which the project is tried: roots of Debian, virtual machines, virtual X servers."""
