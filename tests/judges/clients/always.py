#!/usr/bin/env python3
"""Always, and for this session, from where the question appears: the real Claude Code in its own window, with a person at it.

usage: tests/judges/clients/always.py WARDER [--verbose]

Claude Code asks because Warder does, and shows what to type. The person says yes once: the log has that, and the same call is
not asked about again in this session. The person types `warder allow --last` in another terminal: calls of this kind are not
asked about any more, and a kind that is denied stays denied.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from agents import AGENTS, common, go_offline, skip, wait_for, write

ONCE, KIND, OTHER = "curl -s https://once.example/", "curl -s https://kind.example/a", "curl -s https://kind.example/b"
DENIED = "touch denied.txt"
STEPS = [ONCE, ONCE, KIND, OTHER, DENIED]
PROMPT = "Do you want to proceed?"


class Window:
    """One terminal of the person."""

    def __init__(self, root, name, env, project, command):
        self.socket, self.env = root + "/" + name, env
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "140", "-y", "50", "-c", project, command)

    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", self.socket, *words], env=self.env, capture_output=True, text=True).stdout

    def screen(self):
        return self.tmux("capture-pane", "-p", "-J")

    def wait(self, text):
        wait_for(lambda: text in self.screen())

    def type(self, text):
        self.tmux("send-keys", "-l", text)
        time.sleep(0.5)
        self.tmux("send-keys", "Enter")

    def submit(self, text, seen):
        """Types it, until what follows is there: a program that is still starting takes the first Enter for a part of it."""
        self.type(text)
        for _ in range(9):
            try:
                return wait_for(lambda: seen in self.screen(), 20)
            except TimeoutError:
                self.tmux("send-keys", "Enter")
        self.wait(seen)

    def close(self):
        self.tmux("kill-server")


def log(warder, env, project):
    text = subprocess.run([warder, "log", "--json"], env=env, cwd=project, capture_output=True, text=True).stdout
    return list(reversed(json.loads(text)["decisions"]))


def play(warder, claude, root, verbose):
    """What is wrong; nothing if all is well."""
    home, project = root + "/home", root + "/proj"
    os.makedirs(home + "/.claude")
    os.makedirs(project)
    subprocess.run(["git", "init", "-q", "."], cwd=project, check=True)
    steps = [{"name": "Bash", "input": {"command": c, "description": "step %d" % i}} for i, c in enumerate(STEPS)]
    server, port = common.start_llm(root, steps)
    env = {**common.base_env(root), **claude.environment(home, "http://127.0.0.1:" + port), "TERM": "xterm-256color",
           "SHELL": "/bin/bash"}
    own = {k: env[k] for k in ("PATH", "HOME", "LANG", "TERM")}
    write(home + "/.config/warder/warder.yaml", 'deny: ["Bash(touch *)"]\n')
    write(home + "/.claude/.claude.json", {"hasCompletedOnboarding": True, "theme": "dark", "customApiKeyResponses": {
        "approved": ["none"]}, "projects": {project: {"hasTrustDialogAccepted": True}}})
    subprocess.run([warder, "install", "claude", "--yes", "--home", home], env=env, cwd=project, check=True,
                   stdout=subprocess.DEVNULL)
    wrong = []
    window = Window(root, "claude", env, project, claude.program() + " --model claude-sonnet-4-5 --permission-mode default")
    try:
        time.sleep(5)
        window.submit("go", PROMPT)
        screen = window.screen()
        if "Always allow it: warder allow " not in screen or ONCE not in screen:
            wrong.append("the question does not say what to type:\n" + screen)
        window.tmux("send-keys", "Enter")  # 1. Yes
        # The second call is the same one: the next question is about the third.
        wait_for(lambda: PROMPT in window.screen() and KIND in window.screen())
        answered = [(r["decision"], r["command"]) for r in log(warder, own, project)]
        if answered != [("human-accept", ONCE), ("auto-accept", ONCE), ("ask", KIND)]:
            wrong.append("the log after one yes: %s" % answered)
        person = Window(root, "person", own, project, "bash --norc")
        try:
            person.type("%s allow --last --as program --home %s" % (warder, home))
            person.wait("Write this?")
            person.type("y")
            person.wait("written")
        finally:
            person.close()
        window.tmux("send-keys", "Enter")
        window.wait("FAKE-DONE")
        if verbose:
            print(window.screen())
        said = [(r["decision"], r["command"]) for r in log(warder, own, project)]
        if said[2:] != [("human-accept", KIND), ("auto-accept", OTHER), ("auto-deny", DENIED)]:
            wrong.append("the log after warder allow: %s" % said)
        if os.path.exists(project + "/denied.txt"):
            wrong.append("what is denied ran")
    except TimeoutError as e:
        wrong.append("%s\n%s\n%s" % (e, window.screen(), log(warder, own, project)))
    finally:
        window.close()
        server.terminate()
        server.wait()
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warder")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    go_offline()
    claude = AGENTS[0]
    if not claude.program() or not shutil.which("tmux"):
        skip("Claude Code or tmux is not installed")
    root = os.path.realpath(tempfile.mkdtemp(prefix="warder-always-"))
    try:
        wrong = play(os.path.realpath(args.warder), claude, root, args.verbose)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    for w in wrong:
        print("FAIL  " + w)
    if not wrong:
        print("ok    claude: one yes is on record and counts for the session, warder allow --last for the kind; denied stays denied")
    sys.exit(1 if wrong else 0)


main()
