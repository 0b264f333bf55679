"""What a program in a cell tries in order to get out. Runs inside; escapes.py reads what came of it.

Each attempt is a function. One that returns has done what it must not; one that fails says how. The names of places come
in the environment, and whether anything happened outside is looked at from there.

The numbers are those of the list of attacks that the sandbox was designed against. Of its rows up to E99

    here         E01-E64, E66-E74, E83-E85, E87 (processes), E96, one or more attempts each
    escapes.py   E47 (what lives on after the call), E92 (texts that break quoting), E97 (what the report shows)
    tokens.py    E93
    faults.py    E98
    not here     E65 (whoever outside connects to a server of the cell does so by itself: documented), E75-E82 (the proxy), E86 (WSL), E88-E91 and E94, E95, E99 (the verdict, not the cell)"""
import ctypes
import errno
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time

HOME, WORK = os.environ["CELL_HOME"], os.environ["CELL_WORK"]
OUTSIDE = int(os.environ["CELL_OUTSIDE"])  # a process
PORT = int(os.environ["CELL_PORT"])  # of a server on the host's loopback
OWN_PORT = int(os.environ["CELL_OWN_PORT"])  # that somebody outside tries to reach
LAN = os.environ["CELL_LAN"]  # an address of the host
TERMINAL = os.environ["CELL_TERMINAL"]  # of somebody outside
TIER = os.environ["CELL_TIER"]
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
        "ioprio_set": (251, 30), "kexec_load": (246, 104), "personality": (135, 92), "name_to_handle_at": (303, 264), "tgkill": (234, 131),
        "sched_setaffinity": (203, 122), "fspick": (433, 433), "fsmount": (432, 432), "fallocate": (285, 47),
        "socket": (41, 198), "semget": (64, 190), "msgget": (68, 186), "splice": (275, 76), "shmget": (29, 194), "mq_open": (240, 180), "renameat2": (316, 276), "iopl": (172, -1),
        "modify_ldt": (154, -1)}


def attempt(number, what, tier=TIER):
    """`tier`: what would be harmless in the other one, which has namespaces of its own."""
    def add(function):
        if tier == TIER:
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


@attempt("E14d", "... through a link in the workspace")
def _():
    os.symlink(HOME + "/victim", "to-victim")
    os.chmod("to-victim", 0o777)


@attempt("E14e", "... by the name of a descriptor")
def _():
    os.chmod("/proc/self/fd/%d" % os.open(HOME + "/victim", os.O_PATH), 0o777)


@attempt("E14f", "... relative to a descriptor of its directory")
def _():
    os.chmod("victim", 0o777, dir_fd=os.open(HOME, os.O_PATH))


@attempt("E14g", "... by a path that leads out of the workspace")
def _():
    os.chmod("nested/../../victim", 0o777)


@attempt("E15", "change the times of a file of the home")
def _():
    os.utime(HOME + "/victim", (1, 1))


@attempt("E15b", "... by a descriptor")
def _():
    os.utime(os.open(HOME + "/victim", os.O_RDONLY), (1, 1))


@attempt("E15c", "... through a link, and of its directory")
def _():
    os.symlink(HOME, "to-home")
    for name in ("to-home/victim", "to-home", ".."):
        try:
            os.utime(name, (1, 1))
            return
        except OSError as e:
            last = e
    raise last


@attempt("E16", "set an attribute of a file of the home")
def _():
    os.setxattr(HOME + "/victim", "user.x", b"1")


@attempt("E16b", "file capabilities in the workspace")
def _():
    write("capable")
    os.setxattr("capable", "security.capability", bytes.fromhex("0100000200200000000000000000000000000000"))


@attempt("E16d", "set a flag of a file of the home, which is open for reading")
def _():
    fcntl.ioctl(os.open(HOME + "/victim", os.O_RDONLY), 0x40086602, struct.pack("l", 0x40))  # FS_IOC_SETFLAGS: no dump


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


@attempt("E12b", "by the directory and the descriptors of a process outside")
def _():
    for name in ("cwd/.bashrc", "fd/0", "fd/1"):
        try:
            write("/proc/%d/%s" % (OUTSIDE, name))
        except FileNotFoundError:
            continue
        return
    raise FileNotFoundError(errno.ENOENT, "none")


@attempt("E12c", "settings of a process outside")
def _():
    for name in ("oom_score_adj", "coredump_filter", "autogroup", "comm", "clear_refs"):
        try:
            write("/proc/%d/%s" % (OUTSIDE, name), "1", "w")
            return
        except OSError as e:
            last = e
    raise last


@attempt("E16c", "remove an attribute of a file of the home")
def _():
    os.removexattr(HOME + "/victim", "user.kept")


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


@attempt("E21b", "... by splice")
def _():
    end, start = os.pipe()
    os.write(start, b"evil")
    call("splice", end, 0, os.open(HOME + "/victim", os.O_RDONLY), 0, 4, 0)


