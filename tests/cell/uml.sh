#!/bin/sh
# The escape suite on a second kernel, Debian's user-mode-linux, which has no Landlock: the mounts alone must hold.
#
#     tests/cell/uml.sh CELL
#
# It boots with the files of this machine, read through hostfs, and memory for what is written.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

inside() {
    mount -t proc proc /proc
    mount -t sysfs sys /sys
    mount -t tmpfs place /mnt
    cp "$1"/*.py "$1/warder-cell" /mnt/
    chmod 755 /mnt
    mount -t tmpfs tmp /tmp
    mount -t tmpfs dev /dev
    mknod -m 666 /dev/null c 1 3
    mknod -m 666 /dev/zero c 1 5
    mknod -m 666 /dev/full c 1 7
    mknod -m 666 /dev/random c 1 8
    mknod -m 666 /dev/urandom c 1 9
    mknod -m 666 /dev/tty c 5 0
    mknod -m 600 /dev/disk b 98 0
    mkdir /dev/pts /dev/shm
    mount -t ext4 /dev/disk /var/tmp
    chmod 1777 /var/tmp
    mount -t devpts pts /dev/pts
    mount -t tmpfs -o mode=1777 shm /dev/shm
    ip link set lo up
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    export PATH
    uname -r
    python3 -B /mnt/escapes.py /mnt/warder-cell </dev/null && echo "uml: passed"
    halt -f
}

if [ "${1-}" = --inside ]; then
    inside "$2"
    exit
fi
cell=${1:?usage: tests/cell/uml.sh CELL}
kernel=$(command -v linux.uml || command -v linux) || {
    echo "SKIPPED: no user-mode-linux here (apt-get install user-mode-linux)"
    exit 77
}
cell=$(realpath "$cell")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cat >"$place/init" <<END
#!/bin/sh
exec /bin/sh "$place/uml.sh" --inside "$place"
END
chmod 755 "$place" "$place/init"
cp "$cell" "$place/warder-cell"
cp "$here"/*.py "$here/uml.sh" "$place/"
truncate -s 256M "$place/disk"
/sbin/mke2fs -q -t ext4 "$place/disk"
timeout 300 "$kernel" mem=512M ubd0="$place/disk" rootfstype=hostfs rootflags=/ ro init="$place/init" con=null con0=fd:0,fd:1 quiet \
    </dev/null >"$place/log" 2>&1 || true
tr -d '\r' <"$place/log"
grep -q '^uml: passed' "$place/log"
