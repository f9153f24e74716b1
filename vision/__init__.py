"""The eye: frames in, sightings of cards on cells out. Knows no turn and no player."""
