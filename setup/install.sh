#!/bin/sh
# Makes this machine a table companion, or makes it one no longer. `make install` and `make uninstall` run it.
#
#   setup/install.sh                  everything; again: the newer version, with the games kept
#   setup/install.sh --uninstall      everything away but the games and table.toml
#   setup/install.sh --uninstall --games-too
#   --dry-run (or DRY_RUN=1)          says what it would do, needs no root and changes nothing
#   --console, --desktop              instead of finding out which of the two this machine is
#   --no-apt                          installs no packages of the system
#   --no-start                        does not start the table at the end
#
# What apt and pip said is in /var/log/companion-install.log. docs/appliance.md tells the rest.
set -eu
umask 022
# What apt and pip say is looked at for signs.
export LC_ALL=C.UTF-8
unset LANGUAGE

cd "$(dirname "$0")/.."
source=$(pwd -P)
home=/opt/companion
app=$home/app
venv=$home/venv
settings=/etc/companion
state=/var/lib/companion
units=/etc/systemd/system
user=companion
log=/var/log/companion-install.log
needs_mb=1200       # for everything, ...
needs_mb_again=150  # ... and for a newer version of the programs

dry=${DRY_RUN:-}
do=install
kind=
with_apt=1
with_start=1
games_too=

stop() {
    printf '%s\n' "$1" >&2
    exit 2
}

for option in "$@"; do
    case $option in
    --dry-run) dry=1 ;;
    --uninstall) do=uninstall ;;
    --games-too) games_too=1 ;;
    --console) kind=console ;;
    --desktop) kind=desktop ;;
    --no-apt) with_apt= ;;
    --no-start) with_start= ;;
    *) stop "setup/install.sh knows no $option; its first lines say what it knows." ;;
    esac
done
if [ "$dry" = 0 ]; then dry=; fi
if [ -n "$games_too" ] && [ "$do" = install ]; then stop "--games-too is for --uninstall."; fi

# --- Saying and doing

say() { printf '%s\n' "$1"; }

step() { say "${dry:+would: }$1"; }

run() {
    # A command whose words are of interest only when it fails.
    if [ -n "$dry" ]; then
        say "         $*"
        return
    fi
    printf '\n$ %s\n' "$*" >>"$log"
    "$@" >>"$log" 2>&1 || explain "$*"
}

explain() {
    if tail -n 40 "$log" | grep -qE 'No space left on device'; then
        stop "The disk is full: make room, then run make install again (details in $log)."
    elif tail -n 40 "$log" | grep -qE 'NewConnection|NameResolution|Temporary failure resolving|Could not connect|ConnectTimeout|ReadTimeout|Network is unreachable'; then
        stop "The network cannot be reached: connect to it, then run make install again (details in $log)."
    elif tail -n 40 "$log" | grep -qE 'Could not get lock|Unable to acquire the dpkg'; then
        stop "Another program installs packages just now: wait for it, then run make install again."
    fi
    stop "This did not work: $1. The end of $log says why; run make install again when it is mended."
}

has_systemd() { [ -d /run/systemd/system ]; }

# --- What it needs

look_around() {
    [ -r /etc/os-release ] || stop "This system does not say what it is: Raspberry Pi OS or Debian, 12 or 13, is needed."
    # shellcheck disable=SC1091
    os=$(. /etc/os-release && echo "${ID:-} ${VERSION_CODENAME:-}")
    case $os in
    "debian bookworm" | "raspbian bookworm" | "debian trixie" | "raspbian trixie") ;;
    *) stop "The table companion is installed on Raspberry Pi OS or Debian, Bookworm or Trixie, and this is $os: make play works elsewhere." ;;
    esac
    command -v systemctl >/dev/null || stop "There is no systemd here, which has to start the table: make play works without it."
    for part in companion hardware simulator vision models systemd setup pyproject.toml constraints.txt; do
        [ -e "$part" ] || stop "$source has no $part: run make install from the whole project."
    done
    if [ "$source" = "$app" ]; then stop "This is what is installed already: run make install from where the project was fetched to."; fi
    if [ -z "$dry" ] && [ "$(id -u)" != 0 ]; then stop "Only root may do that: sudo make install (make install DRY_RUN=1 says what it would do)."; fi
    if [ "$do-$(dpkg --print-architecture)" = install-armhf ] && [ "${os#* }" = trixie ]; then
        say "  For this 32-bit system there is no LiteRT: cards cannot be read, and Triple³ is played by touch. With 64 bits it sees."
    fi
    if [ "$(findmnt -no FSTYPE / 2>/dev/null || true)" = overlay ] && [ -z "$dry" ]; then
        stop "This system is read-only (an overlay in memory): switch that off with raspi-config, restart, and run this again."
    fi
    free=$(df -Pm "$(nearest "$home")" | awk 'NR == 2 { print $4 }')
    if [ -e "$venv/bin/python" ]; then needs_mb=$needs_mb_again; fi
    if [ "$do" = install ] && [ "$free" -lt "$needs_mb" ]; then
        stop "$needs_mb MB have to be free for $home, and $free MB are: make room first."
    fi
    if [ -z "$kind" ]; then
        kind=console
        if has_desktop; then kind=desktop; fi
    fi
}

