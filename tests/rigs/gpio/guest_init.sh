#!/bin/sh
# The guest's process 1: prepares what a Pi would have, runs the modules that the kernel's command line names, powers off.
#
#   rig.run=MODULE[:ARGUMENT...][,MODULE...]   run in this order
#   rig.label=LABEL rig.lines=N                the chip
#
# What the modules tell goes through the pipe /run/results to the host, one JSON object a line; the last one is ours.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 PYTHONPATH=/project:/opt/site SDL_VIDEODRIVER=dummy
export PYGAME_HIDE_SUPPORT_PROMPT=1

given() {
    tr ' ' '\n' </proc/cmdline | sed -n "s/^rig\.$1=//p"
}

uptime() {
    cut -d' ' -f1 /proc/uptime
}

mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t configfs configfs /sys/kernel/config
# gpiozero wants to know which Pi this is: a Pi 4B
{ cat /proc/cpuinfo; printf 'Revision\t: c03111\n'; } >/run/cpuinfo
mount --bind /run/cpuinfo /proc/cpuinfo

mkfifo -m 666 /run/results
port=$(grep -l '^rig.results$' /sys/class/virtio-ports/*/name)
port=${port%/name}
cat /run/results >"/dev/${port##*/}" &
relay=$!
exec 3>/run/results

python3 -m tests.rigs.gpio.guest "$(given lines)" "$(given label)"
printf '{"booted": %s, "kernel": "%s"}\n' "$(uptime)" "$(uname -r)" >&3

# The clock of a machine that counts instructions runs ahead while a disk is waited for: what is read now is not later.
find /usr /opt /project -xdev -type f -exec cat {} + >/dev/null

mkdir /tmp/work
cd /tmp/work || exit
for spec in $(given run | tr ',' ' '); do
    module=${spec%%:*}
    arguments=$(printf '%s' "${spec#"$module"}" | tr ':' ' ')
    started=$(uptime)
    # shellcheck disable=SC2086
    python3 -X faulthandler -m "$module" $arguments
    printf '{"module": "%s", "exit": %d, "from": %s, "to": %s}\n' "$module" $? "$started" "$(uptime)" >&3
done

echo "--- the kernel's warnings" >/dev/console
dmesg --color=never --level emerg,alert,crit,err,warn >/dev/console
printf '{"done": %s}\n' "$(uptime)" >&3
exec 3>&-
wait $relay
echo o >/proc/sysrq-trigger
sleep 60
