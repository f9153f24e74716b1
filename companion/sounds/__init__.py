"""Sound: what the referee says as strikes, verdicts, ticks and, if wanted, words. docs/sound.md explains it."""
