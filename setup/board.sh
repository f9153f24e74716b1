# The match on phones: a broker for this computer alone, with passwords that are made for it, and the board that listens to
# it. setup/install.sh reads this; what is said and done here is said and done by its functions.
# shellcheck shell=sh disable=SC2154

broker=$settings/broker
broker_port=18833
of_board="companion-board.service companion-broker.service"

put_board() {
    if [ -n "$dry" ]; then return; fi
    if grep -qx broker-of-others "$venv/wanted"; then
        say "  [publish] names a broker: the board belongs beside that one, and none is set up here (docs/board.md)."
    fi
    if ! grep -q '^board ' "$venv/wanted"; then
        take_away_board
        return
    fi
    step "set up the match on phones: a broker and a page of this computer's own"
    get_mosquitto
    get_board_packages
    make_passwords
    configure_broker
    for unit in $of_board; do run install -m 644 "systemd/$unit" "$units/"; done
    open_door
    run systemctl enable $of_board
}

get_mosquitto() {
    if [ -n "$with_apt" ] && ! [ -x /usr/sbin/mosquitto ]; then
        run env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends mosquitto
        # Debian starts one for everybody on this computer; nobody has asked for that one.
        if has_systemd; then run systemctl disable --now mosquitto.service; else run systemctl disable mosquitto.service; fi
    fi
    [ -x /usr/sbin/mosquitto ] || stop "There is no Mosquitto here, which [board] of table.toml needs: apt install mosquitto, then run make install again."
}

get_board_packages() {
    lacking=$("$venv/bin/python" -I setup/missing.py --board)
    if [ -z "$lacking" ]; then return; fi
    "$venv/bin/python" -I setup/missing.py --board constraints.txt >"$venv/pins.txt"
    # shellcheck disable=SC2086
    pip_install -c "$venv/pins.txt" $lacking
}

make_passwords() {
    # Made once, and kept; the table's is read by whoever the table runs as.
    run install -d -m 755 "$broker"
    if [ -s "$broker/users" ] && [ -s "$broker/table-password" ] && [ -s "$broker/board-password" ]; then return; fi
    made=$(umask 077 && mktemp -d)
    for name in table board; do
        (umask 077 && head -c 24 /dev/urandom | base64 | tr '+/' '-_' >"$made/$name-password")
        printf '%s:%s\n' "$name" "$(cat "$made/$name-password")" >>"$made/users"
    done
    chmod 600 "$made/users"
    run mosquitto_passwd -U "$made/users"
    run install -m 600 "$made/users" "$made/board-password" "$broker/"
    if [ "$kind" = desktop ]; then
        run install -m 644 "$made/table-password" "$broker/" # whoever is logged in plays
    else
        run install -m 640 -g "$user" "$made/table-password" "$broker/"
    fi
    rm -rf "$made"
}

configure_broker() {
    cat >"$broker/acl" <<-END
	user table
	topic write companion/#
	topic write homeassistant/#
	user board
	topic read companion/#
	END
    cat >"$broker/mosquitto.conf" <<-END
	# Made by make install for [board] of table.toml, and made anew by it.
	listener $broker_port 127.0.0.1
	allow_anonymous false
	password_file /run/credentials/companion-broker.service/users
	acl_file $broker/acl
	persistence true
	persistence_location /var/lib/companion-broker/
	autosave_interval 60
	max_queued_messages 0
	max_packet_size 131072
	max_connections 20
	log_dest stderr
	log_type error
	log_type warning
	END
    run chmod 644 "$broker/acl" "$broker/mosquitto.conf"
}

open_door() {
    # To whom, and where, as table.toml has it; as the unit has it: to this computer, at port 8333.
    run rm -rf "$units/companion-board.service.d"
    door=$(sed -n 's/^board //p' "$venv/wanted")
    reach=${door% *}
    port=${door#* }
    if [ "$door" = "here 8333" ]; then return; fi
    started=$(sed -n 's/^ExecStart=//p' systemd/companion-board.service)
    if [ "$reach" = lan ]; then
        drop_in companion-board door.conf "[Service]" "ExecStart=" "ExecStart=$started --port $port --host 0.0.0.0" \
            "IPAddressAllow=any" "SocketBindAllow=tcp:$port"
        say "  Its page is open to everybody in this network, at port $port."
    else
        drop_in companion-board door.conf "[Service]" "ExecStart=" "ExecStart=$started --port $port" "SocketBindAllow=tcp:$port"
    fi
}

start_board() {
    if [ -z "$with_start" ] || [ ! -e "$units/companion-board.service" ]; then return; fi
    run systemctl restart companion-broker.service companion-board.service
}

take_away_board() {
    # Results and passwords stay.
    for unit in $of_board; do
        if [ ! -e "$units/$unit" ]; then continue; fi
        if has_systemd; then run systemctl disable --now "$unit"; else run systemctl disable "$unit"; fi
        run rm -rf "$units/$unit" "$units/$unit.d"
    done
}

forget_board() {
    # What it has kept; systemd keeps it under private.
    for name in companion-board companion-broker; do run rm -rf "/var/lib/$name" "/var/lib/private/$name"; done
}
