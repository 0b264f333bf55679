#!/usr/bin/env python3
"""How often the real Claude Code asks its person, against how often Warder decided to.

usage: tests/judges/clients/quiet.py WARDER [--mode MODE] [--verbose]

Sessions of harmless and less harmless calls (../shared/ux/sessions) run in Claude Code, offline, registered by `warder
install`. Claude Code hands each question that a person would see to a program of its --permission-prompt-tool, which counts
it and says yes. What Warder decided is in its log.
"""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from agents import AGENTS, ANSWERER, HERE, LIMIT, common, go_offline, results_of, skip, write

SESSIONS = os.path.join(HERE, "..", "..", "..", "..", "shared", "ux", "sessions")
PROJECT = """git init -q . && git config user.email a@b && git config user.name n
printf '{"name":"p","version":"1.0.0","scripts":{"test":"node --version","build":"echo built"}}' > package.json
mkdir src && echo 'console.log(1)' > src/a.js && echo hi > README.md && git add -A && git commit -qm init"""

def lines(path):
    return [json.loads(line) for line in open(path)] if os.path.exists(path) else []


def run(warder, claude, steps, mode):
    """The questions that a person sees, and Warder's records of the session."""
    root = os.path.realpath(tempfile.mkdtemp(prefix="warder-quiet-"))
    home, project = root + "/home", root + "/proj"
    os.makedirs(home)
    os.makedirs(project)
    subprocess.run(PROJECT, shell=True, cwd=project, check=True)
    time.sleep(3)  # what is younger than the session counts as code that came in
    text = json.dumps(steps).replace("$PROJ", project)
    server, port = common.start_llm(root, json.loads(text))
    env = {**common.base_env(root), **claude.environment(home, "http://127.0.0.1:" + port), "SHELL": "/bin/bash"}
    try:
        subprocess.run([warder, "install", "claude", "--yes"], env=env, cwd=project, check=True, stdout=subprocess.DEVNULL)
        write(root + "/person.py", ANSWERER)
        write(root + "/mcp.json", {"mcpServers": {"person": {
            "command": sys.executable, "args": [root + "/person.py", root + "/asked.jsonl"]}}})
        command = claude.command("free")[:-1] + [mode, "--mcp-config", root + "/mcp.json", "--permission-prompt-tool",
                                                 "mcp__person__ask"]
        subprocess.run(command, cwd=project, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
        log = subprocess.run([warder, "log", "--limit", "1000", "--json"], env=env, cwd=project, capture_output=True, text=True)
        return lines(root + "/asked.jsonl"), json.loads(log.stdout)["decisions"], len(results_of(root))
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(root, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warder")
    parser.add_argument("--mode", default="acceptEdits")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    go_offline()
    claude = AGENTS[0]
    sessions = sorted(glob.glob(SESSIONS + "/claude-*.json"))
    if not sessions or not claude.program():
        skip("there are no sessions, or Claude Code is not installed")
    failed = False
    for path in sessions:
        steps = json.load(open(path))
        asked, records, done = run(os.path.realpath(args.warder), claude, steps, args.mode)
        decided = [r for r in records if r["decision"] == "ask"]
        ids = [r.get("tool_use_id") for r in records]
        good = len(asked) == len(decided) and len(records) == len(steps) == done == len(set(ids))
        failed = failed or not good
        print("%-5s %s, %s: %d calls, %d ran; the person saw %d questions, Warder decided %d; %d records" % (
            "ok" if good else "FAIL", os.path.basename(path), args.mode, len(steps), done, len(asked), len(decided),
            len(records)), flush=True)
        if args.verbose or not good:
            for a in asked:
                print("      asked: " + json.dumps(a["input"])[:150])
            for r in reversed(records):
                print("      %-15s %s" % (r["decision"], (r.get("command") or "")[:100].replace("\n", "\\n")))
    sys.exit(1 if failed else 0)


main()
