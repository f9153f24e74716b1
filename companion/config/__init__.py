"""What people set: table.toml with the line of every key, and where their files are."""
