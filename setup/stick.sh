#!/bin/sh
# Mounts the stick that is called COMPANION for companion-backup.service, and takes it away again. Root's part of the
# work, kept small: nothing on the stick is run, and only plain file systems are mounted.
set -eu

device=${COMPANION_STICK:-/dev/disk/by-label/COMPANION}
where=/run/companion-stick
folder=$where/companion
user=companion

stop() {
    printf '%s\n' "$1" >&2
    exit 1
}

mount_stick() {
    mkdir -p "$where"
    if mountpoint -q "$where"; then umount -l "$where"; fi
    kind=$(blkid -p -o value -s TYPE "$device" || true)
    plain=nosuid,nodev,noexec,nosymfollow,noatime
    case $kind in
    vfat | exfat) options="$plain,uid=$(id -u "$user"),gid=$(id -g "$user"),umask=022" ;;
    ext4) options=$plain ;;
    *) stop "The stick COMPANION has a file system that is not taken (${kind:-none is known}): format it as FAT, exFAT or ext4." ;;
    esac
    mount -t "$kind" -o "$options" "$device" "$where" ||
        stop "The stick COMPANION cannot be mounted: check or format it on another computer."
    # A stick that is read-only, or full, is told of by the copy itself.
    # Root follows no link on it: what is called companion might point at anything of this system.
    if mkdir "$folder" 2>/dev/null || { [ -d "$folder" ] && [ ! -L "$folder" ]; }; then
        chown -h "$user:$user" "$folder" 2>/dev/null || true
    fi
}

case ${1:-} in
mount) mount_stick ;;
unmount) if mountpoint -q "$where"; then umount "$where" || umount -l "$where"; fi ;;
*) stop "setup/stick.sh mounts or unmounts: write 'mount' or 'unmount'." ;;
esac
