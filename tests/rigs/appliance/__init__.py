"""The appliance rig: a Debian 13 in a virtual machine that installs the table, plays at it, hangs, loses its power."""