@attempt("E21c", "... by sendfile")
def _():
    write("mine3")
    os.sendfile(os.open(HOME + "/victim", os.O_RDONLY), os.open("mine3", os.O_RDONLY), 0, 4)


@attempt("E21d", "make room in it")
def _():
    call("fallocate", os.open(HOME + "/victim", os.O_RDONLY), 0, 0, 100)


@attempt("E22", "a path that only another mount has")
def _():
    write("/proc/%d/cwd/x" % OUTSIDE)


@attempt("E22b", "a file system that is mounted outside while this runs")
def _():
    write("mount-now")  # escapes.py mounts it when it sees this, if it may
    end = time.time() + 0.5
    while time.time() < end:
        try:
            write(HOME + "/mounted/x")
            return
        except OSError as e:
            last = e
    raise last


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


@attempt("E26b", "... and the one above that")
def _():
    os.rename(WORK, WORK + "2")


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


@attempt("E27f", "... through a link to nothing")
def _():
    os.symlink(".mcp.json", "dangling")
    write("dangling")


@attempt("E27g", "... through two of them, by an absolute path")
def _():
    os.symlink(WORK + "/.mcp.json", "second")
    os.symlink("second", "first")
    write("first")


@attempt("E27h", "... by /proc/self/cwd")
def _():
    write("/proc/self/cwd/.mcp.json")


@attempt("E27i", "... by a link to /proc/self/cwd")
def _():
    os.symlink("/proc/self/cwd", "here")
    write("here/.mcp.json")


@attempt("E27j", "... by the name of a descriptor")
def _():
    write("/dev/fd/%d/.mcp.json" % os.open(".", os.O_PATH))


@attempt("E27k", "... relative to a descriptor")
def _():
    os.mkdir("deeper")
    os.open("../.mcp.json", os.O_CREAT | os.O_WRONLY, dir_fd=os.open("deeper", os.O_PATH))


@attempt("E27l", "... in a directory of any name")
def _():
    os.makedirs("some/where")
    write("some/where/.mcp.json")


@attempt("E27m", "... as a second name")
def _():
    write("seed")
    os.link("seed", ".mcp.json")


@attempt("E27n", "... of a file without a name")
def _():
    fd = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600)
    os.link("/proc/self/fd/%d" % fd, ".mcp.json", follow_symlinks=True)


@attempt("E27o", "... as a FIFO")
def _():
    os.mkfifo(".mcp.json")


@attempt("E27p", "a directory that is moved to .vscode, with tasks.json in it")
def _():
    os.mkdir("code")
    write("code/tasks.json")
    os.rename("code", ".vscode")


@attempt("E27q", "... that is linked to")
def _():
    os.mkdir("code2")
    write("code2/tasks.json")
    os.symlink("code2", ".vscode")


@attempt("E27r", "... that is exchanged for it")
def _():
    os.mkdir("code3")
    write("code3/tasks.json")
    os.mkdir(".vscode")
    call("renameat2", -100, b"code3", -100, b".vscode", 2)


@attempt("E27s", "tasks.json in a .vscode of its own")
def _():
    os.makedirs(".vscode", exist_ok=True)
    write(".vscode/tasks.json")


def lost_or_won(name):
    """Raises either: what is made must be gone afterwards, and escapes.py looks whether it is, and was told."""
    raise ValueError("won: " + name if os.path.lexists(name) else "lost")


def race(names, name, use):
    """Uses a path that another thread changes all the time."""
    path, size, end = ctypes.create_string_buffer(16), len(names[0]), time.time() + 0.7

    def flip():
        while time.time() < end:
            for text in names:
                ctypes.memmove(path, text, size)

    threading.Thread(target=flip, daemon=True).start()
    while time.time() < end:
        use(path)
    lost_or_won(name)


@attempt("E28", "make .mcp.json by a path that changes while it is looked at")
def _():
    def use(path):
        fd = libc.open(path, os.O_CREAT | os.O_WRONLY, 0o600)
        if fd >= 0:
            os.close(fd)
    race([b"harmless\0", b".mcp.json"], ".mcp.json", use)


@attempt("E28b", "move a directory to .claude by such a path")
def _():
    def use(path):
        os.makedirs("prepared", exist_ok=True)
        libc.rename(b"prepared", path)
    race([b"harmles\0", b".claude\0"], ".claude", use)


def changed_or_not(name, text="original\n"):
    """As lost_or_won(), of something that is protected."""
    try:
        raise ValueError("lost" if open(name).read() == text else "won: " + name)
    except OSError:
        raise ValueError("won: " + name)


@attempt("E23c", "write .git/config by a path that changes while it is looked at")
def _():
    # They end alike: one that is read while it changes is one of the two, and no third file below .git.
    names, end = [b"harmlessfig\0", b".git/config\0"], time.time() + 0.7
    path = ctypes.create_string_buffer(16)

    def flip():
        while time.time() < end:
            for text in names:
                ctypes.memmove(path, text, 12)

    threading.Thread(target=flip, daemon=True).start()
    while time.time() < end:
        fd = libc.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        if fd >= 0:
            os.write(fd, b"evil")
            os.close(fd)
    changed_or_not(".git/config")


