#!/usr/bin/env python3
"""The work of whole projects as an agent does it: each call is put to the real hook, and what the hook answers is run.

usage: tests/cell/jobs.py WARDER [--peer SRT] [--verbose] [TEXT]    TEXT: only the jobs with it in their names

jobs/NAME.job has what the project is (a script), and below a line "---" the calls. A job is done three times by a user in a home
of its own: in cells, with the home as a newcomer has it; plainly, which fills the caches of the home; and in cells again. No call
may be asked about; each must end as it does plainly, and print the same; the project must have the same names afterwards, and
nothing may have changed in the home. What only looks may run outside of a cell. A call that fails plainly proves nothing, and is a fault of the job.

A job whose programs are not installed is skipped and said so. Programs from npm are looked for in PROGRAMS, too.
SRT: the program of @anthropic-ai/sandbox-runtime, which gets the same calls in a third copy of the project; it may write there
and in /tmp."""
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from users import as_user, enter_namespace, libc, must, users, BIND

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.expanduser("~/.cache/warder-work")
BIN = "/node_modules/.bin"
PLACE = "/opt"  # where a user's own programs may be, and an agent's are not
SECONDS = 120  # for one call
POLICY = "sandbox: {use: auto}\n"
# acceptEdits counts where the registration is the person's, as `warder install` makes it
REGISTERED = json.dumps({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "warder hook --client claude"}]}]}})
OWN = {".cache/warder", ".local/state"}  # what Warder itself keeps in a home


class Job:
    def __init__(self, path):
        with open(path) as f:
            head, calls = f.read().split("\n---\n")
        self.name = os.path.basename(path)[:-len(".job")]
        self.needs = re.search(r"^# needs (.*)", head).group(1).split()
        left = re.search(r"^# each time with other names: (.*)", head, re.M)
        self.left = left and left.group(1) + "/"
        self.user_only = "\n# not as root" in head
        self.script, self.calls = head, calls.splitlines()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def names(directory, job):
    found = (os.path.relpath(os.path.join(top, name), directory) for top, dirs, files in os.walk(directory) for name in dirs + files)
    return sorted(n for n in found if not job.left or not n.startswith(job.left))


def state_of(home, but):
    """Every file of the home with what is in it, but for some directories."""
    found = {}
    for top, dirs, files in os.walk(home):
        dirs[:] = [d for d in dirs if os.path.relpath(os.path.join(top, d), home) not in but]
        for name in dirs + files:
            path = os.path.join(top, name)
            content = "" if os.path.islink(path) or not os.path.isfile(path) else hashlib.sha256(open(path, "rb").read()).hexdigest()
            found[path] = (os.lstat(path).st_mode, content)
    return found


class Home:
    """A user's home, in which the sandbox is proved and Claude Code registered."""

    def __init__(self, warder, home, verbose):
        self.warder, self.home, self.verbose = warder, home, verbose
        path = ":".join(("/usr/local/bin", "/usr/bin", "/bin", PLACE + BIN))
        self.env = {"PATH": path, "HOME": home, "SHELL": "/bin/bash", "LANG": "C.UTF-8", "USER": "user", "GOTOOLCHAIN": "local"}
        write(home + "/.config/warder/warder.yaml", POLICY)
        write(home + "/.claude/settings.json", REGISTERED)
        for name in OWN:
            os.makedirs(home + "/" + name, mode=0o700)
        os.mkdir(home + "/other")
        subprocess.run([warder, "sandbox", "check"], cwd=home + "/other", env=self.env, check=True, capture_output=True)

    def run(self, words, project):
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:  # a pipe would wait for what is left running
            child = subprocess.Popen(words, cwd=project, env=self.env, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
            try:
                code = child.wait(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                code = child.wait()
            out.seek(0)
            err.seek(0)
            return code, out.read(), err.read()

    def bash(self, text, project):
        return self.run(["bash", "-c", text], project)

    def make(self, job, kind):
        """A copy of the project; the same length of path each time, for what prints it."""
        project = "%s/%s-%s" % (self.home, job.name, kind)
        os.mkdir(project)
        code, out, err = self.bash(job.script, project)
        assert code == 0, "the project of %s cannot be made: %s%s" % (job.name, out, err)
        return project

    def answer(self, call, project):
        """What runs in the place of the call, and whether in a cell; or None, and what the hook says."""
        event = {"session_id": project, "transcript_path": "t", "cwd": project, "permission_mode": "acceptEdits",
                 "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": call}, "tool_use_id": hashlib.md5(call.encode()).hexdigest()}
        done = subprocess.run([self.warder, "hook", "--client", "claude"], input=json.dumps(event), capture_output=True, text=True,
                              cwd=project, env={**self.env, "CLAUDE_PROJECT_DIR": project})
        said = json.loads(done.stdout or "{}").get("hookSpecificOutput", {})
        new = (said.get("updatedInput") or {}).get("command", "")
        if said.get("permissionDecision") == "allow" and re.search(r"/warder-cell [0-9a-f]{32}", new):
            return new, True
        if said.get("permissionDecision") == "allow" and not new:
            return call, False
        return None, "%s: %s" % (said.get("permissionDecision"), said.get("permissionDecisionReason", done.stderr))

    def do_plain(self, job):
        project = self.make(job, "plain")
        return [self.bash(call, project) for call in job.calls], names(project, job)

    def do_contained(self, job, kind):
        project = self.make(job, kind)
        before, done, cells = state_of(self.home, OWN | {os.path.basename(project)}), [], 0
        for call in job.calls:
            new, said = self.answer(call, project)
            cells += said is True
            done.append(self.bash(new, project) if new else (None, "", said))
        after = state_of(self.home, OWN | {os.path.basename(project)})
        traces = sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p))
        return done, names(project, job), traces if cells else ["no call ran in a cell"]

    def do_peer(self, job, peer):
        project = self.make(job, "other")
        peer = peer.replace(PROGRAMS, PLACE)  # where everybody can start it
        settings = self.home + "/peer.json"
        write(settings, json.dumps({"network": {"allowedDomains": [], "deniedDomains": []},
                                    "filesystem": {"allowWrite": [project, "/tmp"], "denyRead": [], "denyWrite": []}}))
        done = []
        for call in job.calls:
            done.append(self.run([peer, "-s", settings, "-c", call], project))
        return done, names(project, job)


