"""The camera: frames in, sightings of cards on cells out. Knows no turn. Nothing has moved in yet."""
