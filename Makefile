# The table companion: what can be done here. `make` alone lists it.

PYTHON ?= python3

.PHONY: help play install uninstall test long check bench calibrate soak attack lint house words recordings train rigs rig-club rig-fresh rig-gpio rig-install rig-camera rig-screen rig-arm64 rig-appliance
.PHONY: ready-to-play ready-to-board ready-to-test ready-to-train

help:
	@sed -n 's/^\([a-z0-9-]*\):.*## /  make \1	/p' Makefile | expand -t 20

play: ready-to-$(if $(BOARD),board,play)  ## the table with its five games in a window; without a display bots play; BOARD=1, the score on a web page; BOARD=lan, on phones
	@.venv/bin/companion $(if $(BOARD),board try $(if $(filter lan,$(BOARD)),--lan) --) $(PLAY)

install:  ## make this Pi a table companion: sudo make install; DRY_RUN=1 says what it would do
	@setup/install.sh $(INSTALL)

uninstall:  ## take it away again; the games stay
	@setup/install.sh --uninstall $(INSTALL)

# What is worth its seconds after each save: the rules, what rests on them, and the small rooms.
CHECKED := core referee match presses calls corrections ties ending entries resume moves clocks codec protocol names fields house_rules \
	telling journal keeping plainfile orders bench dispute buttons tending signals setup room wiring watching \
	head layout library loop past question really reasons remembered round secrets theme
CHECKED_FILES = $(sort $(foreach name,$(CHECKED),$(wildcard tests/test_$(name).py tests/*/test_$(name).py)))

# Compiled modules are kept even where the environment says otherwise: the tests start hundreds of processes.
test long check: export PYTHONDONTWRITEBYTECODE =
# One more at work than there are processors, for some tests wait; but not so many that a Pi runs out of memory.
WORKERS = $(shell cores=$$(nproc); echo $$((cores < 4 ? cores + 1 : 4)))
PYTEST = .venv/bin/python -m pytest -n $(WORKERS) --dist worksteal

test: ready-to-test  ## the tests, in some ten minutes; the last line says how many passed
	@$(PYTEST) -m 'not long'

long: ready-to-test  ## more of what `make test` tries in short: seeds, sizes, pages, deaths
	@$(PYTEST) -m long

check: ready-to-test  ## after each save, in less than 45 s: ruff, mypy, and the tests that say most in a second
	@.venv/bin/ruff check --quiet . && .venv/bin/ruff format --check --quiet .
	@.venv/bin/mypy & types=$$!; $(PYTEST) -m 'not long and not slow' tests/games tests/hardware $(CHECKED_FILES); tests=$$?; \
	wait $$types && exit $$tests

bench: ready-to-test  ## the numbers that must hold, as ratios and counts
	@.venv/bin/python -m tests.benchmarks

calibrate: ready-to-test  ## prior odds and thresholds of watching, counted anew; RECORDED=folder of recorded matches
	@.venv/bin/python -m tests.benchmarks.calibrate $(RECORDED)

soak: ready-to-test  ## bots play for long, every invariant checked after every move; rulings compared with the sheets
	@.venv/bin/python -m tests.soak

attack: ready-to-test  ## what fingers, disks, sticks, files and brokers could do to a table; ATTACK=word for some of it
	@.venv/bin/python -m tests.attacks $(ATTACK)

lint: ready-to-test  ## ruff and mypy, who imports whom, dead code
	@.venv/bin/ruff check . && .venv/bin/ruff format --check --quiet .
	@.venv/bin/mypy
	@.venv/bin/lint-imports --no-logo --cache-dir .cache/imports
	@.venv/bin/vulture

house: ready-to-test  ## sizes, names twice, import laws, dead code, costs, each with its bound
	@.venv/bin/python -m tools.house

words: ready-to-test  ## translations: extract the texts, update and compile the catalogues, list what is missing
	@.venv/bin/python -m tools.translations

recordings: ready-to-test  ## the moving pictures of README.md, one of each game
	@.venv/bin/python -m tools.recordings docs/recordings

train: ready-to-train  ## the reader's model files, from nothing; takes about an hour and 5 GB
	@.venv/bin/python -m tools.train $(TRAIN)

rigs: ready-to-play  ## all rigs below, one after the other, and which of them are good; those that lack something say what
	@$(PYTHON) -m tests.rigs $(RIGS)

rig-fresh:  ## make test and make play on a bare Debian, in a chroot; needs root and debootstrap
	@$(PYTHON) -m tests.rigs fresh $(DEBIAN)

rig-gpio:  ## a real GPIO chip in a virtual machine, with real edges; needs root, debootstrap, pip and 5 GB
	@$(PYTHON) -m tests.rigs gpio $(RIG)

rig-install:  ## make install and make uninstall for real, in a Debian 13 root; needs root and debootstrap
	@$(PYTHON) -m tests.rigs install $(DEBIAN)

rig-camera:  ## the real picamera2 on a camera made of pictures, in a Debian 13 root; needs root and debootstrap
	@$(PYTHON) -m tests.rigs camera $(RIG)

rig-screen: ready-to-play  ## a newcomer's first minute, and an evening of all games, on virtual X servers; needs xvfb, xdotool, xinput
	@$(PYTHON) -m tests.rigs firstminute $(PICTURES)
	@$(PYTHON) -m tests.rigs evening $(EVENING)

rig-club: ready-to-test  ## a club on this computer, while broker, board and database die; needs mosquitto and postgresql; CLUB=
	@$(PYTHON) -m tests.rigs club $(CLUB)

rig-appliance:  ## a Debian 13 in a virtual machine becomes a table, plays, hangs, loses its power; needs root, debootstrap, pip, 14 GB
	@$(PYTHON) -m tests.rigs appliance $(RIG)

rig-arm64:  ## the reader on a Pi's processors, emulated; needs root, debootstrap, pip and 4 GB
	@$(PYTHON) -m tests.rigs arm64 $(RIG)

ready-to-play ready-to-board ready-to-test ready-to-train: ready-to-%:
	@PYTHON='$(PYTHON)' setup/ready.sh $*
