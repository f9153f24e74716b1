"""What comes into a match: lines of JSON, presses of buttons, and the inbox that merges both by their stamps."""
