#!/usr/bin/env python3
"""Sub-agents of the real Claude Code: rules may name them, and a project cannot give them a milder mode.

usage: tests/judges/clients/subagents.py WARDER [--verbose]

The model starts a sub-agent that the project defines, and both of them ask for the same command. The first policy denies it to
the sub-agent alone; then the project says that the sub-agent runs in bypassPermissions, and the agent itself runs in default.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from agents import AGENTS, LIMIT, common, go_offline, results_of, skip, write

BY_RULE = 'allow: [Agent, "Bash(touch *)"]\ndeny:\n  - {rule: "Bash(touch *)", when: {agent: helper}}\n'

# name, policy, what the project's file says of the sub-agent, the command, the verdicts on it in any order
CASES = [
    ("a rule for the sub-agent", BY_RULE, "", "touch made.txt", ["auto-accept", "auto-deny"]),
    ("a milder mode by the project", "allow: [Agent]\n", "permissionMode: bypassPermissions\n", "mkdir -p d/e", ["ask", "ask"]),
]


def run(warder, claude, policy, more, command):
    """The verdicts on the command, and what the model was told."""
    root = os.path.realpath(tempfile.mkdtemp(prefix="warder-subagents-"))
    home, project = root + "/home", root + "/proj"
    os.makedirs(home)
    os.makedirs(project)
    starts = {"name": "Agent", "input": {"subagent_type": "helper", "description": "d", "prompt": "go"}}
    server, port = common.start_llm(root, [starts, claude.shell(command)])
    env = {**common.base_env(root), **claude.environment(home, "http://127.0.0.1:" + port), "SHELL": "/bin/bash"}
    try:
        write(project + "/.claude/agents/helper.md", "---\nname: helper\ndescription: helps\ntools: Bash\n%s---\nHelp.\n" % more)
        write(home + "/.config/warder/warder.yaml", policy)
        subprocess.run([warder, "install", "claude", "--yes"], env=env, cwd=project, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(claude.command("careful"), cwd=project, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
        log = subprocess.run([warder, "log", "--json"], env=env, cwd=project, capture_output=True, text=True).stdout
        records = json.loads(log)["decisions"]
        return sorted(r["decision"] for r in records if r.get("command") == command), results_of(root)
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(root, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warder")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    go_offline()
    claude = AGENTS[0]
    if not claude.program():
        skip("Claude Code is not installed")
    failed = 0
    for name, policy, more, command, wanted in CASES:
        said, told = run(os.path.realpath(args.warder), claude, policy, more, command)
        failed += said != wanted
        print("%-5s claude    %s: %s" % ("ok" if said == wanted else "FAIL", name, ", ".join(said)), flush=True)
        if args.verbose or said != wanted:
            for t in told:
                print("      told: " + t["content"][:200].replace("\n", " "))
    sys.exit(1 if failed else 0)


main()
