#!/usr/bin/env python3
"""Real git loses work in repositories of all kinds, nobody is asked, and `warder undo` gives everything back.

usage: tests/judges/git/undo.py WARDER [--part N/M]

Each command of COMMANDS, and of PREPARED after what it says there, is put to the real hook in each repository of KINDS, as Claude Code would; it must be allowed; git runs it;
a person undoes it. Then the work tree, the refs, their logs, the index and the work trees of submodules and of linked work trees
must be what they were, byte for byte. Where the session's own directory is a linked work tree, or a submodule is meant, nothing can
be saved, and the call must ask.
"""
import argparse
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile

BEGIN = """git init -q --template= -b main %s . && git config user.email a@b && git config user.name n && git config gc.auto 0
echo '*.o' > .gitignore && mkdir d && for i in 1 2 3 4 5; do seq $((i * 10)) > f$i; seq $i > d/g$i; done
ln -s f1 l && git add -A && git commit -qm one && git branch topic && echo more >> f1 && git commit -qam two
git checkout -q topic && echo t > t && git add -A && git commit -qm three && git checkout -q main
git branch old HEAD~1 && git tag tagged old && echo stashed >> f2 && git stash -q"""
DIRTY = """echo mod >> f1; echo staged > staged; git add staged; echo un > untracked; mkdir -p u/v; echo u > u/v/w; echo o > x.o; rm f5
chmod 755 f4; ln d/g1 hard; mkfifo fifo; echo n > d/new; echo mod >> d/g2"""
NEW = "git init -q %s && (cd %s && git config user.email a@b && git config user.name n && echo s > s && git add -A && git commit -qm s)"
KINDS = {
    "plain": "",
    "packed refs": "git pack-refs --all; git gc -q",
    "linked work tree": "git worktree add -q ../linked -b linked && echo dirty > ../linked/f1",
    "submodule": NEW % ("../other", "../other") + " && git -c protocol.file.allow=always submodule add -q ../other mod &&"
                 " git commit -qm sub && echo dirty >> mod/s && echo new > mod/new",
    "nested repository": NEW % ("nested", "nested") + " && echo dirty >> nested/s",
    "split index": "git update-index --split-index",
    "SHA-256": "",
}
COMMANDS = """git reset --hard
git reset --hard HEAD~1
git clean -fd
git clean -fdx
git clean -ffdx
git checkout -- .
git checkout .
git restore .
git restore --staged --worktree .
git checkout topic -- .
git stash drop
git stash clear
git stash && git stash drop
git branch -D topic
git tag -d tagged
git update-ref -d refs/heads/old
git switch -f topic
git checkout -f topic
git rm -rf d
git rm -f f3
git -C d clean -fd
cd d && git checkout -- .
git stash && git rebase topic
git stash && git rebase --onto topic old main
rm -rf d && git checkout -- . && git clean -fdx""".splitlines()
# rebase with a conflict: it stops, and is then given up, passed over or gone on with
CLASH = """git stash -q && git checkout -q -b clash old && echo clash >> f1 && git commit -qam clash && echo after > after &&
git add after && git commit -qm after && echo late > late"""
STOPPED = CLASH + "; GIT_EDITOR=true git rebase -q main; test -d .git/rebase-merge"
PREPARED = {
    "git rebase main": CLASH,
    "git rebase --onto topic main clash": CLASH,
    "git rebase --abort": STOPPED,
    "git rebase --skip": STOPPED,
    "git rebase --quit": STOPPED,
    "git reset -q --hard": STOPPED,
    "git checkout --theirs f1 && git add f1 && GIT_EDITOR=true git rebase --continue": STOPPED,
}
ASKS = {
    "submodule": ["git -C mod reset --hard", "git submodule update --force", "git submodule deinit -f mod"],
    "linked work tree": ["git worktree remove --force ../linked"],
    "plain": ["git gc --prune=now", "git reflog expire --expire=now --all", "rm -rf .git"],
    "inside a linked work tree": ["git reset --hard", "git clean -fdx", "git checkout -- .", "git stash drop", "git branch -D old"],
}


