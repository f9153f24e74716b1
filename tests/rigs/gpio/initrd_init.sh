#!/bin/busybox sh
# The first of the guest's two inits: loads the modules, mounts the root, unpacks today's project onto it and goes there.
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

mount -t ext4 /dev/vda /root
for folder in tmp run project; do mount -t tmpfs "$folder" "root/$folder"; done
chmod 1777 root/tmp
tar -xf /dev/vdb -C root/project
for folder in dev proc sys; do mount --move "/$folder" "root/$folder"; done
exec switch_root /root /bin/sh /project/tests/rigs/gpio/guest_init.sh
