"""What a program did, from a trace of its system calls: for tools/prove-rows.

A fact is what a row says, as tests/cases/programs writes it: an effect ("network"), or letters and a path ("R:a.txt"). It was
seen if the program at least tried: a file that cannot be opened was tried as well as one that can.
"""
import os, re

CALLS = ("%file,%network,execve,kill,tkill,tgkill,pidfd_send_signal,ptrace,process_vm_readv,setpriority,ioprio_set,prlimit64,sched_setscheduler,"
         "sched_setaffinity,setuid,setgid,setreuid,setresuid,setresgid,setgroups,capset,unshare,setns,reboot,sethostname,setdomainname,settimeofday,"
         "clock_settime,adjtimex,clock_adjtime,swapon,swapoff,init_module,finit_module,delete_module,syslog,add_key,keyctl,bpf,perf_event_open")
LINE = re.compile(r"(?:\d+ +)?(\w+)\((.*)")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
LOOKS = {"stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getxattr", "lgetxattr", "listxattr",
         "llistxattr", "chdir", "statfs"}
WRITES = {"creat", "mkdir", "mkdirat", "mknod", "mknodat", "chmod", "fchmodat", "chown", "lchown", "fchownat", "utimensat", "utimes", "utime",
          "futimesat", "truncate", "setxattr", "lsetxattr", "removexattr"}
DELETES = {"unlink", "unlinkat", "rmdir"}
MOVES = {"rename", "renameat", "renameat2"}
LINKS = {"link", "linkat", "symlink", "symlinkat"}
PROCESSES = {"kill", "tkill", "tgkill", "pidfd_send_signal", "ptrace", "process_vm_readv", "setpriority", "ioprio_set", "sched_setscheduler", "sched_setaffinity"}
BECOMES = {"setuid", "setgid", "setreuid", "setresuid", "setresgid", "setgroups", "capset", "unshare", "setns", "chroot", "pivot_root"}
MACHINE = {"mount", "umount2", "reboot", "sethostname", "setdomainname", "settimeofday", "clock_settime", "adjtimex", "clock_adjtime", "swapon", "swapoff",
           "init_module", "finit_module", "delete_module", "syslog", "quotactl", "acct"}
SYSTEM_PLACES = re.compile(r"/(etc|usr|var|run|boot|dev/(?!null|tty|pts|ptmx|shm)|sys|proc/sys|lib)")
STARTS_FROM = {"Makefile", "package.json", "CMakeLists.txt", "Cargo.toml", "go.mod", "build.ninja", "a.go", "main.rs"}
READ, WRITE, DELETE, LOOK, RUN = "RWDBF"


class Seen:
    """What one run did: `paths` maps what was done to the paths that it was done to."""

    def __init__(self, trace, printed, changed, project, secret):
        self.paths = {how: set() for how in (READ, WRITE, DELETE, LOOK, RUN)}
        self.calls, self.network, self.words = set(), False, set()
        self.changed, self.project, self.leaked = changed, project, secret in printed
        for line in trace:
            m = LINE.match(line)
            if m:
                self.take(m[1], m[2])

    def take(self, call, rest):
        names = STRING.findall(rest)
        self.calls.add(call)
        if call in ("connect", "sendto", "sendmsg", "bind") and re.search(r"AF_INET|AF_PACKET|AF_NETLINK", rest):
            self.network |= "AF_NETLINK" not in rest
        elif call == "connect" and re.search(r'sun_path=@?"[^"]*(docker|podman|dbus|systemd|cups|snapd|X11|libvirt)', rest):
            self.paths[WRITE].add("/run/socket")
        elif call == "socket" and re.search(r"AF_PACKET|SOCK_RAW", rest):
            self.network = True
        elif names:
            self.take_paths(call, names, rest)

    def take_paths(self, call, names, rest):
        if call.startswith("open"):
            if re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND", rest):
                self.paths[WRITE].add(names[0])
            if "O_WRONLY" not in rest:
                self.paths[READ].add(names[0])
        elif call in LOOKS:
            self.paths[LOOK].add(names[0])
        elif call in WRITES:
            self.paths[WRITE].add(names[0])
        elif call in DELETES:
            self.paths[DELETE].add(names[0])
        elif call in MOVES | LINKS:
            self.paths[READ].add(names[0])
            self.paths[WRITE].add(names[-1])
            if call in MOVES:
                self.paths[DELETE].add(names[0])
        elif call.startswith("execve"):
            self.paths[RUN].add(names[0])
            self.words.update(names[1:])

    def touched(self, how, path):
        """Was it done to this path, or to one below it? Names are enough: each is there once."""
        if path in (".", ""):
            return any(not p.startswith("/") or p.startswith(self.project) for p in self.paths[how])
        name = os.path.basename(path.rstrip("/"))
        return any(name in p.split("/") for p in self.paths[how])

    def ran(self):
        return any("evil" in p for p in self.paths[RUN] | self.paths[READ]) or any("evil" in w for w in self.words)

    def has_path(self, letters, path):
        path = path.rsplit(":", 1)[-1] if path.startswith("file:") else path
        return all(self.has_letter(letter.upper(), path) for letter in letters)

    def has_letter(self, letter, path):
        if letter in "NM":
            return self.network
        if letter in "XS":
            return "evil" in path and self.ran()
        if letter == "O":
            return False
        if letter == "P":
            return self.touched(LOOK, path) or self.touched(READ, path)
        if letter == "B":
            return self.touched(LOOK, path) or self.touched(READ, path)
        if letter == "F":
            return self.touched(RUN, path) or self.touched(READ, path)
        return self.touched(letter, path)

    def has_effect(self, effect):
        system = MACHINE & self.calls or any(SYSTEM_PLACES.match(p) for p in self.paths[WRITE] | self.paths[DELETE])
        own = {p for p in self.changed if p.startswith(self.project)}
        checks = {
            "code": self.ran(), "inner": self.ran(), "editor": any("the-editor" in p for p in self.paths[RUN]),
            "network": self.network, "fetch": self.network, "send": self.network, "install": self.network or system,
            "privilege": BECOMES & self.calls, "process": PROCESSES & self.calls, "system": system,
            "project": self.ran() or any(os.path.basename(p) in STARTS_FROM for p in self.paths[READ]),
            "repository": any("/.git/" in p for p in own), "loss": any(not made for made in self.changed.values()),
            "secrets": self.leaked or any(re.search(r"id_rsa|\.netrc|\.env$", p) for p in self.paths[READ]),
        }
        return bool(checks.get(effect))

    def has(self, fact):
        letters, colon, path = fact.partition(":")
        return self.has_path(letters.rstrip("?"), path) if colon else self.has_effect(fact)
