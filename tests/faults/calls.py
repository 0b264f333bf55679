#!/usr/bin/env python3
"""One system call of a program fails, for each in turn: what was no stays no, and what is said to be done is done.

    tests/faults/calls.py BUILD [--all] [--only TEXT]

Every scene is a home, a command and what must hold however it ends. fail_call (tests/drivers) makes the n-th call fail, with an error that
changes from call to call: some calls of each scene, --all: each of them, with all errors. Exit 1 if something did not hold, 77 where the
kernel cannot do this."""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

ERRORS = ["EIO", "ENOMEM", "EACCES", "EINTR", "EMFILE", "ENOSPC"]
BLOCKED, NOT_POSSIBLE, SOME = 2, 77, 30
POLICY = 'deny: ["Bash(frob off)"]\nallow: ["Bash(frob on)"]\nundo: {use: on}\n'


def event(command, mode, project):
    return json.dumps({"session_id": "s", "transcript_path": "t", "prompt_id": "p", "cwd": project, "permission_mode": mode,
                       "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "u"})


class Home:
    """One that has a policy and a project, and can be taken up again as it was."""

    def __init__(self, build, root):
        self.build, self.root, self.home, self.project = build, root, root + "/home", root + "/home/project"
        self.state = self.home + "/.local/state/warder"
        self.environment = {"HOME": self.home, "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SHELL": "/bin/bash"}

    def prepare(self, given):
        shutil.rmtree(self.home, ignore_errors=True)
        os.makedirs(self.project)
        self.write(".config/warder/warder.yaml", POLICY)
        self.write("project/a.txt", "precious\n")
        for step in given:
            step(self)
        shutil.rmtree(self.root + "/saved", ignore_errors=True)
        shutil.copytree(self.home, self.root + "/saved", symlinks=True)

    def take_up_again(self):
        shutil.rmtree(self.home)
        shutil.copytree(self.root + "/saved", self.home, symlinks=True)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.home + "/" + name), exist_ok=True)
        with open(self.home + "/" + name, "w") as f:
            f.write(text)

    def run(self, words, text="", before=()):
        """before: fail_call and its arguments."""
        words = [self.build + "/" + words[0], *words[1:]]
        return subprocess.run([*before, *words], input=text, capture_output=True, text=True, cwd=self.project, env=self.environment, timeout=60)

    def said(self, done):
        """What the client makes of it: allow, deny, ask; a hook that ends in any other way lets the call go on."""
        if done.returncode == BLOCKED:
            return "deny"
        try:
            return json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] if done.returncode == 0 else "broken"
        except (ValueError, KeyError):
            return "broken"

    def hook(self, program, command, mode="default", before=()):
        return self.said(self.run([*program, "--home", self.home, "--client", "claude"], event(command, mode, self.project), before))

    def allows_recorded(self):
        lines = [line for name in glob.glob(self.state + "/journal/*.jsonl") for line in open(name)]
        return sum('"behavior":"allow"' in line and line.endswith("}\n") for line in lines)


# ---- what must hold ----

class Denied:
    """A call that a rule denies is denied, even in the mode in which everything else runs."""
    usual = "deny"

    def __init__(self, program, fresh=False):
        self.program, self.fresh = program, fresh

    def wrong(self, home, before):
        self.said = home.hook(self.program, "frob off", "bypassPermissions", before)
        return "" if self.said == "deny" else "the hook said " + self.said


class Recorded:
    """A call that is allowed is in the journal."""
    fresh, usual = False, "allow"

    def __init__(self, program):
        self.program = program

    def wrong(self, home, before):
        known = home.allows_recorded()
        self.said = home.hook(self.program, "frob on", before=before)
        if self.said == "broken" or self.said == "allow" and home.allows_recorded() != known + 1:
            return "the hook said %s, and there are %d records more" % (self.said, home.allows_recorded() - known)
        return ""


class Saved:
    """A call that is allowed only because what it deletes is saved has saved it."""
    fresh, usual = True, "allow"

    def __init__(self, program):
        self.program = program

    def wrong(self, home, before):
        self.said = home.hook(self.program, "rm a.txt", before=before)
        if self.said != "allow":
            return "the hook said broken" if self.said == "broken" else ""
        os.unlink(home.project + "/a.txt")
        if "a.txt" not in home.run(["warder", "undo", "list"]).stdout + home.run(["warder", "undo", "show"]).stdout:
            return "it is allowed, and nothing is saved"
        return ""


class Never:
    """A command whose answer is no does not say yes: its exit code is not 0."""
    fresh, usual = False, "no"

    def __init__(self, code, *words):
        self.code, self.words = code, words

    def wrong(self, home, before):
        done = home.run([word.replace("HOME", home.home) for word in self.words], before=before)
        self.said = "no" if done.returncode == self.code else "exit %d" % done.returncode
        return "it says yes: " + done.stdout[:200] if done.returncode == 0 else ""


class Done:
    """A command that ends well has done what it is for."""
    fresh, usual = True, "done"

    def __init__(self, words, so):
        self.words, self.so = words, so

    def wrong(self, home, before):
        done = home.run(self.words, before=before)
        self.said = "done" if done.returncode == 0 else "failed"
        return "it says that it is done, and it is not" if done.returncode == 0 and not self.so(home, done) else ""


