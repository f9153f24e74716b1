"""Rulings published as they happen, to an MQTT broker that the people of the house run already: docs/publishing.md."""