@attempt("E23d", "open .git/config for reading, and again for writing")
def _():
    fd = os.open("nested/.git/config", os.O_RDONLY)
    try:
        os.write(os.open("/proc/self/fd/%d" % fd, os.O_WRONLY), b"evil")
    except OSError:
        pass
    changed_or_not("nested/.git/config")


@attempt("E23e", "write it by another name")
def _():
    try:
        os.link(".git/modules/sub/config", "another-name")
        write("another-name")
    except OSError:
        pass
    changed_or_not(".git/modules/sub/config")


@attempt("E23f", "make a hook by the name of a descriptor")
def _():
    write("/proc/self/fd/%d/post-commit" % os.open(".git/hooks", os.O_PATH))
    raise ValueError("won: .git/hooks/post-commit")


@attempt("E26c", "move what is above a repository by the name of a descriptor, and make another")
def _():
    os.rename("/proc/self/cwd/nested", "nested-moved")
    os.makedirs("nested/.git")
    write("nested/.git/config")
    changed_or_not("nested/.git/config")


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


@attempt("E29e", "unmount lazily what is above it")
def _():
    call("umount2", WORK.encode(), 2 | 8)


@attempt("E30", "other spellings of .git/config")
def _():
    for name in (".git/./config", ".git//config", "./.git/hooks/../config", ".git/config/", WORK + "/.git/config",
                 "nested/../.git/config"):
        try:
            write(name)
            return
        except OSError as e:
            last = e
    raise last


@attempt("E31", "settings of a submodule, and of a linked worktree")
def _():
    for name in (".git/modules/sub/config", ".git/worktrees/w/config.worktree"):
        try:
            write(name)
            return
        except OSError as e:
            last = e
    raise last


@attempt("E31b", "... by moving what is above them")
def _():
    for name in (".git/modules/sub", ".git/modules", ".git/worktrees/w", ".git/worktrees"):
        try:
            os.rename(name, "elsewhere")
            return
        except OSError as e:
            last = e
    raise last


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


@attempt("E35b", "the handle of a hidden file")
def _():
    handle, mount = ctypes.create_string_buffer(136), ctypes.create_string_buffer(4)
    struct.pack_into("I", handle, 0, 128)
    call("name_to_handle_at", -100, (HOME + "/victim").encode(), handle, mount, 0)
    call("open_by_handle_at", os.open(WORK, os.O_RDONLY), handle, 0)


@attempt("E36", "the machine's memory")
def _():
    open("/dev/mem", "rb")


@attempt("E36b", "a disk")
def _():
    if not [n for n in os.listdir("/dev") if n.startswith(("sd", "vd", "nvme", "loop", "dm-", "kvm", "fuse"))]:
        raise OSError(errno.ENOENT, "no disk")


@attempt("E36c", "the kernel's log, and what is typed")
def _():
    for name in ("/dev/kmsg", "/dev/input", "/dev/uinput", "/dev/port", "/dev/sda", "/dev/vda", "/dev/nvme0n1"):
        if os.path.exists(name):
            return
    raise OSError(errno.ENOENT, "none")


@attempt("E36d", "open what is in /dev")
def _():
    for name in os.listdir("/dev"):
        if name in ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "stdin", "stdout", "stderr", "fd"):
            continue
        try:
            if not os.path.isdir("/dev/" + name):
                os.open("/dev/" + name, os.O_RDONLY | os.O_NONBLOCK)
                return
        except OSError as e:
            last = e
    raise last if "last" in dir() else OSError(errno.ENOENT, "nothing")


@attempt("E36e", "read what is typed at another terminal")
def _():
    os.open(TERMINAL, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)


@attempt("E36f", "write to another terminal")
def _():
    os.open(TERMINAL, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)


@attempt("E37", "a secret of the environment")
def _():
    if "MY_TOKEN" not in os.environ:
        raise OSError(errno.ENOENT, "not set")


@attempt("E37b", "the environment of the first process")
def _():
    open("/proc/1/environ", "rb").read()


@attempt("E37c", "a secret in the environment of any process")
def _():
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and b"MY_TOKEN=secret" in open("/proc/%s/environ" % name, "rb").read():
                return
        except OSError:
            pass
    raise OSError(errno.ENOENT, "none")


@attempt("E38", "what Warder keeps: tokens, the journal, the trash")
def _():
    os.listdir(HOME + "/.local/state/warder")


@attempt("E38b", "... by its name")
def _():
    open(HOME + "/.local/state/warder/cells/token").read()


@attempt("E39", "a hidden file of the workspace")
def _():
    open(".env").read()


@attempt("E39b", "... by moving it")
def _():
    os.rename(".env", "env")