def everything(top):
    """One line for each path but git's objects; nothing if there is no such directory."""
    lines = set()
    for at, directories, files in os.walk(os.fsencode(top)):
        if os.path.basename(at) == b"objects" and b"/.git" in at:
            directories.clear()
            continue
        for path in (os.path.join(at, name) for name in directories + files):
            st = os.lstat(path)
            line = b"%s %o " % (os.path.relpath(path, os.fsencode(top)), st.st_mode)
            if stat.S_ISREG(st.st_mode):
                with open(path, "rb") as f:
                    line += hashlib.sha256(f.read()).hexdigest().encode()
            lines.add(line + (os.readlink(path) if stat.S_ISLNK(st.st_mode) else b""))
    return lines


class Place:
    def __init__(self, warder, root, kind):
        self.warder, self.root, self.home, self.cwd = warder, root, root + "/home", root + "/p"
        self.env = {"HOME": self.home, "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1"}
        os.makedirs(self.home + "/.config/warder")
        os.makedirs(self.cwd)
        with open(self.home + "/.config/warder/warder.yaml", "w") as f:
            f.write("undo: {use: on}\n")
        self.run("set -e\n" + BEGIN % ("--object-format=sha256" if kind == "SHA-256" else ""), True)
        self.run(KINDS["linked work tree" if "linked" in kind else kind], True)
        self.run(DIRTY, True)
        if kind == "inside a linked work tree":
            self.cwd = root + "/linked"

    def run(self, command, must=False):
        return subprocess.run(["bash", "-c", command], cwd=self.cwd, env=self.env, check=must, capture_output=True)

    def now(self):
        return everything(self.root + "/p") | {b"linked: " + line for line in everything(self.root + "/linked")}

    def event(self, name, command):
        text = json.dumps({"session_id": "s", "cwd": self.cwd, "permission_mode": "default", "hook_event_name": name,
                           "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "u"})
        done = subprocess.run([self.warder, "hook", "--client", "claude", "--home", self.home] + ["--ran"] * (name == "PostToolUse"),
                              input=text, cwd=self.cwd, env=self.env, capture_output=True, text=True)
        return json.loads(done.stdout)["hookSpecificOutput"] if done.stdout.strip() else {}

    def undo(self):
        return subprocess.run(["script", "-qec", "%s undo --home %s" % (self.warder, self.home), "/dev/null"], cwd=self.cwd,
                              env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace").stdout


def judge(place, command, asks):
    """None, or what is wrong."""
    if not asks:
        place.run(PREPARED.get(command, ":"), True)
    before = place.now()
    answer = place.event("PreToolUse", command)
    if (answer.get("permissionDecision") == "ask") != asks:
        return "the answer is %s" % answer
    if asks:
        return None if place.now() == before else "the hook has changed something"
    place.run(command)
    place.event("PostToolUse", command)
    changed = place.now() != before
    said = place.undo()
    now = place.now()
    if now != before:
        return "lost %s, more %s: %s" % (sorted(before - now)[:3], sorted(now - before)[:3], said)
    may_change_nothing = command not in PREPARED and ("rebase" in command or "reset" in command)
    return None if changed or may_change_nothing else "it has changed nothing"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("warder")
    p.add_argument("--part", default="1/1")
    given = p.parse_args()
    part, parts = map(int, given.part.split("/"))
    cases = [(kind, command, False) for kind in KINDS for command in [*COMMANDS, *PREPARED]] + [(k, c, True) for k in ASKS for c in ASKS[k]]
    cases, failed = cases[part - 1::parts], 0
    for kind, command, asks in cases:
        root = os.path.realpath(tempfile.mkdtemp(prefix="warder-undo-git-", dir="/var/tmp"))
        try:
            wrong = judge(Place(os.path.abspath(given.warder), root, kind), command, asks)
        finally:
            shutil.rmtree(root)
        if wrong:
            failed += 1
            print("%s: %s: %s" % (kind, command, wrong))
    print("%d commands of git in repositories of %d kinds: %d as they should" % (len(cases), len(KINDS) + 1, len(cases) - failed))
    sys.exit(1 if failed else 0)


main()
