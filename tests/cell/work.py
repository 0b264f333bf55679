#!/usr/bin/env python3
"""Ordinary work in a cell: each command of work.tsv, plain and in the sandbox, does the same and leaves no other traces. And
a cell itself leaves none: one that runs nothing, in what the command has made, changes nothing there or in a home.

usage: tests/cell/work.py WARDER [--tier TIER] [--peer SRT] [TEXT]    TEXT: only the rows that have it

What cannot work in a cell without namespaces is in work_exceptions.tsv, with the reason; a row there that works is a fault.

SRT: the program of @anthropic-ai/sandbox-runtime, installed outside of the tree; the same rows in its sandbox, for comparison.

Whether a command may run is not asked here: the cell gets the plan that `warder sandbox plan` makes for it."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from users import enter_namespace, landlock_version, libc, must

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = ("PATH", "HOME", "USER", "LANG", "TERM")  # other variables may name caches that a cell cannot write


def rows():
    for line in open(os.path.join(HERE, "work.tsv")):
        if not line.startswith("#") and line.strip():
            need, command = line.rstrip("\n").split("\t", 1)
            programs, kind = need.split("|")
            yield programs.split(), kind == "code", int(kind) if kind.isdigit() else 0, command


def exceptions():
    """Parts of the commands that cannot work without namespaces."""
    with open(os.path.join(HERE, "work_exceptions.tsv")) as f:
        return [line.split("\t")[0] for line in f if line.strip() and not line.startswith("#")]


def names(directory):
    return sorted(os.path.relpath(os.path.join(top, name), directory) for top, dirs, files in os.walk(directory)
                  for name in dirs + files if ".git/" not in top and not top.endswith(".git"))


def run(words, directory, keep=()):
    done = subprocess.run(words, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                          pass_fds=keep, env={n: v for n, v in os.environ.items() if n in KEPT})
    # a shell says of a signal what a cell says
    return done, done.returncode if done.returncode >= 0 else 128 - done.returncode, names(directory)


def run_plain(command, directory):
    os.mkdir(directory)
    return run(["bash", "-c", command], directory)


def run_contained(warder, command, directory, tier, home=None):
    options = ["--tier", tier] + (["--home", home] if home else [])
    plan = subprocess.run([warder, "sandbox", "plan", *options, "--", "/bin/bash", "-c", command], cwd=directory, check=True,
                          capture_output=True).stdout
    fd = os.memfd_create("plan", 0)
    os.write(fd, plan)
    os.lseek(fd, 0, os.SEEK_SET)
    done = run([os.path.join(os.path.dirname(warder), "warder-cell"), "--plan", str(fd)], directory, [fd])
    os.close(fd)
    return done


def run_peer(program, command, directory, settings):
    """What another sandbox makes of it: it may write in the same places, and hosts are no part of the table."""
    os.mkdir(directory)
    with open(settings, "w") as f:
        json.dump({"network": {"allowedDomains": [], "deniedDomains": []},
                   "filesystem": {"allowWrite": [directory, "/tmp"], "denyRead": [], "denyWrite": []}}, f)
    return run([program, "-s", settings, "-c", command], directory)


def make_home(home):
    for name in (".ssh/id", ".config/gh/hosts.yml", ".gitconfig", ".bashrc", ".cache/x/y", ".claude/settings.json"):
        os.makedirs(os.path.dirname(home + "/" + name), exist_ok=True)
        with open(home + "/" + name, "w") as f:
            f.write("x\n")


def listing(*directories):
    """Every name with all that is known of it but when it was last read."""
    found = {}
    for directory in directories:
        for top, dirs, files in os.walk(directory):
            for path in [top] + [os.path.join(top, name) for name in dirs + files]:
                st = os.lstat(path)
                found[path] = (st.st_mode, st.st_uid, st.st_ino, st.st_nlink, st.st_size, st.st_mtime_ns, st.st_ctime_ns)
    return found


def traces(warder, directory, tier, home):
    before = listing(directory, home)
    done, code, _ = run_contained(warder, "true", directory, tier, home)
    after = listing(directory, home)
    return [] if code == 0 and before == after else [
        "exit %d %s" % (code, done.stderr)] + [p for p in before | after if before.get(p) != after.get(p)]


def main():
    arguments = sys.argv[1:]
    peer = arguments.pop(arguments.index("--peer") + 1) if "--peer" in arguments else None
    tier = arguments.pop(arguments.index("--tier") + 1) if "--tier" in arguments else "namespaces"
    arguments = [a for a in arguments if a not in ("--peer", "--tier")]
    warder, text = os.path.realpath(arguments[0]), arguments[1] if len(arguments) > 1 else ""
    if tier == "landlock" and landlock_version() < 2:
        print("SKIPPED: this kernel has no Landlock (version %d)" % landlock_version())
        sys.exit(77)
    if tier == "namespaces" and subprocess.run(["unshare", "-Urmn", "true"], capture_output=True).returncode != 0:
        print("SKIPPED: no user namespaces here")
        sys.exit(77)
    excepted = exceptions() if tier == "landlock" else []
    if tier == "landlock":  # with a /tmp of its own: what others hide there decides whether such a cell can write it
        enter_namespace()
        must(libc.mount(b"none", b"/tmp", b"tmpfs", 0, b"mode=1777"))
    # not below /tmp: that is writable in every cell
    root = tempfile.mkdtemp(prefix="warder-work-", dir="/var/tmp")
    home = root + "/home"
    make_home(home)
    same = skipped = failed = peers = known = 0
    for number, (programs, code_only, wanted, command) in enumerate(rows()):
        if text not in command:
            continue
        missing = [p for p in programs if not shutil.which(p)]
        if missing:
            skipped += 1
            print("skipped, no %s: %s" % (missing[0], command[:60]))
            continue
        plain, plain_code, plain_names = run_plain(command, "%s/%d-plain" % (root, number))
        if plain_code != wanted:
            failed += 1
            print("FAIL: it ends with %d outside, and so proves nothing: %s\n  %s" % (plain_code, command, plain.stderr[-600:]))
            continue
        directory = "%s/%d-cell" % (root, number)
        os.mkdir(directory)
        cell, cell_code, cell_names = run_contained(warder, command, directory, tier)
        left = traces(warder, directory, tier, home)
        wrong = left or plain_code != cell_code or (not code_only and (plain.stdout, plain_names) != (cell.stdout, cell_names))
        if [part for part in excepted if part in command]:
            known += bool(wrong)
            failed += not wrong
            print(("cannot work here: %s" if wrong else "FAIL: it works, and work_exceptions.tsv has it: %s") % command[:60])
            continue
        same, failed = same + (not wrong), failed + bool(wrong)
        if peer:
            there, there_code, there_names = run_peer(peer, command, "%s/%d-peer" % (root, number), root + "/settings")
            as_plain = plain_code == there_code and (code_only or (plain.stdout, plain_names) == (there.stdout, there_names))
            peers += as_plain
            if not as_plain:
                print("peer: not as plain: %s" % command[:100])
        if wrong:
            print("FAIL: %s\n  plain %d %r %s\n  cell  %d %r %s\n  %s\n  traces %s" % (
                command, plain_code, plain.stdout[-300:], plain_names, cell_code, cell.stdout[-300:], cell_names,
                cell.stderr[-600:], left))
    shutil.rmtree(root, ignore_errors=True)
    print("%s: %d as plain, %d not, %d that cannot, %d skipped" % (tier, same, failed, known, skipped))
    if peer:
        print("%d as plain in %s" % (peers, os.path.basename(peer)))
    sys.exit(1 if failed or not same else 0)


main()