@attempt("E40", "run a hidden file")
def _():
    os.execv(HOME + "/.ssh/id", ["id"])


@attempt("E40b", "map a hidden file")
def _():
    fd = os.open(HOME + "/.netrc", os.O_RDONLY)
    mmap.mmap(fd, 0, prot=mmap.PROT_READ)


# ---- processes ----
@attempt("E41", "see a process outside")
def _():
    os.stat("/proc/%d" % OUTSIDE)


@attempt("E42", "kill a process outside")
def _():
    os.kill(OUTSIDE, signal.SIGKILL)


@attempt("E41b", "read its environment, memory and descriptors")
def _():
    for name in ("environ", "mem", "maps", "fd/0"):
        try:
            open("/proc/%d/%s" % (OUTSIDE, name), "rb").read(1)
            return
        except OSError as e:
            last = e
    raise last


@attempt("E42b", "signal it as a thread")
def _():
    call("tgkill", OUTSIDE, OUTSIDE, signal.SIGKILL)


@attempt("E42c", "signal it by a descriptor")
def _():
    call("pidfd_send_signal", call("pidfd_open", OUTSIDE, 0), signal.SIGKILL, 0, 0)


@attempt("E42d", "signal everyone")
def _():
    os.kill(-1, signal.SIGCONT)
    raise OSError(errno.EPERM, "a process that was stopped outside says whether it came")


@attempt("E42e", "signal its group")
def _():
    os.killpg(os.getpgid(OUTSIDE), signal.SIGCONT)
    raise OSError(errno.EPERM, "a process that was stopped outside says whether it came")


@attempt("E42f", "signal one's own group, in which others are")
def _():
    signal.signal(signal.SIGCONT, signal.SIG_IGN)
    os.kill(0, signal.SIGCONT)
    raise OSError(errno.EPERM, "a process that was stopped outside says whether it came")


@attempt("E42g", "signal one's own group by a descriptor of oneself")
def _():
    signal.signal(signal.SIGCONT, signal.SIG_IGN)
    call("pidfd_send_signal", call("pidfd_open", os.getpid(), 0), signal.SIGCONT, 0, 4)
    raise OSError(errno.EPERM, "a process that was stopped outside says whether it came")


@attempt("E43", "trace a process outside")
def _():
    call("ptrace", 16, OUTSIDE, 0, 0)


@attempt("E43b", "read its memory")
def _():
    room = ctypes.create_string_buffer(16)
    here = struct.pack("2Q", ctypes.addressof(room), 16)
    call("process_vm_readv", OUTSIDE, here, 1, here, 1, 0)


@attempt("E43c", "write its memory")
def _():
    room = ctypes.create_string_buffer(16)
    here = struct.pack("2Q", ctypes.addressof(room), 16)
    call("process_vm_writev", OUTSIDE, here, 1, here, 1, 0)


@attempt("E43d", "seize it")
def _():
    call("ptrace", 0x4206, OUTSIDE, 0, 0)


@attempt("E44", "take a descriptor of another process")
def _():
    call("pidfd_getfd", call("pidfd_open", os.getppid(), 0), 0, 0)


@attempt("E45", "limit a process outside")
def _():
    resource.prlimit(OUTSIDE, resource.RLIMIT_NOFILE, (3, 3))


@attempt("E45b", "its priority")
def _():
    os.setpriority(os.PRIO_PROCESS, OUTSIDE, 19)


@attempt("E45c", "its processors")
def _():
    call("sched_setaffinity", OUTSIDE, 8, struct.pack("Q", 1))


@attempt("E45d", "its turn at the disk")
def _():
    call("ioprio_set", 1, OUTSIDE, 3 << 13)


@attempt("E45e", "the priority of all processes of the user")
def _():
    os.setpriority(os.PRIO_USER, os.getuid(), 5)
    if TIER == "namespaces":
        raise OSError(errno.EPERM, "all that it sees are of the cell: the one outside says whether it came")


@attempt("E45f", "the processors of the one that started this")
def _():
    call("sched_setaffinity", OUTSIDE, 8, struct.pack("Q", 1))


@attempt("E46", "end the first process, and with it whoever answers")
def _():
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGUSR1):
        os.kill(1, number)
    with open("/proc/1/stat") as f:
        if f.read().split()[2] in "TZX":
            return
    raise OSError(errno.EPERM, "it lives")


@attempt("E48", "the memory of the first process")
def _():
    open("/proc/1/mem", "rb").read(1)


@attempt("E48b", "trace the first process")
def _():
    call("ptrace", 16, 1, 0, 0)


@attempt("E49", "signals of a file for a process outside")
def _():
    fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, OUTSIDE)


@attempt("E49b", "... of a socket")
def _():
    fcntl.ioctl(socket.socketpair()[0], 0x8901, struct.pack("i", OUTSIDE))  # FIOSETOWN


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


