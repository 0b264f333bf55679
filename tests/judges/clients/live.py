#!/usr/bin/env python3
"""`warder doctor --live`, with the real agents: does it see an agent that asks, and one that does not?

usage: tests/judges/clients/live.py WARDER [--client NAME] [--verbose]

Each agent is registered by `warder install` and started by Warder, twice: the model uses a tool once, as the question
wants, and then answers in words alone. The first run is a proof, the second is none.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

from agents import AGENTS, common, go_offline, skip, write


def prepare(agent, root, home, project, url):
    agent.settings(home, project, url)
    if agent.name == "opencode":  # whose model is in the project, which is not where it will be started
        write(home + "/.config/opencode/opencode.json", open(project + "/opencode.json").read())
    if agent.name == "gemini":  # which then trusts no folder by itself
        path = home + "/.gemini/settings.json"
        write(path, open(path).read().replace('"enabled": false', '"enabled": true', 1))
    agent.put_in(root + "/bin")


def run(warder, agent, steps):
    """The exit code of doctor, and what it said."""
    root = os.path.realpath(tempfile.mkdtemp(prefix="warder-judge-"))
    home, project = root + "/home", root + "/proj"
    os.makedirs(home)
    os.makedirs(project)
    server, port = common.start_llm(root, steps)
    url = "http://127.0.0.1:" + port
    try:
        prepare(agent, root, home, project, url)
        env = {**common.base_env(root), **agent.environment(home, url), "SHELL": "/bin/bash"}
        env["PATH"] = root + "/bin:" + env["PATH"]
        subprocess.run([warder, "install", agent.name, "--yes"], env=env, cwd=project, check=True, stdout=subprocess.DEVNULL)
        if agent.name == "codex":
            agent.trust_hooks(home, project, root)
        done = subprocess.run([warder, "doctor", "--live", "--yes", agent.name], env=env, cwd=project, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout + done.stderr
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(root, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warder")
    parser.add_argument("--client")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    go_offline()
    failed = count = 0
    for agent in AGENTS:
        if args.client and agent.name != args.client:
            continue
        if not agent.program():
            print("SKIPPED: %s is not installed" % agent.name)
            continue
        lists = {"name": agent.lister[0], "input": agent.lister[1]} if agent.lister else agent.shell("ls")
        for what, steps, wanted, words in (("uses a tool", [lists], 0, ": seen, last call"),
                                           ("uses none", [], 1, "not seen when it was started")):
            code, said = run(os.path.realpath(args.warder), agent, steps)
            good = code == wanted and words in said
            count += 1
            failed += not good
            print("%-5s %-9s its model %-12s exit %d, %s" % ("ok" if good else "FAIL", agent.name, what + ":", code,
                                                         said.splitlines()[0]), flush=True)
            if args.verbose or not good:
                print(said)
    if not count:
        skip("no agent is installed")
    sys.exit(1 if failed else 0)


main()
