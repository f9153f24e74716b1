#!/bin/sh
# Mounts a stick that is called COMPANION for companion-backup@.service, and takes it away again. Root's part of the
# work, kept small: nothing on the stick is run, and only plain file systems are mounted. Which one it is, the second word
# says as 90-companion-stick.rules has called it.
set -eu

device=${COMPANION_STICK:-/dev/companion-stick/${2:-any}}
where=/run/companion-stick/${2:-any}
folder=$where/companion
user=companion

stop() {
    printf '%s\n' "$1" >&2
    exit 1
}

mount_stick() {
    if mountpoint -q "$where"; then umount -l "$where"; fi
    kind=$(blkid -p -o value -s TYPE "$device" || true)
    plain=nosuid,nodev,noexec,nosymfollow,noatime
    case $kind in
    vfat | exfat) options="$plain,uid=$(id -u "$user"),gid=$(id -g "$user"),umask=022" ;;
    ext4) options=$plain ;;
    *) stop "The stick COMPANION has a file system that is not taken (${kind:-none is known}): format it as FAT, exFAT or ext4." ;;
    esac
    mkdir -p "$where"
    mount -t "$kind" -o "$options" "$device" "$where" || {
        rmdir "$where"
        stop "The stick COMPANION cannot be mounted: check or format it on another computer."
    }
    # A stick that is read-only, or full, is told of by the copy itself.
    # Root follows no link on it: what is called companion might point at anything of this system.
    if mkdir "$folder" 2>/dev/null || { [ -d "$folder" ] && [ ! -L "$folder" ]; }; then
        chown -h "$user:$user" "$folder" 2>/dev/null || true
    fi
}

unmount_stick() {
    if mountpoint -q "$where"; then umount "$where" || umount -l "$where"; fi
    rmdir "$where" 2>/dev/null || true
}

case ${1:-} in
mount) mount_stick ;;
unmount) unmount_stick ;;
*) stop "setup/stick.sh mounts or unmounts: write 'mount' or 'unmount', and which." ;;
esac
