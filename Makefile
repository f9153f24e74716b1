# The table companion: what can be done here. `make` alone lists it.

PYTHON ?= python3

.PHONY: help play install uninstall test bench soak attack lint recordings train rig-fresh rig-gpio rig-install rig-camera rig-screen rig-arm64 rig-appliance
.PHONY: ready-to-play ready-to-test ready-to-train

help:
	@sed -n 's/^\([a-z0-9-]*\):.*## /  make \1	/p' Makefile | expand -t 20

play: ready-to-play  ## the table with its five games in a window; without a display bots play, and pictures are kept
	@.venv/bin/companion $(PLAY)

install:  ## make this Pi a table companion: sudo make install; DRY_RUN=1 says what it would do
	@setup/install.sh $(INSTALL)

uninstall:  ## take it away again; the games stay
	@setup/install.sh --uninstall $(INSTALL)

test: ready-to-test  ## all tests; the last line says how many passed
	@.venv/bin/python -m pytest -n auto --maxprocesses 4 --dist worksteal

bench: ready-to-test  ## the numbers that must hold, as ratios and counts
	@.venv/bin/python -m tests.benchmarks

soak: ready-to-test  ## bots play for long, every invariant checked after every move; rulings compared with the sheets
	@.venv/bin/python -m tests.soak

attack: ready-to-test  ## what fingers, disks, sticks, files and brokers could do to a table; ATTACK=word for some of it
	@.venv/bin/python -m tests.attacks $(ATTACK)

lint: ready-to-test  ## ruff and mypy
	@.venv/bin/ruff check . && .venv/bin/ruff format --check --quiet .
	@.venv/bin/mypy

recordings: ready-to-test  ## the moving pictures of README.md, one of each game
	@.venv/bin/python -m companion.display.recordings docs/recordings

train: ready-to-train  ## the reader's model files, from nothing; takes about an hour and 5 GB
	@.venv/bin/python -m vision.train $(TRAIN)

rig-fresh:  ## make test and make play on a bare Debian, in a chroot; needs root and debootstrap
	@$(PYTHON) -m tests.rigs.fresh.bare_debian $(DEBIAN)

rig-gpio:  ## a real GPIO chip in a virtual machine, with real edges; needs root, 1.5 GB and Debian 12
	@$(PYTHON) -m tests.rigs.gpio $(RIG)

rig-install:  ## make install and make uninstall for real, in a Debian 13 root; needs root and debootstrap
	@$(PYTHON) -m tests.rigs.install $(DEBIAN)

rig-camera:  ## the real picamera2 on a camera made of pictures, in a Debian 13 root; needs root and debootstrap
	@$(PYTHON) -m tests.rigs.camera

rig-screen: ready-to-play  ## a newcomer's first minute, and an evening of all games, on virtual X servers; needs xvfb, xdotool, xinput
	@.venv/bin/python -m tests.rigs.firstminute $(PICTURES)
	@.venv/bin/python -m tests.rigs.evening $(EVENING)

rig-appliance:  ## a Debian 13 in a virtual machine becomes a table, plays, hangs, loses its power; needs root, debootstrap, pip, 12 GB
	@$(PYTHON) -m tests.rigs.appliance $(RIG)

rig-arm64:  ## the reader on a Pi's processors, emulated; needs root, debootstrap, pip and 2 GB
	@$(PYTHON) -m tests.rigs.arm64

ready-to-play ready-to-test ready-to-train: ready-to-%:
	@PYTHON='$(PYTHON)' setup/ready.sh $*