@attempt("E50f", "each other namespace")
def _():
    for flag in (0x20000000, 0x40000000, 0x8000000, 0x4000000, 0x2000000):
        for how in ("unshare", "clone"):
            try:
                if call(how, flag | (signal.SIGCHLD if how == "clone" else 0), 0, 0, 0, 0) == 0 and how == "clone":
                    os._exit(0)
                return
            except OSError as e:
                last = e
    raise last


@attempt("E51b", "join each namespace of the first process")
def _():
    for name in os.listdir("/proc/1/ns"):
        try:
            call("setns", os.open("/proc/1/ns/" + name, os.O_RDONLY), 0)
            return
        except OSError as e:
            last = e
    raise last


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


@attempt("E52d", "exchange the root")
def _():
    call("pivot_root", b"/tmp", b"/tmp")


@attempt("E52e", "a file system that is there, by descriptor")
def _():
    call("fspick", -100, b"/", 0)


@attempt("E52f", "mount a descriptor")
def _():
    call("fsmount", 0, 0, 0)


@attempt("E53", "become another user")
def _():
    os.setuid(1 if os.getuid() == 0 else 0)


@attempt("E53b", "programs that become another user")
def _():
    other = "nobody"
    for words in (["sudo", "-n", "true"], ["su", other, "-s", "/bin/sh", "-c", "true"], ["pkexec", "true"],
                  ["runuser", "-u", other, "true"], ["setpriv", "--reuid", "65534", "true"], ["mount", "-t", "tmpfs", "x", "/mnt"],
                  ["newgrp", "disk"], ["chsh", "-s", "/bin/sh"], ["fusermount3", "-u", "/"], ["crontab", "/dev/null"]):
        try:
            if subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=10).returncode == 0:
                return
        except OSError:
            pass
    raise OSError(errno.EPERM, "none did")


@attempt("E54", "privileges by running a program")
def _():
    if "NoNewPrivs:\t1\n" not in open("/proc/self/status").read():
        return
    raise OSError(errno.EPERM, "none")


@attempt("E55", "a cell with a plan of one's own")
def _():
    plan = {"version": 1, "program": "/bin/sh", "words": ["sh", "-c", "echo evil >> %s/.bashrc" % HOME], "directory": "/",
            "write": [HOME]}
    fd = os.memfd_create("plan", 0)
    os.write(fd, json.dumps(plan).encode())
    os.lseek(fd, 0, os.SEEK_SET)
    if subprocess.run([os.environ["CELL_PROGRAM"], "--plan", str(fd)], pass_fds=[fd], capture_output=True).returncode != 125:
        return
    raise OSError(errno.EPERM, "125")


@attempt("E55b", "... without namespaces")
def _():
    plan = {"version": 1, "tier": "landlock", "program": "/bin/sh", "words": ["sh", "-c", "echo evil >> %s/.bashrc" % HOME],
            "directory": "/", "write": [HOME]}
    fd = os.memfd_create("plan", 0)
    os.write(fd, json.dumps(plan).encode())
    os.lseek(fd, 0, os.SEEK_SET)
    if subprocess.run([os.environ["CELL_PROGRAM"], "--plan", str(fd)], pass_fds=[fd], capture_output=True).returncode != 125:
        return
    raise OSError(errno.EPERM, "125")


def capability(*sets):
    for line in open("/proc/self/status"):
        if line.startswith(sets) and int(line.split()[1], 16):
            return
    raise OSError(errno.EPERM, "none")


@attempt("E56", "a capability that is left")
def _():
    capability("CapInh", "CapPrm", "CapEff", "CapAmb")


@attempt("E56b", "one that could be gained, if anything could be")
def _():
    capability("CapBnd")


@attempt("E57", "calls of another architecture")
def _():
    if ARM:
        raise OSError(errno.ENOSYS, "there is none")
    ctypes.set_errno(0)
    if libc.syscall(ctypes.c_long(0x40000000 | 39)) < 0:  # getpid(), as x32
        raise OSError(ctypes.get_errno(), "x32")


@attempt("E57b", "... by int 0x80")
def _():
    if ARM:
        raise OSError(errno.ENOSYS, "there is none")
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
    # user-mode-linux takes it for the call that has this number otherwise, which the filter judges as such
    if ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(code)))() != os.getpid():
        raise OSError(errno.ENOSYS, "no call of another architecture")


@attempt("E58", "the keys of the session")
def _():
    call("keyctl", 0, -3, 0, 0, 0)


@attempt("E58b", "ask for a key")
def _():
    call("request_key", b"user", b"x", b"y", 0)


@attempt("E58c", "put a key there")
def _():
    call("add_key", b"user", b"x", b"y", 1, -3)


@attempt("E59", "a program for the kernel")
def _():
    call("bpf", 0, ctypes.create_string_buffer(128), 128)


@attempt("E59b", "counters of the machine")
def _():
    call("perf_event_open", ctypes.create_string_buffer(128), 0, -1, -1, 0)


