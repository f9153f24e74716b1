"""The witness of Triple³: from sightings to moves, by cases. To be replaced by a tracker."""
