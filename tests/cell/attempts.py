"""What a program in a cell tries in order to get out. Runs inside; escapes.py reads what came of it.

Each attempt is a function. One that returns has done what it must not; one that fails says how. The names of places come
in the environment, and whether anything happened outside is looked at from there."""
import ctypes
import errno
import fcntl
import json
import os
import resource
import signal
import socket
import struct
import sys
import termios
import threading
import time

HOME, WORK = os.environ["CELL_HOME"], os.environ["CELL_WORK"]
OUTSIDE = int(os.environ["CELL_OUTSIDE"])  # a process
PORT = int(os.environ["CELL_PORT"])  # of a server on the host's loopback
libc = ctypes.CDLL(None, use_errno=True)
attempts = []

# x86-64 and arm64 agree on these; the others are looked up by machine
ARM = os.uname().machine == "aarch64"
CALL = {"unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "chroot": (161, 51),
        "pivot_root": (155, 41), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
        "mount_setattr": (442, 442), "clone": (56, 220), "clone3": (435, 435), "keyctl": (250, 219), "add_key": (248, 217),
        "request_key": (249, 218), "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
        "io_uring_setup": (425, 425), "open_by_handle_at": (304, 265), "pidfd_open": (434, 434),
        "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424), "process_vm_readv": (310, 270),
        "process_vm_writev": (311, 271), "ptrace": (101, 117), "openat2": (437, 437), "fchmodat2": (452, 452),
        "ioprio_set": (251, 30), "kexec_load": (246, 104), "personality": (135, 92), "name_to_handle_at": (303, 264)}


def attempt(number, what):
    def add(function):
        attempts.append((number, what, function))
        return function
    return add


def call(name, *args):
    """A system call by its name; raises what it says."""
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(CALL[name][ARM]), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def write(path, text="evil\n", mode="a"):
    with open(path, mode) as f:
        f.write(text)


# ---- files outside ----
@attempt("E01", "append to a start-up file of the shell")
def _():
    write(HOME + "/.bashrc")


@attempt("E02", "make an autostart entry")
def _():
    os.makedirs(HOME + "/.config/autostart")


@attempt("E03", "write through a link in the workspace")
def _():
    os.symlink(HOME + "/.bashrc", "link")
    write("link")


@attempt("E04", "write through a linked directory")
def _():
    os.symlink(HOME, "home")
    write("home/new")


@attempt("E05", "hard link a file of the home into the workspace")
def _():
    os.link(HOME + "/.bashrc", "hard")
    write("hard")


@attempt("E06", "move a file of the home into the workspace")
def _():
    os.rename(HOME + "/victim", "victim")


@attempt("E07", "move a file of the workspace over one of the home")
def _():
    write("mine")
    os.rename("mine", HOME + "/.bashrc")


@attempt("E08", "a file without a name, linked into the home")
def _():
    fd = os.open(HOME, os.O_TMPFILE | os.O_RDWR, 0o600)
    os.link("/proc/self/fd/%d" % fd, HOME + "/named")


@attempt("E08b", "a file without a name of the workspace, linked into the home")
def _():
    fd = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600)
    os.link("/proc/self/fd/%d" % fd, HOME + "/named")


@attempt("E09", "truncate a file of the home")
def _():
    os.truncate(HOME + "/victim", 0)


@attempt("E10", "remove a file of the home")
def _():
    os.unlink(HOME + "/victim")


@attempt("E10b", "remove a directory of the home")
def _():
    os.rmdir(HOME + "/empty")


@attempt("E11", "by /proc/self/root")
def _():
    write("/proc/self/root" + HOME + "/.bashrc")


@attempt("E11b", "by /proc/1/root")
def _():
    write("/proc/1/root" + HOME + "/.bashrc")


@attempt("E12", "by the root of a process outside")
def _():
    write("/proc/%d/root%s/.bashrc" % (OUTSIDE, HOME))


@attempt("E13", "open for reading, and again for writing by its descriptor")
def _():
    fd = os.open(HOME + "/.bashrc", os.O_RDONLY)
    os.write(os.open("/proc/self/fd/%d" % fd, os.O_WRONLY), b"evil")


@attempt("E14", "change the mode of a file of the home")
def _():
    os.chmod(HOME + "/victim", 0o777)


@attempt("E14b", "... by a descriptor")
def _():
    os.fchmod(os.open(HOME + "/victim", os.O_RDONLY), 0o777)


@attempt("E14c", "... by fchmodat2")
def _():
    call("fchmodat2", -100, (HOME + "/victim").encode(), 0o777, 0)


@attempt("E15", "change the times of a file of the home")
def _():
    os.utime(HOME + "/victim", (1, 1))


@attempt("E15b", "... by a descriptor")
def _():
    os.utime(os.open(HOME + "/victim", os.O_RDONLY), (1, 1))