# ---- what a home has ----

def asked(home):
    """A call was judged: there is a journal, and an image of the policy."""
    for program in ["warder-hook"], ["warder", "hook"]:
        if os.path.exists(home.build + "/" + program[0]):
            home.hook(program, "frob on")


def damaged(home):
    """The journal, in one record."""
    asked(home)
    home.hook(["warder", "hook"], "frob off")
    (name,) = glob.glob(home.state + "/journal/*.jsonl")
    with open(name) as f:
        text = f.read()
    with open(name, "w") as f:
        f.write(text.replace("frob on", "frob up", 1))


def wrong_policy(home):
    home.write("wrong.yaml", "deny: [Bash(frob off)]\ndenny: [Bash]\n")


def failing_examples(home):
    home.write("examples.yaml", 'allow: ["Bash(frob:*)"]\ntests:\n  deny: [frob on]\n')


def project_policy(home):
    home.write("project/.warder/warder.yaml", 'allow: ["Bash(./deploy:*)"]\n')


def trusted(home):
    project_policy(home)
    home.run(["warder", "trust", "--yes"])


def installed(home):
    home.write(".claude/settings.json", "{}\n")
    home.run(["warder", "install", "claude", "--yes"])


def token(home):
    home.run(["warder", "token", "create", "--name", "t"])


def status_is(code, *words):
    return lambda home, done: home.run(list(words)).returncode == code


SMALL, WHOLE = ["warder-hook"], ["warder", "hook"]
SCENES = [
    ("a denied call, warder-hook", [asked], Denied(SMALL)),
    ("a denied call, warder-hook without its image", [], Denied(SMALL, fresh=True)),
    ("a denied call, warder hook", [asked], Denied(WHOLE)),
    ("an allowed call, warder-hook", [asked], Recorded(SMALL)),
    ("an allowed call, warder hook", [asked], Recorded(WHOLE)),
    ("a call that deletes, warder-hook", [asked], Saved(SMALL)),
    ("a call that deletes, warder hook", [asked], Saved(WHOLE)),
    ("check of a denied call", [], Never(1, "warder", "check", "Bash", "frob off")),
    ("run of a denied call", [], Never(126, "warder", "run", "--home", "HOME", "-c", "frob off")),
    ("verification of a damaged journal", [damaged], Never(1, "warder", "log", "verify")),
    ("a policy that is wrong", [wrong_policy], Never(65, "warder", "policy", "check", "../wrong.yaml")),
    ("examples that fail", [failing_examples], Never(1, "warder", "test", "../examples.yaml")),
    ("trust in a project without it", [project_policy], Never(1, "warder", "trust", "status")),
    ("what an untrusted project allows", [project_policy], Never(2, "warder", "check", "Bash", "./deploy x")),
    ("trust is given", [project_policy], Done(["warder", "trust", "--yes"], status_is(0, "warder", "trust", "status"))),
    ("trust is taken", [trusted], Done(["warder", "untrust"], status_is(1, "warder", "trust", "status"))),
]


# ---- all of them ----

def tries(calls, everything):
    """Which call is to fail, and how."""
    if everything:
        return [(n, error) for n in range(1, calls + 1) for error in ERRORS]
    return [(n, ERRORS[n % len(ERRORS)]) for n in range(1, calls + 1, max(1, calls // SOME))]


def play(home, name, given, what, everything):
    """How many calls failed, and how often something did not hold."""
    home.prepare(given)
    said = home.root + "/said"

    def wrong(n, error):
        if what.fresh:
            home.take_up_again()
        why = what.wrong(home, [home.build + "/tests/fail_call", str(n), error, said])
        with open(said) as f:
            seen, failed = map(int, f.read().split())
        if why:
            print("FAIL %s: call %d (number %d) fails with %s: %s" % (name, n, failed, error, why), flush=True)
        return seen, why

    calls, _ = wrong(0, ERRORS[0])
    if what.said != what.usual:
        sys.exit("%s: without a failure it says %s instead of %s" % (name, what.said, what.usual))
    ends = [(n, *wrong(n, error)) for n, error in tries(calls, everything)]
    return sum(seen >= n for n, seen, _ in ends), sum(bool(why) for _, _, why in ends)


def main():
    build, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    only = words[words.index("--only") + 1] if "--only" in words else ""
    # not below /tmp, where an agent can write
    with tempfile.TemporaryDirectory(prefix="warder-calls-", dir="/var/tmp") as root:
        home = Home(build, root)
        able = subprocess.run([build + "/tests/fail_call", "0", "EIO", root + "/said", "/bin/true"], stderr=subprocess.DEVNULL)
        if able.returncode == NOT_POSSIBLE:
            print("SKIPPED: this kernel does not tell of calls")
            sys.exit(NOT_POSSIBLE)
        bad = 0
        for name, given, what in SCENES:
            if only in name and os.path.exists(build + "/" + getattr(what, "program", ["warder"])[0]):
                failed, wrong = play(home, name, given, what, "--all" in words)
                print("%-50s %4d calls failed, %d times it did not hold" % (name, failed, wrong), flush=True)
                bad += wrong or not failed
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