def differences(job, plain, other):
    """Texts: in what the work differs from the plain one."""
    found = []
    for call, (code, out, _), (other_code, other_out, other_err) in zip(job.calls, plain[0], other[0]):
        if (code, out) != (other_code, other_out):
            found.append("%s\n    plain %d %r\n    else  %s %r\n    %s" % (call, code, out[-300:], other_code, other_out[-300:], other_err[-1500:]))
    if plain[1] != other[1]:
        found.append("names: %s" % sorted(set(plain[1]) ^ set(other[1]))[:20])
    return found


def do_all(warder, home, jobs, peer, verbose):
    """Every job, in this home, as the user of this process."""
    place, good = Home(warder, home, verbose), True
    for job in jobs:
        first = place.do_contained(job, "first")
        plain = place.do_plain(job)
        again = place.do_contained(job, "again")
        wrong = ["fails plainly: %s\n    %d %s%s" % (call, code, out[-800:], err[-800:]) for call, (code, out, err) in zip(job.calls, plain[0]) if code]
        wrong += ["new home: " + t for t in differences(job, plain, first)] + ["used home: " + t for t in differences(job, plain, again)]
        wrong += ["left a trace: " + p for p in (first[2] + again[2])[:10]]
        good = good and not wrong
        print("%s %-9s as user %d, %d calls%s" % ("FAIL" if wrong else "as plain", job.name, os.getuid(), len(job.calls), "".join("\n  " + w for w in wrong)))
        if peer:
            apart = differences(job, plain, place.do_peer(job, peer))
            print("  %s: %s" % (os.path.basename(peer), "; ".join(t if verbose else t.splitlines()[0] for t in apart) or "as plain"))
        sys.stdout.flush()
    return good


def missing_of(job, path):
    return [p for p in job.needs if not shutil.which(p, path=path)]


def bring_programs():
    """What npm has installed for this test lies in a home that not everybody can look into."""
    if not os.path.isdir(PROGRAMS):
        return
    must(libc.mount(PROGRAMS.encode(), PLACE.encode(), None, BIND, None))


def main():
    arguments = sys.argv[1:]
    peer = arguments.pop(arguments.index("--peer") + 1) if "--peer" in arguments else None
    verbose = "--verbose" in arguments
    arguments = [a for a in arguments if a not in ("--peer", "--verbose")]
    warder, text = os.path.realpath(arguments[0]), arguments[1] if len(arguments) > 1 else ""
    if subprocess.run(["unshare", "-Urmn", "true"], capture_output=True).returncode != 0:
        print("SKIPPED: no user namespaces here")
        sys.exit(77)
    enter_namespace()
    bring_programs()
    jobs = [Job(p) for p in sorted(glob.glob(HERE + "/jobs/*.job")) if text in os.path.basename(p)]
    for job in jobs:
        missing = missing_of(job, os.environ["PATH"] + ":" + PLACE + BIN)
        if missing:
            print("skipped, no %s: %s" % (missing[0], job.name))
            job.needs = None
    jobs = [j for j in jobs if j.needs]
    root = tempfile.mkdtemp(prefix="warder-jobs-", dir="/var/tmp")
    os.chmod(root, 0o755)
    try:
        good = True
        for user in users():
            mine = [j for j in jobs if user or not j.user_only]
            for job in jobs:
                if job not in mine:
                    print("skipped, not as root: %s" % job.name)
            home = "%s/%d" % (root, user)
            good = as_user(user, home, do_all, warder, home, mine, peer, verbose) and good
    finally:
        shutil.rmtree(root, ignore_errors=True)
    sys.exit(0 if good and jobs else 1 if jobs else 77)


main()
