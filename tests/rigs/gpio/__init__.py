"""The GPIO rig: Debian's kernel under QEMU with gpio-sim, a real gpiochip, real edges and the project inside."""
