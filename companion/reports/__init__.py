"""What can be told of matches: progress, curves, statistics, summaries, entries in lines."""
