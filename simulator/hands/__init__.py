"""What hands do on the simulated table, whatever is played: visits, and scripts of them as files."""