@attempt("E16", "set an attribute of a file of the home")
def _():
    os.setxattr(HOME + "/victim", "user.x", b"1")


@attempt("E16b", "file capabilities in the workspace")
def _():
    write("capable")
    os.setxattr("capable", "security.capability", bytes.fromhex("0100000200200000000000000000000000000000"))


@attempt("E17", "change the owner of a file of the home")
def _():
    os.chown(HOME + "/victim", os.getuid(), os.getgid())


@attempt("E17b", "a set-user-ID program in the workspace")
def _():
    write("suid")
    os.chmod("suid", 0o4755)


@attempt("E17c", "... made with its mode")
def _():
    os.umask(0)
    os.open("suid2", os.O_CREAT | os.O_WRONLY, 0o4755)


@attempt("E18", "a device in the workspace")
def _():
    os.mknod("sda", 0o60600, os.makedev(8, 0))


@attempt("E19", "the kernel's handler of core files")
def _():
    write("/proc/sys/kernel/core_pattern", "|/bin/sh", "w")


@attempt("E19b", "the kernel's keys")
def _():
    write("/proc/sysrq-trigger", "h", "w")


@attempt("E19c", "a setting below /sys")
def _():
    write("/sys/kernel/mm/transparent_hugepage/enabled", "never", "w")


@attempt("E20", "a ring that opens files")
def _():
    call("io_uring_setup", 8, ctypes.create_string_buffer(256))


@attempt("E21", "copy into a file that is open for reading")
def _():
    target = os.open(HOME + "/victim", os.O_RDONLY)
    write("mine2")
    os.copy_file_range(os.open("mine2", os.O_RDONLY), target, 5)


@attempt("E22", "a path that only another mount has")
def _():
    write("/proc/%d/cwd/x" % OUTSIDE)


# ---- protected inside ----
@attempt("E23", "write .git/config")
def _():
    write(".git/config")


@attempt("E23b", "make a hook of git")
def _():
    write(".git/hooks/pre-commit")


@attempt("E24", "replace .git/config")
def _():
    write("config")
    os.rename("config", ".git/config")


@attempt("E24b", "remove .git/config")
def _():
    os.unlink(".git/config")


@attempt("E25", "move .git away")
def _():
    os.rename(".git", "git")


@attempt("E25b", "exchange .git for another directory")
def _():
    os.mkdir("other")
    if libc.renameat2(-100, b"other", -100, b".git", 2) != 0:
        raise OSError(ctypes.get_errno(), "renameat2")


@attempt("E26", "move the directory above a nested repository")
def _():
    os.rename("nested", "moved")


@attempt("E27", "make .mcp.json")
def _():
    write(".mcp.json")


@attempt("E27b", "make .claude/settings.json, in its directory")
def _():
    os.mkdir(".claude")


@attempt("E27c", "link .mcp.json")
def _():
    os.symlink("/etc/passwd", ".mcp.json")


@attempt("E27d", "move a file to .mcp.json")
def _():
    write("mcp")
    os.rename("mcp", ".mcp.json")


@attempt("E27e", "... under a name in other letters")
def _():
    write(".MCP.json")


@attempt("E29", "unmount the protection")
def _():
    call("umount2", (WORK + "/.git/config").encode(), 2)


@attempt("E29b", "make it writable again")
def _():
    call("mount", 0, (WORK + "/.git/config").encode(), 0, 32 | 4096, 0)


@attempt("E29c", "... by mount_setattr")
def _():
    call("mount_setattr", -100, b"/", 0x8000, struct.pack("4Q", 0, 1, 0, 0), 32)


@attempt("E29d", "copy the mount")
def _():
    call("open_tree", -100, WORK.encode(), 1)


# ---- hidden ----
@attempt("E32", "read a key")
def _():
    open(HOME + "/.ssh/id").read()


@attempt("E32b", "... by /proc/self/root")
def _():
    open("/proc/self/root" + HOME + "/.ssh/id").read()


@attempt("E32c", "... by a link")
def _():
    os.symlink(HOME + "/.ssh/id", "id")
    open("id").read()


@attempt("E32d", "read a hidden file")
def _():
    open(HOME + "/.netrc").read()


@attempt("E33", "hard link a hidden file")
def _():
    os.link(HOME + "/.netrc", "netrc")
    open("netrc").read()


@attempt("E34", "unmount the mask")
def _():
    call("umount2", (HOME + "/.ssh").encode(), 2)


@attempt("E34b", "move the mask away")
def _():
    os.rename(HOME + "/.ssh", HOME + "/ssh")


@attempt("E35", "open by a handle")
def _():
    call("open_by_handle_at", 3, ctypes.create_string_buffer(64), 0)


@attempt("E36", "the machine's memory")
def _():
    open("/dev/mem", "rb")


