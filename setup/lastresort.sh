#!/bin/sh
# The table has ended again and again, and systemd tries it no more: the machine is started anew, as often as that may
# help. Afterwards, and while somebody is logged in, the table alone is tried again now and then.
set -eu

counted=${COMPANION_STATE:-/var/lib/companion}/fresh-starts
given_up=${COMPANION_RUN:-/run}/companion-given-up
most=2     # in a row
well=10800 # seconds that the machine has run: the start before was of use then; that it was of none shows within two hours
pause=600  # seconds

is_somebody_here() {
    for session in $(loginctl list-sessions --no-legend 2>/dev/null | awk '{ print $1 }'); do
        if [ "$(loginctl show-session "$session" --property=Class --value 2>/dev/null)" = user ]; then return 0; fi
    done
    return 1
}

# Whatever calls for this: a table that is being started again needs nothing.
systemctl --quiet is-failed companion.service || exit 0

before() {
    # How often in a row the machine was started anew for this.
    if [ -n "$(find "$given_up" -mmin "-$((well / 60))" 2>/dev/null)" ]; then
        echo "$most"
    elif [ "$(cut -d. -f1 "${COMPANION_UPTIME:-/proc/uptime}")" -ge "$well" ]; then
        echo 0
    elif [ -f "$counted" ] && [ ! -L "$counted" ]; then
        head -c 9 "$counted"
    else
        echo 0
    fi
}

write_down() {
    # The folder is the service's own, which might have put a link there.
    rm -rf "$counted" && (set -C && echo "$1" >"$counted") && sync -f "$counted"
}

count=$(before)
case $count in '' | *[!0-9]*) count=$most ;; esac
# Where that cannot be written down it could go on for ever.
if [ "$count" -lt "$most" ] && ! is_somebody_here && write_down $((count + 1)) 2>/dev/null; then
    echo "The table ends again and again: the machine is started anew."
    systemctl reboot
else
    echo "The table ends again and again (journalctl -u companion says why): it is tried again in $((pause / 60)) minutes."
    if [ "$count" -ge "$most" ]; then touch "$given_up"; fi
    sleep "$pause"
    if systemctl --quiet is-enabled companion.service; then
        systemctl reset-failed companion.service
        systemctl --no-block start companion.service
    fi
fi
