#!/usr/bin/env python3
"""The sandbox with the real agents: a contained call, one that meets a wall, a person who lets it out, an agent's own rule.

usage: tests/judges/clients/contained.py WARDER [--client NAME] [--verbose]

Each agent has Warder installed as a person installs it, with `sandbox: {use: auto}`, in a home that the user database names. The
model asks for a program that nobody knows, and which writes in the project and beside it: the first must be there, the second not,
and the model must read what was refused and how a person can let it out. A person then does so at a terminal, the model asks
again, and it runs outside; a third time it is contained again. In a second run the agent has a deny rule of its own on the program,
and nothing runs. An agent that does not run what it is answered (Qwen) must not be answered so.
"""
import argparse
import glob
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from agents import AGENTS, LIMIT, common, go_offline, results_of, skip, wait_for, write

PROGRAM = "#!/bin/sh\necho ran >> made\necho out >> %s/evil\n"
CALL = "frobnicate once"
WITHOUT_SHELL = ("gemini", "qwen")  # where nobody can be asked they have no shell tool
LET = "until test -e let; do sleep 0.2; done"


class Run:
    """One agent in fresh directories; `denied`: with a rule of its own."""

    def __init__(self, warder, agent, steps, denied=False):
        self.warder, self.agent, self.denied = warder, agent, denied
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="warder-cells-", dir="/var/tmp"))  # a cell can write in /tmp
        # Codex starts a login shell, which sets its own PATH.
        self.program = self.root + "/bin/frobnicate" if agent.name == "codex" else "frobnicate"
        self.steps = [s.replace("frobnicate", self.program) for s in steps]
        self.home, self.project = self.root + "/home", self.root + "/home/proj"
        os.makedirs(self.project)
        write(self.root + "/bin/frobnicate", PROGRAM % self.home, 0o755)
        write(self.home + "/.config/warder/warder.yaml", "sandbox: {use: auto}\ndisableBypassPermissionsMode: true\n")
        write(self.root + "/passwd", "root:x:%d:%d::%s:/bin/bash\n" % (os.getuid(), os.getgid(), self.home))
        self.flags, self.said, self.approved = [], "", None

    def inside(self, words):
        return ["bwrap", "--dev-bind", "/", "/", "--bind", self.root + "/passwd", "/etc/passwd", "--"] + words

    def environment(self, more=()):
        env = {**common.base_env(self.root), **dict(more), "SHELL": "/bin/bash"}
        env.pop("XDG_STATE_HOME", None)
        return {**env, "PATH": self.root + "/bin:" + env["PATH"]}

    def warder_run(self, *words):
        return subprocess.run(self.inside([self.warder, *words]), cwd=self.project, env=self.environment(), capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=120)

    # ---- an own rule of the agent ----

    def add_rule(self):
        name = self.agent.name
        if name in ("claude", "qwen"):
            path = os.path.join(self.home, self.agent.registration)
            settings = json.load(open(path))
            settings["permissions"] = {"deny": ["Bash(frobnicate *)"]}
            write(path, settings)
        elif name == "codex":
            write(self.home + "/.codex/rules/default.rules", 'prefix_rule(pattern=["%s"], decision="forbidden")\n' % self.program)
        elif name == "gemini":
            write(self.home + "/.gemini/policies/mine.toml",
                  '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "frobnicate"\ndecision = "deny"\npriority = 900\n')
        elif name == "copilot":
            self.flags = ["--deny-tool", "shell(frobnicate)", "--deny-tool", "shell(frobnicate:*)"]
        else:
            path = self.project + "/opencode.json"
            settings = json.load(open(path))
            settings["permission"] = {"bash": {"*": "allow", "frobnicate *": "deny"}}
            write(path, settings)

    # ---- the person ----

    def records(self):
        paths = sorted(glob.glob(self.home + "/.local/state/warder/journal/*.jsonl"))
        return [json.loads(line) for path in paths for line in open(path)]

    def token(self):
        for record in self.records():
            if record.get("contained", {}).get("token"):
                return record["contained"]["token"]
        return None

    def approve(self):
        """At a terminal, as soon as the call has met its wall; then the model goes on."""
        try:
            wait_for(lambda: self.token() and glob.glob(self.home + "/.local/state/warder/cells/ran-*-" + self.token()), 90)
            pid, fd = pty.fork()
            if pid == 0:
                os.chdir(self.project)
                os.execvpe("bwrap", self.inside([self.warder, "outside", self.token()]), {**self.environment(), "TERM": "xterm"})
            screen, end = b"", time.time() + 60
            while time.time() < end:
                try:
                    os.write(fd, b"a")  # keys are ignored for a while
                    if select.select([fd], [], [], 0.3)[0]:
                        screen += os.read(fd, 65536)
                except OSError:
                    break
            self.approved = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0 or screen.decode(errors="replace")[-600:]
        except TimeoutError:
            self.approved = "it never came to that"
        finally:
            write(self.project + "/let", "")

    def go(self):
        server, port = common.start_llm(self.root, [self.agent.shell(c) for c in self.steps])
        url = "http://127.0.0.1:" + port
        person = threading.Thread(target=self.approve, daemon=True)
        try:
            self.agent.settings(self.home, self.project, url)
            for words in (["install", self.agent.name, "--yes", "--edits", "no"], ["sandbox", "check"]):
                done = self.warder_run(*words)
                if done.returncode:
                    raise RuntimeError("warder %s: %s" % (" ".join(words), done.stdout + done.stderr))
            if self.denied:
                self.add_rule()
            elif self.agent.rewrites:
                person.start()
            env = self.environment(self.agent.environment(self.home, url))
            done = subprocess.run(self.inside(self.agent.command("careful") + self.flags), cwd=self.project, env=env,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
            self.said = done.stdout + done.stderr
        finally:
            server.terminate()
            server.wait()

    def canary(self):
        """What doctor says of a call that it has the agent make: its exit code, and its words."""
        self.steps = ["sandbox-canary"]
        server, port = common.start_llm(self.root, [self.agent.shell(c) for c in self.steps])
        url = "http://127.0.0.1:" + port
        try:
            self.agent.settings(self.home, self.project, url)
            if self.agent.name == "opencode":  # whose model is in the project, which is not where it will be started
                write(self.home + "/.config/opencode/opencode.json", open(self.project + "/opencode.json").read())
            if self.agent.name == "gemini":  # which then trusts no folder by itself
                path = self.home + "/.gemini/settings.json"
                write(path, open(path).read().replace('"enabled": false', '"enabled": true', 1))
            self.agent.put_in(self.root + "/bin")
            for words in (["install", self.agent.name, "--yes", "--edits", "no"], ["sandbox", "check"]):
                self.warder_run(*words)
            if self.agent.name == "codex":
                self.agent.trust_hooks(self.home, self.project, self.root)
            env = self.environment(self.agent.environment(self.home, url))
            done = subprocess.run(self.inside([self.warder, "doctor", "--live", "--yes", self.agent.name]), cwd=self.project, env=env,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
            return done.returncode, done.stdout + done.stderr
        finally:
            server.terminate()
            server.wait()

    # ---- what came of it ----

    def lines(self, path):
        return len(open(path).readlines()) if os.path.exists(path) else 0

    def made(self):
        return self.lines(self.project + "/made")

    def evil(self):
        return self.lines(self.home + "/evil")

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)


def faults_of(run):
    """What is not as it must be after the whole story."""
    told = [str(r["content"]) for r in results_of(run.root)]
    first = told[0] if told else ""
    faults = []
    if not any(r.get("contained", {}).get("token") for r in run.records()):
        faults.append("nothing was contained")
    if "this ran in the sandbox" not in first or "evil" not in first:
        faults.append("the model was not told what was refused: " + first[:300])
    if not re.search(r"warder outside [0-9a-f]{8}", first):
        faults.append("the model was not told how a person can let it out")
    if run.approved is not True:
        faults.append("the person could not let it out: %s" % run.approved)
    if (run.made(), run.evil()) != (3, 1):
        faults.append("ran %d times, outside %d times; 3 and 1 are right" % (run.made(), run.evil()))
    if any(r.get("kind") == "sandbox-ignored" for r in run.records()):
        faults.append("the agent ignored an answer")
    return faults


def judge(warder, agent, verbose):
    faults = []
    for steps, denied in [([CALL, LET, CALL, CALL] if agent.rewrites else [CALL], False), ([CALL], True)]:
        run = Run(warder, agent, steps, denied)
        try:
            run.go()
            if verbose:
                print("   said: %s\n   told: %s\n   records: %s" % (run.said[-1500:], [str(r["content"])[:600] for r in results_of(run.root)],
                      [(r.get("kind"), r.get("behavior"), r.get("reason")) for r in run.records()]))
            if denied:
                faults += ["against its own rule: it ran"] if run.made() or run.evil() else []
            elif agent.rewrites:
                faults += faults_of(run)
            elif run.token():
                faults.append("it was answered with a token")
        finally:
            run.close()
    return faults + (canary_faults(warder, agent, verbose) if agent.name not in WITHOUT_SHELL else [])


def canary_faults(warder, agent, verbose):
    """doctor says in which tier a call of the real agent ran."""
    run = Run(warder, agent, [])
    try:
        code, said = run.canary()
        if verbose:
            print("   doctor: %d %s" % (code, said))
        words = "its call ran in one: namespaces"
        return [] if words in said else ["doctor does not say %r: %s" % (words, said[-600:])]
    finally:
        run.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warder")
    parser.add_argument("--client")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    if not shutil.which("bwrap"):
        skip("no bubblewrap here")
    go_offline()
    seen, failed = 0, 0
    for agent in AGENTS:
        if args.client and agent.name != args.client:
            continue
        if not agent.program():
            print("SKIPPED: %s is not installed" % agent.name)
            continue
        faults = judge(os.path.realpath(args.warder), agent, args.verbose)
        seen, failed = seen + 1, failed + bool(faults)
        print("%-5s %-9s %s" % ("FAIL" if faults else "ok", agent.name, "; ".join(faults)), flush=True)
    if not seen:
        skip("no agent is installed")
    sys.exit(1 if failed else 0)


main()
