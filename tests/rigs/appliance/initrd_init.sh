#!/bin/busybox sh
# The guest's first init: loads the modules, mounts the root and starts systemd.
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev

for module in /modules/*; do insmod "$module"; done

tries=0
until [ -b /dev/vda ] && [ -b /dev/vdb ]; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] || { echo "rig: the disks did not come"; exec sh; }
    sleep 0.1
done

mount -t ext4 /dev/vda /root || exec sh
for folder in dev proc sys; do mount --move "/$folder" "root/$folder"; done
exec switch_root /root /lib/systemd/systemd