has_desktop() {
    [ "$(systemctl get-default 2>/dev/null || true)" = graphical.target ] && [ -e "$units/display-manager.service" ]
}

nearest() {
    # The folder itself, or the first above it that is there.
    folder=$1
    while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
    echo "$folder"
}

# shellcheck source=setup/board.sh
. setup/board.sh

# --- Installing

needed="python3 python3-venv python3-numpy python3-pygame python3-opencv fonts-dejavu-core"
# Without one of these something is missing at the table, and the game goes on.
welcome="python3-picamera2 libcamera-ipa python3-libgpiod python3-gpiozero python3-lgpio python3-reportlab python3-paho-mqtt
    libgl1-mesa-dri libegl1 libgbm1 libgles2 espeak-ng fonts-noto-core"

install_packages() {
    if [ -z "$with_apt" ]; then return; fi
    step "install packages of the system by apt"
    if [ -z "$dry" ]; then
        run apt-get update
    fi
    found=
    # shellcheck disable=SC2086
    for name in $welcome; do
        if has_package "$name"; then found="$found $name"; else lacks "$name"; fi
    done
    # shellcheck disable=SC2086
    run env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $needed $found
}

has_package() { apt-cache policy "$1" 2>/dev/null | grep -qE '^  Candidate: [0-9]'; }

lacks() {
    case $1 in
    python3-picamera2) say "  This system's packages have no $1: the Pi's own camera cannot be used, a USB camera can." ;;
    python3-libgpiod | python3-gpiozero | python3-paho-mqtt | python3-reportlab) ;; # pip has it
    libcamera-ipa) ;; # goes with picamera2, of which was spoken
    *) say "  This system's packages have no $1; the table does without it." ;;
    esac
}

copy_project() {
    step "copy the project to $app"
    run mkdir -p "$home"
    run rm -rf "$app.new"
    run mkdir "$app.new"
    # Of the pages the words alone: what is said on the screen and in the log points to them.
    for part in companion hardware simulator vision models setup systemd docs/*.md docs/*.toml pyproject.toml constraints.txt README.md LICENSE; do
        if [ ! -e "$part" ]; then continue; fi
        run mkdir -p "$app.new/$(dirname "$part")"
        run cp -r "$part" "$app.new/$(dirname "$part")/"
    done
    run find "$app.new" -name __pycache__ -prune -exec rm -rf {} +
    run chmod -R u=rwX,go=rX "$app.new"
    run chown -R root:root "$app.new"
}

make_venv() {
    step "make a Python for it in $venv, with what the system's packages lack"
    # An upgrade of the system may have brought another Python.
    if [ -z "$dry" ] && ! { "$venv/bin/python" -c 'import pip' && grep -qx 'home = /usr/bin' "$venv/pyvenv.cfg"; } 2>/dev/null; then
        pause_table
        rm -rf "$venv"
    fi
    if [ ! -e "$venv/bin/python" ]; then
        # The system's own, which sees what apt has installed, whatever else is called python3 here.
        run /usr/bin/python3 -m venv --system-site-packages "$venv"
    fi
    if [ -n "$dry" ]; then
        say "         pip install LiteRT, and what else is too old or not there"
        return
    fi
    "$venv/bin/python" -c 'import pygame' >>"$log" 2>&1 ||
        stop "The system's pygame is missing: apt install python3-pygame, then run this again (details in $log)."
    missing=$("$venv/bin/python" -I setup/missing.py)
    if [ -n "$missing" ]; then
        pause_table
        "$venv/bin/python" -I setup/missing.py constraints.txt >"$venv/pins.txt"
        # shellcheck disable=SC2086
        pip_install -c "$venv/pins.txt" $missing
    fi
}

pip_install() {
    # shellcheck disable=SC2086
    run env PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_ROOT_USER_ACTION=ignore "$venv/bin/python" -m pip install \
        ${WHEELS:+--no-index --find-links "$WHEELS"} --only-binary :all: --no-warn-script-location "$@"
}

# --- The new version in the place of the old one

was_running=
is_swapped=
pause_table() {
    # A match that runs is paused and kept.
    if ! has_systemd || [ -n "$was_running" ]; then return; fi
    if systemctl --quiet is-active companion.service; then
        was_running=1
        run systemctl stop companion.service
    fi
    in_sessions stop
}

in_sessions() {
    # What is asked of the table in the session of every desktop that there is.
    if [ -n "$dry" ] || [ ! -e /etc/systemd/user/companion-desktop.service ]; then return; fi
    for runtime in /run/user/*; do
        who=$(id -nu "${runtime##*/}" 2>/dev/null) || continue
        if [ -S "$runtime/bus" ]; then
            runuser -u "$who" -- env "XDG_RUNTIME_DIR=$runtime" "DBUS_SESSION_BUS_ADDRESS=unix:path=$runtime/bus" \
                systemctl --user "$1" companion-desktop.service >>"$log" 2>&1 || true
        fi
    done
}

