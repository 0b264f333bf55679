"""Parts of a test as other users, each in a process of its own with a user database of its own: what Warder keeps for a user
lies in the home that the database names, and a test must not write in a real one."""
import ctypes
import os
import sys
import traceback

USER = 12345
NEW_USERS, NEW_MOUNTS, BIND, PRIVATE = 0x10000000, 0x20000, 4096, 16384 | (1 << 18)
libc = ctypes.CDLL(None, use_errno=True)


def landlock_version():
    """0: the kernel has none."""
    return max(0, libc.syscall(ctypes.c_long(444), None, ctypes.c_long(0), ctypes.c_long(1)))


def must(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def enter_namespace():
    """A mount namespace, and for who is not root a user namespace to make it in."""
    user, group = os.getuid(), os.getgid()
    must(libc.unshare(NEW_MOUNTS | (NEW_USERS if user else 0)))
    if user:
        for name, text in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (user, user)), ("gid_map", "%d %d 1" % (group, group))):
            with open("/proc/self/" + name, "w") as f:
                f.write(text)
    must(libc.mount(None, b"/", None, PRIVATE, None))


def own_database(home, user):
    """From here on the user database of this process has one user."""
    enter_namespace()
    with open(home + "-passwd", "w") as f:
        f.write("user:x:%d:%d::%s:/bin/sh\n" % (user, user, home))
    os.chmod(home + "-passwd", 0o644)
    must(libc.mount((home + "-passwd").encode(), b"/etc/passwd", None, BIND, None))


def become(user, home):
    os.makedirs(home)
    if os.getuid() == 0:
        os.chown(home, user, user)
    own_database(home, user)
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)


def users():
    return [0, USER] if os.getuid() == 0 else [os.getuid()]


def as_user(user, home, part, *args):
    """Whether part(*args), as this user with this home, returns True."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        good = False
        try:
            become(user, home)
            good = part(*args)
            sys.stdout.flush()
        except Exception:  # nobody else would say so
            traceback.print_exc()
        finally:
            os._exit(0 if good else 1)
    return os.waitpid(child, 0)[1] == 0
