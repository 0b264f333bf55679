#!/bin/sh
# The escape suite on a second kernel: Debian's own in qemu, or user-mode-linux, which has no Landlock, so that the mounts
# alone must hold.
#
#     tests/cell/kernel.sh CELL [qemu|uml]
#
# Without a name: the first of the two that is installed. The kernel boots with the files of this machine, read-only, and
# memory for what is written.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

# ---- in the second kernel ----

make_devices() {
    mount -t tmpfs dev /dev
    mknod -m 666 /dev/null c 1 3
    mknod -m 666 /dev/zero c 1 5
    mknod -m 666 /dev/full c 1 7
    mknod -m 666 /dev/random c 1 8
    mknod -m 666 /dev/urandom c 1 9
    mknod -m 666 /dev/tty c 5 0
    mkdir /dev/pts /dev/shm
    mount -t devpts -o ptmxmode=666 pts /dev/pts
    ln -s pts/ptmx /dev/ptmx
    mount -t tmpfs -o mode=1777 shm /dev/shm
}

# What is left in /var/tmp must be on a disk, as it is on a machine.
mount_disk() {
    number=$(cat /sys/block/"$1"/dev)
    mknod -m 600 /dev/disk b "${number%:*}" "${number#*:}"
    mount -t ext4 /dev/disk /var/tmp
    chmod 1777 /var/tmp
}

inside() {
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    export PATH
    mount -t proc proc /proc
    mount -t sysfs sys /sys
    mount -t tmpfs place /mnt
    cp -r "$1/tests" "$1/docs" "$1/warder-cell" /mnt/
    chmod 755 /mnt
    mount -t tmpfs tmp /tmp
    make_devices
    mount_disk "$2"
    ip link set lo up
    uname -r
    python3 -B /mnt/tests/cell/escapes.py /mnt/warder-cell </dev/null && echo "second kernel: passed"
    poweroff -f
}

# ---- on this machine ----

skip() {
    echo "SKIPPED: $1"
    exit 77
}

find_uml() {
    kernel=$(command -v linux.uml || command -v linux)
}

# The newest kernel that has its modules here.
find_qemu() {
    command -v qemu-system-x86_64 >/dev/null && command -v busybox >/dev/null || return 1
    kernel=
    for file in /boot/vmlinuz-*; do
        [ -d "/lib/modules/${file#/boot/vmlinuz-}" ] && kernel=$file
    done
    [ "$kernel" ]
}

run_uml() {
    timeout 300 "$kernel" mem=512M ubd0="$place/disk" rootfstype=hostfs rootflags=/ ro init="$place/init" con=null \
        con0=fd:0,fd:1 quiet </dev/null >"$place/log" 2>&1 || true
}

# What the kernel must load before it can see the files of this machine.
make_start() {
    version=${kernel#/boot/vmlinuz-}
    mkdir -p "$place/start/bin" "$place/start/modules" "$place/start/root"
    cp "$(command -v busybox)" "$place/start/bin/busybox"
    {
        echo "#!/bin/busybox sh"
        for module in virtio_pci virtio_blk 9pnet_virtio 9p ext4; do
            modprobe -S "$version" --show-depends "$module"
        done | while read -r _ file _; do
            [ -f "$place/start/modules/${file##*/}" ] && continue
            cp "$file" "$place/start/modules/"
            echo "/bin/busybox insmod /modules/${file##*/}"
        done
        echo "/bin/busybox mount -t 9p -o ro,trans=virtio,version=9p2000.L,cache=loose,msize=262144 machine /root"
        echo "exec /bin/busybox switch_root /root $place/init"
    } >"$place/start/init"
    chmod 755 "$place/start/init"
    ln -s init "$place/start/linuxrc"
    (cd "$place/start" && find . | busybox cpio -o -H newc) >"$place/initrd" 2>/dev/null
}

# Emulated, because not every machine can do it in hardware; some two minutes.
run_qemu() {
    make_start
    timeout 900 qemu-system-x86_64 -accel tcg -cpu max -smp 2 -m 2048 -nographic -no-reboot -kernel "$kernel" \
        -initrd "$place/initrd" -virtfs local,path=/,mount_tag=machine,security_model=none,readonly=on,multidevs=remap \
        -drive file="$place/disk",if=virtio,format=raw -append "console=ttyS0 quiet panic=-1" \
        </dev/null >"$place/log" 2>&1 || true
}

if [ "${1-}" = --inside ]; then
    inside "$2" "$3"
    exit
fi
cell=$(realpath "${1:?usage: tests/cell/kernel.sh CELL [qemu|uml]}")
case ${2-} in
    qemu) find_qemu || skip "no kernel for qemu here (apt-get install qemu-system-x86 linux-image-amd64 busybox-static)" ;;
    uml) find_uml || skip "no user-mode-linux here (apt-get install user-mode-linux)" ;;
    *)
        if find_qemu; then
            exec "$0" "$cell" qemu
        fi
        exec "$0" "$cell" uml
        ;;
esac
place=$(mktemp -d /var/tmp/kernel.XXXXXX)
trap 'rm -rf "$place"' EXIT
disk=vda
[ "$2" = uml ] && disk=ubda
cat >"$place/init" <<END
#!/bin/sh
exec /bin/sh "$place/kernel.sh" --inside "$place" $disk
END
chmod 755 "$place" "$place/init"
mkdir -p "$place/tests/cell" "$place/docs"
cp "$cell" "$place/warder-cell"
cp "$here"/*.py "$here"/*.tsv "$place/tests/cell/"
cp "$here/../../docs/sandbox.md" "$place/docs/"
cp "$here/kernel.sh" "$place/"
truncate -s 256M "$place/disk"
/sbin/mke2fs -q -t ext4 "$place/disk"
"run_$2"
tr -d '\r' <"$place/log"
grep -q '^second kernel: passed' "$place/log"