@attempt("E59c", "page faults by hand")
def _():
    call("userfaultfd", 1)


@attempt("E60", "ports and segments of the processor")
def _():
    if ARM:
        raise OSError(errno.ENOSYS, "there are none")
    for name, args in (("iopl", (3,)), ("modify_ldt", (1, ctypes.create_string_buffer(16), 16))):
        try:
            call(name, *args)
            return
        except OSError as e:
            last = e
    raise last


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


@attempt("E62d", "... by a path of a hundred parts")
def _():
    os.chdir(HOME)
    reach(socket.AF_UNIX, socket.SOCK_STREAM, "./" * 45 + "server")


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


@attempt("E64d", "... of a connected stream, by sendmsg")
def _():
    socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).sendmsg([b"evil"], [], 0, HOME + "/datagrams")


@attempt("E64e", "the system's log")
def _():
    reach(socket.AF_UNIX, socket.SOCK_DGRAM, "/dev/log")


@attempt("E66", "packets")
def _():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


@attempt("E66b", "the hypervisor")
def _():
    socket.socket(40, socket.SOCK_STREAM)


@attempt("E66c", "the kernel's ciphers")
def _():
    socket.socket(38, socket.SOCK_SEQPACKET)


@attempt("E66d", "every other family")
def _():
    for family in range(3, 47):
        if family not in (socket.AF_INET6, socket.AF_NETLINK):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
                try:
                    socket.socket(family, kind)
                    return
                except OSError as e:
                    last = e
    raise last


@attempt("E66e", "raw packets of the internet")
def _():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)


@attempt("E66f", "datagrams, and other protocols than TCP", "landlock")
def _():
    for family in (socket.AF_INET, socket.AF_INET6):
        for kind, protocol in ((socket.SOCK_DGRAM, 0), (socket.SOCK_DGRAM, 17), (socket.SOCK_STREAM, 132), (socket.SOCK_STREAM, 262),
                               (socket.SOCK_SEQPACKET, 132), (socket.SOCK_DGRAM, 136), (socket.SOCK_RAW, 255), (socket.SOCK_DGRAM, 1),
                               (socket.SOCK_STREAM | (1 << 40), 0)):
            try:
                call("socket", family, kind, protocol)
                if kind < 1 << 32:
                    return
            except OSError as e:
                last = e
    raise last


@attempt("E66g", "messages to the kernel and from it", "landlock")
def _():
    for protocol in list(range(1, 22)):
        try:
            socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol)
            return
        except OSError as e:
            last = e
    raise last


@attempt("E67", "a server on the host's loopback")
def _():
    reach(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT))


@attempt("E67b", "... by version 6")
def _():
    reach(socket.AF_INET6, socket.SOCK_STREAM, ("::ffff:127.0.0.1", PORT))


@attempt("E67c", "... by no address")
def _():
    reach(socket.AF_INET, socket.SOCK_STREAM, ("0.0.0.0", PORT))


@attempt("E67d", "... at its own address")
def _():
    reach(socket.AF_INET, socket.SOCK_STREAM, (LAN, PORT))


@attempt("E67e", "... at ::1")
def _():
    reach(socket.AF_INET6, socket.SOCK_STREAM, ("::1", PORT))


@attempt("E67f", "... at other addresses of the loopback, and by others that mean it")
def _():
    for family, host in ((socket.AF_INET, "127.0.0.2"), (socket.AF_INET, "127.255.255.254"), (socket.AF_INET6, "::"),
                         (socket.AF_INET6, "::ffff:0.0.0.0"), (socket.AF_INET6, "::ffff:127.1.2.3")):
        try:
            reach(family, socket.SOCK_STREAM, (host, PORT))
            return
        except OSError as e:
            last = e
    raise last


@attempt("E67g", "a port that was one's own, when a server outside has it")
def _():
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind(("127.0.0.1", 0))
        s.listen()
        port = s.getsockname()[1]
    write("serve-now", str(port), "w")  # escapes.py does
    end = time.time() + 10
    while not os.path.exists("serving") and time.time() < end:
        time.sleep(0.02)
    if not os.path.exists("serving"):
        raise ValueError("nobody serves")
    reach(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port))


