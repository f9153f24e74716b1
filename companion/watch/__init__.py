"""A match before a camera: frames and messages in, evidence and rulings out."""
