#!/bin/busybox sh
# The guest's first init: loads the modules, mounts the root, unpacks today's project beside it and starts systemd.
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

if grep -q rig.overlay /proc/cmdline; then
    # A root that nothing is written to, as raspi-config makes it: what is written is gone with the power.
    mkdir /lower /upper
    mount -t ext4 -o ro /dev/vda /lower || exec sh
    mount -t tmpfs upper /upper
    mkdir /upper/data /upper/work
    mount -t overlay -o lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work overlay /root || exec sh
    sed -i '/ \/ ext4 /d' root/etc/fstab
else
    mount -t ext4 /dev/vda /root || exec sh
fi
mount -t tmpfs -o size=200m project root/project
tar -xf /dev/vdb -C root/project
for folder in dev proc sys; do mount --move "/$folder" "root/$folder"; done
exec switch_root /root /lib/systemd/systemd