@attempt("E36b", "a disk")
def _():
    if not [n for n in os.listdir("/dev") if n.startswith(("sd", "vd", "nvme", "loop", "dm-", "kvm", "fuse"))]:
        raise OSError(errno.ENOENT, "no disk")


@attempt("E37", "a secret of the environment")
def _():
    if "MY_TOKEN" not in os.environ:
        raise OSError(errno.ENOENT, "not set")


@attempt("E37b", "the environment of the first process")
def _():
    open("/proc/1/environ", "rb").read()


# ---- processes ----
@attempt("E41", "see a process outside")
def _():
    os.stat("/proc/%d" % OUTSIDE)


@attempt("E42", "kill a process outside")
def _():
    os.kill(OUTSIDE, signal.SIGKILL)


@attempt("E43", "trace a process outside")
def _():
    call("ptrace", 16, OUTSIDE, 0, 0)


@attempt("E43b", "read its memory")
def _():
    room = ctypes.create_string_buffer(16)
    here = struct.pack("2Q", ctypes.addressof(room), 16)
    call("process_vm_readv", OUTSIDE, here, 1, here, 1, 0)


@attempt("E44", "take a descriptor of another process")
def _():
    call("pidfd_getfd", call("pidfd_open", os.getppid(), 0), 0, 0)


@attempt("E45", "limit a process outside")
def _():
    resource.prlimit(OUTSIDE, resource.RLIMIT_NOFILE, (3, 3))


@attempt("E45b", "its priority")
def _():
    os.setpriority(os.PRIO_PROCESS, OUTSIDE, 19)


@attempt("E48", "the memory of the first process")
def _():
    open("/proc/1/mem", "rb").read(1)


@attempt("E48b", "trace the first process")
def _():
    call("ptrace", 16, 1, 0, 0)


# ---- namespaces and privilege ----
@attempt("E50", "a user namespace")
def _():
    call("unshare", 0x10000000)


@attempt("E50b", "a mount namespace")
def _():
    call("unshare", 0x20000)


@attempt("E50c", "a time namespace")
def _():
    call("unshare", 0x80)


@attempt("E50d", "clone into a user namespace")
def _():
    if call("clone", 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0) == 0:
        os._exit(0)


@attempt("E50e", "clone3")
def _():
    if call("clone3", struct.pack("8Q", 0x10000000, 0, 0, 0, signal.SIGCHLD, 0, 0, 0), 64) == 0:
        os._exit(0)


@attempt("E51", "join another namespace")
def _():
    call("setns", os.open("/proc/self/ns/net", os.O_RDONLY), 0)


@attempt("E52", "mount")
def _():
    call("mount", b"none", b"/mnt", b"tmpfs", 0, 0)


@attempt("E52b", "a file system by descriptor")
def _():
    call("fsopen", b"tmpfs", 0)


@attempt("E52c", "change the root")
def _():
    call("chroot", b"/tmp")


@attempt("E53", "become another user")
def _():
    os.setuid(1 if os.getuid() == 0 else 0)


@attempt("E56", "a capability that is left")
def _():
    for line in open("/proc/self/status"):
        if line.startswith("Cap") and int(line.split()[1], 16):
            return
    raise OSError(errno.EPERM, "none")


@attempt("E58", "the keys of the session")
def _():
    call("keyctl", 0, -3, 0, 0, 0)


@attempt("E58b", "ask for a key")
def _():
    call("request_key", b"user", b"x", b"y", 0)


@attempt("E59", "a program for the kernel")
def _():
    call("bpf", 0, ctypes.create_string_buffer(128), 128)


@attempt("E59b", "counters of the machine")
def _():
    call("perf_event_open", ctypes.create_string_buffer(128), 0, -1, -1, 0)


@attempt("E59c", "page faults by hand")
def _():
    call("userfaultfd", 1)


# ---- sockets ----
def reach(family, kind, address):
    s = socket.socket(family, kind)
    s.settimeout(2)
    s.connect(address)
    s.send(b"evil")


@attempt("E61", "a unix socket outside, by its path")
def _():
    reach(socket.AF_UNIX, socket.SOCK_STREAM, HOME + "/server")


@attempt("E61b", "... in the workspace")
def _():
    reach(socket.AF_UNIX, socket.SOCK_STREAM, WORK + "/server")


@attempt("E62", "... by a relative path")
def _():
    reach(socket.AF_UNIX, socket.SOCK_STREAM, "server")


@attempt("E62b", "... by a link")
def _():
    os.symlink(HOME + "/server", "to-server")
    reach(socket.AF_UNIX, socket.SOCK_STREAM, "to-server")


@attempt("E62c", "... by a descriptor")
def _():
    fd = os.open(HOME, os.O_PATH)
    reach(socket.AF_UNIX, socket.SOCK_STREAM, "/proc/self/fd/%d/server" % fd)


