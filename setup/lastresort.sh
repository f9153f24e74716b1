#!/bin/sh
# The table has ended again and again, and systemd tries it no more: the machine is started anew, as often as that may
# help. Afterwards, and while somebody is logged in, the table alone is tried again now and then.
set -eu

counted=${COMPANION_STATE:-/var/lib/companion}/fresh-starts
most=2    # in a row
well=3600 # seconds that the machine has run: the start before was of use then
pause=600 # seconds

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
    if [ "$(cut -d. -f1 "${COMPANION_UPTIME:-/proc/uptime}")" -ge "$well" ]; then
        echo 0
    else
        cat "$counted" 2>/dev/null || echo 0
    fi
}

count=$(before)
case $count in '' | *[!0-9]*) count=$most ;; esac
# Where that cannot be written down it could go on for ever.
if [ "$count" -lt "$most" ] && ! is_somebody_here && echo $((count + 1)) 2>/dev/null >"$counted" && sync -f "$counted"; then
    echo "The table ends again and again: the machine is started anew."
    systemctl reboot
else
    echo "The table ends again and again (journalctl -u companion says why): it is tried again in $((pause / 60)) minutes."
    sleep "$pause"
    if systemctl --quiet is-enabled companion.service; then
        systemctl reset-failed companion.service
        systemctl --no-block start companion.service
    fi
fi
