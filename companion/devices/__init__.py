"""The devices of a table, supervised: buttons, camera, disk, screens, the watchdog, the lock."""