go_back() {
    # Whatever went wrong, there is a table as there was one.
    code=$?
    trap - EXIT
    if [ "$code" = 0 ]; then return; fi
    if [ -e "$app.old" ] && { [ -n "$is_swapped" ] || [ ! -e "$app" ]; }; then
        rm -rf "$app"
        mv "$app.old" "$app"
    fi
    if [ -n "$was_running" ]; then
        try_anew
        systemctl start companion.service || true
    fi
    exit "$code"
}

try_anew() {
    # One that systemd has given up may be started again.
    systemctl reset-failed companion.service 2>/dev/null || true
}

put_in_place() {
    step "put the new version in the place of the old one"
    if [ -z "$dry" ]; then
        # By itself: nothing is written beside it, nor taken from elsewhere.
        run env -u PYTHONPATH PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" -I -c 'import sys
sys.path.insert(0, sys.argv[1])
import companion.display.loop, companion.commands.table_opening, companion.inputs.presses, companion.devices.supervisor, companion.seat.watched_table' "$app.new"
    fi
    # What takes the place has to outlast a pulled plug, not only its name.
    run sync
    pause_table
    if [ -e "$app" ]; then
        run rm -rf "$app.old"
        is_swapped=1
        run mv "$app" "$app.old"
    fi
    run mv "$app.new" "$app"
    if [ -n "$dry" ]; then return; fi
    # The project needs no building: its folders are named to the Python that runs it.
    packages=$("$venv/bin/python" -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    printf '%s\n' "$app" >"$packages/companion-app.pth"
    cat >"$venv/bin/companion" <<-END
	#!$venv/bin/python
	import sys
	from companion.__main__ import main
	sys.exit(main())
	END
    chmod 755 "$venv/bin/companion"
    run "$venv/bin/python" -m compileall -q "$app/companion" "$app/hardware" "$app/simulator" "$app/vision"
    (cd / && "$venv/bin/companion" --version) >>"$log" 2>&1 || explain "$venv/bin/companion --version"
}

make_user() {
    step "make the user $user, who may use the table's devices and nothing else"
    if ! id "$user" >/dev/null 2>&1; then
        run useradd --system --user-group --home-dir "$state" --no-create-home --shell /usr/sbin/nologin "$user"
    fi
    if ! getent group gpio >/dev/null; then run groupadd --system gpio; fi
    for group in video render input gpio audio i2c; do
        if getent group "$group" >/dev/null; then run usermod -aG "$group" "$user"; fi
    done
}

configure() {
    run mkdir -p "$settings"
    if [ -e "$settings/table.toml" ]; then
        step "leave $settings/table.toml as it is"
        return
    fi
    step "write $settings/table.toml, to be changed by hand"
    run install -m 644 setup/table.toml "$settings/table.toml"
}

put_units() {
    step "tell systemd: the table on the $kind, and a copy of the games a day if a stick called COMPANION is there"
    run install -m 644 systemd/60-companion.rules /etc/udev/rules.d/60-companion.rules
    run install -D -m 644 systemd/modules-load.conf /etc/modules-load.d/companion.conf
    if [ "$kind" = desktop ]; then
        take_away_units
        for unit in companion-desktop.service $copies_of_a_session; do
            run install -D -m 644 "systemd/$unit" "/etc/systemd/user/$unit"
        done
        for unit in $copies_of_a_session; do
            case $unit in *.service) ;; *) run systemctl --global enable "$unit" ;; esac
        done
        run install -D -m 644 systemd/companion.desktop /etc/xdg/autostart/companion.desktop
        run install -D -m 644 systemd/companion.desktop /usr/share/applications/companion.desktop
        if [ -e "$settings/had-a-desktop" ]; then give_desktop_back; fi
        return
    fi
    take_away_session
    run install -m 644 systemd/90-companion-stick.rules /etc/udev/rules.d/90-companion-stick.rules
    take_away $of_older
    for unit in $of_console; do run install -m 644 "systemd/$unit" "$units/"; done
    drop_ins
    run systemctl enable companion.service companion-backup.timer
    if has_desktop; then
        # One at a time may draw on the screen: the table, or a desktop.
        run systemctl set-default multi-user.target
        run touch "$settings/had-a-desktop"
    fi
}

