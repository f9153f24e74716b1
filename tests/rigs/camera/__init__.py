"""The camera rig: Debian 13 with the real libcamera and picamera2 and a camera that is made of JPEG files."""
