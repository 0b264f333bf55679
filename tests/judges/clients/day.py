#!/usr/bin/env python3
"""An hour of work with the real agents that cannot ask, or do not tell their mode, after `warder install NAME --yes`.

usage: tests/judges/clients/day.py WARDER [--client NAME] [--verbose]

Each agent writes a file, edits it, runs the tests and commits, and nothing of that is asked about; then it tries what
policy denies. Codex runs in its own window, where it reports the mode "default"; the others run without a person.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from agents import AGENTS, LIMIT, common, go_offline, results_of, skip, write

NAMES = ("opencode", "copilot", "gemini", "codex")
PROJECT = """git init -q . && git config user.email a@b && git config user.name n
printf '{"name":"p","version":"1.0.0","scripts":{"test":"node --version > tested.txt"}}' > package.json
printf 'tested.txt\\n' > .gitignore; printf 'one\\n' > notes.txt; git add -A; git commit -qm init"""


def steps_for(agent, project):
    shell = agent.shell
    # Codex has its tool for patches only with a model that it knows, and then offers a newer one in its window.
    first = shell("printf 'new\\n' > new.txt") if agent.name == "codex" else agent.writes(project + "/new.txt", "new\n")
    commit = shell("git add -A && git commit -q -m work")
    if agent.name == "codex":  # whose sandbox keeps .git from being written: its model asks to leave the sandbox
        commit["input"].update(sandbox_permissions="require_escalated", justification="to commit")
    return [first, shell("sed -i 's/one/two/' notes.txt"), shell("npm test"), commit, shell("touch denied.txt")]


def run(warder, agent, verbose):
    """What is wrong; nothing if all is well."""
    os.makedirs(common.ROOT + "/runs", exist_ok=True) # Codex starts no sandbox from below /tmp
    root = os.path.realpath(tempfile.mkdtemp(prefix="warder-day-", dir=common.ROOT + "/runs"))
    home, project = root + "/home", root + "/proj"
    os.makedirs(home)
    os.makedirs(project)
    subprocess.run(PROJECT, shell=True, cwd=project, check=True)
    time.sleep(3)  # what is younger than the session counts as code that came in
    server, port = common.start_llm(root, steps_for(agent, project))
    url = "http://127.0.0.1:" + port
    try:
        agent.settings(home, project, url)
        write(home + "/.config/warder/warder.yaml", 'deny: ["Bash(touch *)"]\n')
        own = {"PATH": os.environ["PATH"], "HOME": home}
        subprocess.run([warder, "install", agent.name, "--yes"], env=own, cwd=project, check=True, stdout=subprocess.DEVNULL)
        if agent.name == "codex":
            config = home + "/.codex/config.toml"
            text = open(config).read().replace('"never"', '"on-request"').replace("danger-full-access", "workspace-write")
            text = text.replace("gpt-5.5", "gpt-unknown")
            write(config, text)
            screen = agent.trust_hooks(home, project, root, "go")
        else:
            env = {**common.base_env(root), **agent.environment(home, url), "SHELL": "/bin/bash"}
            done = subprocess.run(agent.command("free"), cwd=project, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=LIMIT)
            screen = done.stdout + done.stderr
        log = subprocess.run([warder, "log", "--json"], env=own, cwd=project, capture_output=True, text=True).stdout
        records = list(reversed(json.loads(log)["decisions"]))
        if verbose:
            print(screen[-3000:])
            for r in results_of(root):
                print("      told: " + r["content"][:200].replace("\n", "\\n"))
        count = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=project, capture_output=True, text=True).stdout
        good = {"wrote": os.path.exists(project + "/new.txt"), "edited": open(project + "/notes.txt").read() == "two\n",
                "tested": os.path.exists(project + "/tested.txt"), "committed": count.strip() == "2",
                "stopped": not os.path.exists(project + "/denied.txt")}
        said = [r["decision"] for r in records]
        return [w for w, ok in good.items() if not ok], said
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
        if agent.name not in NAMES or (args.client and agent.name != args.client):
            continue
        if not agent.program():
            print("SKIPPED: %s is not installed" % agent.name)
            continue
        missing, said = run(os.path.realpath(args.warder), agent, args.verbose)
        bad = missing or said.count("auto-deny") != 1 or set(said) != {"auto-accept", "auto-deny"}
        count += 1
        failed += bool(bad)
        print("%-5s %-9s wrote, edited, tested, committed, denied one stopped%s; %d records: %s" % (
            "FAIL" if bad else "ok", agent.name, "" if not missing else "; NOT: " + ", ".join(missing), len(said),
            ", ".join(said)), flush=True)
    if not count:
        skip("no agent is installed")
    sys.exit(1 if failed else 0)


main()