of_console="companion.service companion-last-resort.service companion-stick@.service companion-backup@.service companion-backup.timer"
of_older="companion-stick.service companion-backup.service"
copies_of_a_session="companion-desktop-backup.service companion-desktop-backup.timer companion-desktop-backup.path"

drop_ins() {
    # What table.toml wants of systemd: a way out for the results, other folders for the games and for the copies.
    for unit in companion companion-backup@; do
        run rm -f "$units/$unit.service.d/publish.conf" "$units/$unit.service.d/board.conf" "$units/$unit.service.d/folder.conf" "$units/$unit.service.d/journal.conf"
        if [ -d "$units/$unit.service.d" ]; then run rmdir --ignore-fail-on-non-empty "$units/$unit.service.d"; fi
    done
    if [ -n "$dry" ]; then return; fi
    if grep -qx publish "$venv/wanted"; then
        step "let the service out to the broker of table.toml"
        run install -D -m 644 systemd/publish.conf "$units/companion.service.d/publish.conf"
    elif grep -q '^board' "$venv/wanted"; then
        run install -D -m 644 systemd/board.conf "$units/companion.service.d/board.conf"
    fi
    folder=$(sed -n 's/^journal //p' "$venv/wanted")
    if [ -n "$folder" ]; then
        step "let games be kept in $folder"
        mount=$(mount_of "$folder")
        for unit in companion companion-backup@; do
            drop_in "$unit" journal.conf "[Unit]" ${mount:+"Wants=$mount" "After=$mount"} "[Service]" "ReadWritePaths=\"-$folder\""
        done
    fi
    folder=$(sed -n 's/^copies //p' "$venv/wanted")
    if [ -n "$folder" ]; then
        step "let copies be written to $folder"
        drop_in companion-backup@ folder.conf "[Unit]" "ConditionPathExists=" "[Service]" "ReadWritePaths=\"-$folder\""
    fi
}

mount_of() {
    # The unit that mounts what the folder lies on; nothing for the disk of the system.
    point=$(findmnt -no TARGET --target "$(nearest "$1")" 2>/dev/null || true)
    case $point in '' | /) ;; *) systemd-escape --path --suffix=mount "$point" ;; esac
}

wanted_by_table() {
    "$venv/bin/python" -I -c 'import sys
from pathlib import Path
from companion.config.board_choice import BROKER_PORT, HERE
from companion.config.table_file import read_configuration
table, state = map(Path, sys.argv[1:])
found = read_configuration(table)
named = found.publish.on and found.publish.where != (HERE, BROKER_PORT)
if named:
    print("publish")
if found.board.on:
    print("broker-of-others") if named else print("board", "lan" if found.board.lan else "here", found.board.port)
if found.journal and not found.journal.is_relative_to(state):
    print("journal", found.journal.parent)
if found.backup:
    print("copies", found.backup)' "$settings/table.toml" "$state"
}

drop_in() {
    # For the unit $1 the file $2 with the other lines.
    place=$units/$1.service.d
    file=$2
    shift 2
    run mkdir -p "$place"
    printf '%s\n' "$@" >"$place/$file"
}