@attempt("E67i", "whoever answers for the cache of names: its process, its files, an answer, any other descriptor")
def _():
    SO_PEERPIDFD = 77
    last = OSError(errno.EACCES, "nobody is there")
    for path in ("/var/run/nscd/socket", "/run/nscd/socket"):
        for name in (b"localhost\0", b"x" * 70000, b"", b"a.example\0", b"../../etc\0"):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as s, open("/dev/null") as null:
                s.connect(path)
                for size in (4096, 1):  # a pidfd of the one that made the other end
                    try:
                        peer = s.getsockopt(socket.SOL_SOCKET, SO_PEERPIDFD)
                        call("pidfd_send_signal", peer, signal.SIGKILL, 0, 0)
                        return
                    except OSError as e:
                        last = e
                try:
                    s.sendmsg([struct.pack("iii", 2, 14, len(name)) + name], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", null.fileno()))])
                    data, files = s.recvmsg(100, socket.CMSG_SPACE(4))[:2]
                    if data or files:
                        return
                except OSError as e:
                    last = e
    raise last


@attempt("E67h", "a server at every address, by each way to it", "landlock")
def _():
    def address(family, prepare):
        s = socket.socket(family)
        try:
            prepare(s)
            s.listen()
        except OSError:
            return "127.0.0.1"
        return s.getsockname()[0]

    def forget(s):
        s.bind(("127.0.0.1", 0))
        libc.connect(s.fileno(), struct.pack("H14x", 0), 16)

    found = [address(socket.AF_INET, lambda s: None), address(socket.AF_INET6, lambda s: None),
             address(socket.AF_INET, lambda s: s.bind(("0.0.0.0", 0))), address(socket.AF_INET6, lambda s: s.bind(("::", 0))),
             address(socket.AF_INET, lambda s: s.bind((LAN, 0))), address(socket.AF_INET, forget),
             address(socket.AF_INET6, lambda s: s.bind(("::ffff:0.0.0.0", 0)))]
    if [a for a in found if a not in ("127.0.0.1", "::ffff:127.0.0.1", "::1")]:
        return
    raise OSError(errno.EACCES, "all are on the loopback")


@attempt("E68", "data with the first packet")
def _():
    socket.socket().sendto(b"evil", 0x20000000, ("127.0.0.1", PORT))


@attempt("E68b", "... of a socket that connects when it is written")
def _():
    s = socket.socket()
    s.setsockopt(socket.IPPROTO_TCP, 30, 1)  # TCP_FASTOPEN_CONNECT
    s.connect(("127.0.0.1", PORT))
    s.send(b"evil")


@attempt("E68c", "connect to nobody, and again")
def _():
    s = socket.socket(socket.AF_UNIX)
    libc.connect(s.fileno(), struct.pack("H14x", 0), 16)
    s.connect(HOME + "/server")
    s.send(b"evil")


@attempt("E69", "wait for somebody at every address")
def _():
    s = socket.socket()
    s.bind(("0.0.0.0", OWN_PORT))
    s.listen()
    s.settimeout(0.5)
    s.accept()


@attempt("E70", "the machine's metadata")
def _():
    reach(socket.AF_INET, socket.SOCK_STREAM, ("169.254.169.254", 80))


@attempt("E70c", "... by version 6")
def _():
    reach(socket.AF_INET6, socket.SOCK_STREAM, ("fd00:ec2::254", 80))


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


@attempt("E72", "a socket that is exchanged while it connects")
def _():
    end = time.time() + 0.7
    inside = socket.socket(socket.AF_UNIX)
    inside.bind(WORK + "/inside2")
    inside.listen(64)
    target = socket.socket(socket.AF_UNIX).fileno()

    def exchange():
        while time.time() < end:
            other = socket.socket(socket.AF_UNIX)
            os.dup2(other.fileno(), target)
            try:
                os.write(target, b"evil")
            except OSError:
                pass

    threading.Thread(target=exchange, daemon=True).start()
    name = struct.pack("H", socket.AF_UNIX) + (HOME + "/server").encode() + b"\0"
    while time.time() < end:
        libc.connect(target, name, len(name))
        try:
            os.write(target, b"evil")
        except OSError:
            pass
    raise OSError(errno.EACCES, "the server outside says what came")


@attempt("E71b", "a port that changes while it is looked at")
def _():
    inside = socket.socket()
    inside.bind(("127.0.0.1", 0))
    inside.listen(64)
    address, end = ctypes.create_string_buffer(16), time.time() + 0.7
    struct.pack_into("H2x4s", address, 0, socket.AF_INET, socket.inet_aton("127.0.0.1"))
    ports = [struct.pack("!H", inside.getsockname()[1]), struct.pack("!H", PORT)]

    def flip():
        while time.time() < end:
            for port in ports:
                ctypes.memmove(ctypes.addressof(address) + 2, port, 2)

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
        with socket.socket() as s:
            if libc.connect(s.fileno(), address, 16) == 0:
                try:
                    s.send(b"evil")
                except OSError:
                    pass
    raise OSError(errno.EACCES, "the server outside says what came")


@attempt("E72b", "a socket that is exchanged while it gets a name", "landlock")
def _():
    end, number, made = time.time() + 0.7, socket.socket().detach(), []

    def exchange():
        while time.time() < end:
            for family in (socket.AF_UNIX, socket.AF_INET):
                other = socket.socket(family)
                os.dup2(other.fileno(), number)
                if family == socket.AF_INET:
                    made.append(other)
                del made[:-200]

    threading.Thread(target=exchange, daemon=True).start()
    every = struct.pack("!HH4s8x", socket.htons(socket.AF_INET), 0, socket.inet_aton("0.0.0.0"))
    while time.time() < end:
        libc.bind(number, every, 16)
        libc.listen(number, 1)
        for s in list(made):
            try:
                if s.getsockname()[0] == "0.0.0.0" and s.getsockname()[1]:
                    return
            except OSError:
                pass
    raise OSError(errno.EACCES, "all are on the loopback")


def race_metadata(use):
    """A path that another thread changes all the time; the file outside says whether it was met."""
    names = [b"own-file".ljust(len(HOME) + 8, b"\0"), (HOME + "/victim\0").encode()]
    path, end = ctypes.create_string_buffer(len(HOME) + 16), time.time() + 0.7
    write("own-file")

    def flip():
        while time.time() < end:
            for text in names:
                ctypes.memmove(path, text, len(text))

    threading.Thread(target=flip, daemon=True).start()
    while time.time() < end:
        use(path)
    raise OSError(errno.EACCES, "the file outside says whether it changed")


@attempt("E73", "change a mode by a path that changes while it is looked at")
def _():
    race_metadata(lambda path: libc.chmod(path, 0o777))


@attempt("E73b", "... times")
def _():
    race_metadata(lambda path: libc.utimes(path, struct.pack("4l", 1, 0, 1, 0)))


@attempt("E73c", "... the mode by a link that changes")
def _():
    end = time.time() + 0.7
    write("own-file2")

    def flip():
        while time.time() < end:
            for to in ("own-file2", HOME + "/victim"):
                os.symlink(to, "flip-new")
                os.rename("flip-new", "flipping")

    threading.Thread(target=flip, daemon=True).start()
    while time.time() < end:
        libc.chmod(b"flipping", 0o777)
    raise OSError(errno.EACCES, "the file outside says whether it changed")


@attempt("E74", "an address for the network")
def _():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    fcntl.ioctl(s, 0x8916, struct.pack("16sHH4s8x", b"lo", socket.AF_INET, 0, socket.inet_aton("10.0.0.1")))


@attempt("E74b", "... by netlink")
def _():
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    body = struct.pack("BBBBi", socket.AF_INET, 8, 0, 0, 1) + struct.pack("HH4s", 8, 2, socket.inet_aton("10.0.0.1"))
    s.send(struct.pack("IHHII", 16 + len(body), 20, 0x605, 1, 0) + body)  # RTM_NEWADDR, with an answer
    failed = struct.unpack_from("i", s.recv(4096), 16)[0]
    if failed:
        raise OSError(-failed, "netlink")


# ---- terminal, limits ----
@attempt("E83", "type into the terminal")
def _():
    fcntl.ioctl(0, termios.TIOCSTI, b"x")


@attempt("E83b", "... with other bits above the number")
def _():
    if libc.syscall(ctypes.c_long(29 if ARM else 16), ctypes.c_long(0), ctypes.c_long((1 << 40) | 0x5412), b"x") != 0:
        raise OSError(ctypes.get_errno(), "ioctl")


@attempt("E83c", "paste into a console")
def _():
    fcntl.ioctl(0, 0x541C, b"\x03")


@attempt("E84", "shared memory of outside")
def _():
    open("/dev/shm/warder-escape-%d" % PORT).read()


@attempt("E84b", "... by its key")
def _():
    call("shmget", PORT, 0, 0)


@attempt("E84c", "a queue of messages")
def _():
    call("mq_open", b"warder-escape-%d" % PORT, os.O_RDWR, 0, 0)


@attempt("E84d", "locks and messages with keys", "landlock")
def _():
    for name, args in (("semget", (PORT, 1, 0o1666)), ("msgget", (PORT, 0o1666)), ("shmget", (0, 4096, 0o1600))):
        try:
            call(name, *args)
            return
        except OSError as e:
            last = e
    raise last


@attempt("E85", "a core file")
def _():
    if resource.getrlimit(resource.RLIMIT_CORE) == (0, 0):
        raise OSError(errno.EPERM, "none")


@attempt("E87", "more processes than it may have")
def _():
    if resource.getrlimit(resource.RLIMIT_NPROC)[0] > 4096:
        return
    if os.getuid() == 0:
        raise OSError(errno.EAGAIN, "root is not counted")
    resource.setrlimit(resource.RLIMIT_NPROC, (40, 40))
    for _ in range(100):
        if os.fork() == 0:
            time.sleep(1)
            os._exit(0)


@attempt("E96", "what the check of this machine found")
def _():
    write(HOME + "/.cache/warder/cell", "{}", "w")


@attempt("E44b", "the descriptors of the keeper")
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
        except ValueError as e:
            told = str(e)
        os.write(start, told.encode())
        os._exit(0)
    os.close(start)
    os.waitpid(child, 0)
    told = os.read(end, 1000).decode() or "it was killed"
    os.close(end)
    return told


os.chdir(WORK)
json.dump([(number, what, play(function)) for number, what, function in attempts], sys.stdout)