@attempt("E63", "an abstract socket outside")
def _():
    reach(socket.AF_UNIX, socket.SOCK_STREAM, "\0warder-escape-%d" % PORT)


@attempt("E64", "datagrams to a unix socket")
def _():
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"evil", HOME + "/datagrams")


@attempt("E64b", "... of a pair")
def _():
    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"evil", HOME + "/datagrams")


@attempt("E64c", "... of a raw socket")
def _():
    socket.socket(socket.AF_UNIX, socket.SOCK_RAW).sendto(b"evil", HOME + "/datagrams")


@attempt("E66", "packets")
def _():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


@attempt("E66b", "the hypervisor")
def _():
    socket.socket(40, socket.SOCK_STREAM)


@attempt("E66c", "the kernel's ciphers")
def _():
    socket.socket(38, socket.SOCK_SEQPACKET)


@attempt("E67", "a server on the host's loopback")
def _():
    reach(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT))


@attempt("E67b", "... by version 6")
def _():
    reach(socket.AF_INET6, socket.SOCK_STREAM, ("::ffff:127.0.0.1", PORT))


@attempt("E67c", "... by no address")
def _():
    reach(socket.AF_INET, socket.SOCK_STREAM, ("0.0.0.0", PORT))


@attempt("E68", "data with the first packet")
def _():
    socket.socket().sendto(b"evil", 0x20000000, ("127.0.0.1", PORT))


@attempt("E70", "the machine's metadata")
def _():
    reach(socket.AF_INET, socket.SOCK_STREAM, ("169.254.169.254", 80))


@attempt("E70b", "a host of the internet, by datagram")
def _():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"evil", ("192.0.2.1", 53))


@attempt("E71", "an address that changes while it is looked at")
def _():
    inside = socket.socket(socket.AF_UNIX)
    inside.bind(WORK + "/inside")
    inside.listen(64)
    address = ctypes.create_string_buffer(110)
    struct.pack_into("H", address, 0, socket.AF_UNIX)
    names = [(WORK + "/inside").encode().ljust(108, b"\0"), (HOME + "/server").encode().ljust(108, b"\0")]
    end = time.time() + 0.7

    def flip():
        while time.time() < end:
            for name in names:
                ctypes.memmove(ctypes.addressof(address) + 2, name, 108)

    def drain():
        inside.settimeout(0.1)
        while time.time() < end:
            try:
                inside.accept()[0].close()
            except OSError:
                pass

    for target in (flip, drain):
        threading.Thread(target=target, daemon=True).start()
    while time.time() < end:
        s = socket.socket(socket.AF_UNIX)
        if libc.connect(s.fileno(), address, 110) == 0:
            try:
                s.send(b"evil")
            except OSError:
                pass
        s.close()
    raise OSError(errno.EACCES, "the server outside says what came")


@attempt("E74", "an address for the network")
def _():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    fcntl.ioctl(s, 0x8916, struct.pack("16sHH4s8x", b"lo", socket.AF_INET, 0, socket.inet_aton("10.0.0.1")))


# ---- terminal, limits ----
@attempt("E83", "type into the terminal")
def _():
    fcntl.ioctl(0, termios.TIOCSTI, b"x")


@attempt("E83b", "... with other bits above the number")
def _():
    if libc.syscall(ctypes.c_long(29 if ARM else 16), ctypes.c_long(0), ctypes.c_long((1 << 40) | 0x5412), b"x") != 0:
        raise OSError(ctypes.get_errno(), "ioctl")


@attempt("E84", "shared memory of outside")
def _():
    open("/dev/shm/warder-escape-%d" % PORT).read()


@attempt("E85", "a core file")
def _():
    if resource.getrlimit(resource.RLIMIT_CORE) == (0, 0):
        raise OSError(errno.EPERM, "none")


@attempt("E49", "the descriptors of the keeper")
def _():
    left = [fd for fd in os.listdir("/proc/self/fd") if int(fd) > 2 and os.path.exists("/proc/self/fd/" + fd)
            and "socket" in os.readlink("/proc/self/fd/" + fd)]
    if not left:
        raise OSError(errno.ENOENT, "none")


def play(function):
    """In a process of its own: what one leaves behind is not the next one's. None: it did it."""
    end, start = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            function()
            told = "DID IT"
        except OSError as e:
            told = errno.errorcode.get(e.errno, str(e))
        except (ValueError, PermissionError) as e:
            told = repr(e)
        os.write(start, told.encode())
        os._exit(0)
    os.close(start)
    os.waitpid(child, 0)
    told = os.read(end, 1000).decode() or "it was killed"
    os.close(end)
    return told


os.chdir(WORK)
json.dump([(number, what, play(function)) for number, what, function in attempts], sys.stdout)