look_at_table() {
    # What table.toml asks for, as the new version reads it; what cannot be read asks for nothing.
    if [ -n "$dry" ]; then return; fi
    wanted_by_table >"$venv/wanted" 2>>"$log" || : >"$venv/wanted"
}

start() {
    if ! has_systemd; then
        say "systemd does not run here: the table starts with the machine."
        return
    fi
    run systemctl daemon-reload
    start_board
    run udevadm control --reload
    run udevadm trigger --action=change --subsystem-match=gpio --subsystem-match=dma_heap
    if [ -z "$dry" ]; then grep -v '^#' systemd/modules-load.conf | xargs modprobe -qa 2>>"$log" || true; fi
    if [ -z "$with_start" ]; then return; fi
    if [ "$kind" = desktop ]; then
        in_sessions daemon-reload
        say "The table starts with the next session: log out and in, or take Table companion from the menu."
        return
    fi
    run systemctl restart companion-backup.timer
    if systemctl --quiet is-active display-manager.service; then
        say "A desktop draws on the screen now: restart the machine, and the table does."
    else
        step "start the table"
        if [ -z "$dry" ]; then try_anew; fi
        run systemctl restart companion.service
    fi
}

# --- Taking it away

take_away_units() {
    # Those of the table on the console.
    take_away $of_console $of_older
    run rm -f /etc/udev/rules.d/90-companion-stick.rules
}

take_away() {
    for unit in "$@"; do
        if [ ! -e "$units/$unit" ]; then continue; fi
        case $unit in
        companion.service | *.timer) if has_systemd; then run systemctl disable --now "$unit"; else run systemctl disable "$unit"; fi ;;
        esac
        run rm -rf "$units/$unit" "$units/$unit.d"
    done
}

take_away_session() {
    # Those in the session of a desktop.
    in_sessions stop
    for unit in $copies_of_a_session; do
        if [ ! -e "/etc/systemd/user/$unit" ]; then continue; fi
        case $unit in *.service) ;; *) run systemctl --global disable "$unit" ;; esac
        run rm -f "/etc/systemd/user/$unit"
    done
    run rm -f /etc/xdg/autostart/companion.desktop /usr/share/applications/companion.desktop
    run rm -f /etc/systemd/user/companion-desktop.service
}

give_desktop_back() {
    run systemctl set-default graphical.target
    run rm -f "$settings/had-a-desktop"
}

uninstall() {
    step "take the table companion away"
    take_away_units
    take_away_session
    take_away_board
    run rm -f /etc/udev/rules.d/60-companion.rules /etc/modules-load.d/companion.conf
    if has_systemd; then
        run systemctl daemon-reload
        # Whoever wants to log in at the console may do so again.
        if [ "$kind" = console ]; then run systemctl --no-block start getty@tty1.service; fi
    fi
    if [ -e "$settings/had-a-desktop" ]; then give_desktop_back; fi
    run rm -rf "$home"
    if [ -n "$games_too" ]; then
        step "delete the games in $state, and $settings"
        # A partition of their own stays mounted, and empty.
        if [ -d "$state" ]; then run find "$state" -mindepth 1 -delete; fi
        if [ -d "$state" ] && ! mountpoint -q "$state"; then run rmdir "$state"; fi
        forget_board
        run rm -rf "$settings"
        if id "$user" >/dev/null 2>&1; then run userdel "$user"; fi
        say "Deleted. Packages of the system, and what a table in the session of a desktop kept in ~/.local/state/companion, stay."
    else
        say "The games are in $games still, the settings in $settings; the packages of the system stay too."
    fi
    if [ -z "$dry" ]; then rm -f "$log"; fi
}

look_around
games=$state
if [ "$kind" = desktop ]; then games="~/.local/state/companion of whoever plays"; fi
if [ -z "$dry" ]; then : >"$log" || stop "$log cannot be written."; fi
if [ "$do" = uninstall ]; then
    uninstall
    exit 0
fi
if [ -z "$dry" ]; then
    trap go_back EXIT
    trap 'exit 130' INT TERM HUP
fi
install_packages
copy_project
make_venv
make_user
configure
put_in_place
look_at_table
put_board
put_units
start
# The plug may be pulled now: there is the new version, on the disk too.
run sync
run rm -rf "$app.old"
say "${dry:+would be }done: the table companion is installed, its settings are in $settings/table.toml, its games in $games."
