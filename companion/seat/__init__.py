"""What is put together for one match: its session, its devices, and what goes into it by stamp."""
