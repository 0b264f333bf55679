#!/usr/bin/env python3
"""The real Claude Code destroys a work tree, without any policy, nobody is asked, and `warder undo` gives everything back.

usage: tests/judges/clients/undo.py WARDER

Claude Code runs offline, registered by `warder install`. Each question that a person would see goes to a program of its
--permission-prompt-tool, which counts it. In the second case another hook of the person's refuses the call that Warder has
allowed: the directory that was moved away for it must be reachable all the time, and come back by itself.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from agents import AGENTS, ANSWERER, LIMIT, common, go_offline, results_of, skip, wait_for, write

PROJECT = """git init -q . && git config user.email a@b && git config user.name n
mkdir -p src/deep && echo 'console.log(1)' > src/a.js && echo b > src/deep/b && ln src/a.js hard && ln -s src/a.js link
echo ignored > .gitignore && git add -A && git commit -qm init
echo changed >> src/a.js && echo staged > staged && git add staged && echo new > src/new && mkdir ignored && echo i > ignored/i
chmod 600 src/new"""
CASES = [
    ("rm -rf src && git checkout -- . && git clean -fdx", False),
    ("rm -rf src", False),
    ("rm -rf src", True),  # and another hook refuses it
]


def tree(project):
    """All of it but git's objects: names, kinds, modes, targets, contents, and which files are one."""
    command = ("find . -path ./.git/objects -prune -o -printf '%P %y %m %l\\n' -type f -exec sha256sum {} + | sort;"
               " [ src/a.js -ef hard ] && echo one")
    return subprocess.run(command, shell=True, cwd=project, capture_output=True, text=True).stdout


def start(root, warder, claude, command, refused):
    """What a session with this one call needs: its project, its model, its environment and its person."""
    home, project = root + "/home", root + "/proj"
    os.makedirs(home)
    os.makedirs(project)
    subprocess.run(PROJECT, shell=True, cwd=project, check=True)
    if refused:  # a small one is not moved
        subprocess.run("mkdir src/many && cd src/many && seq 5001 | xargs touch", shell=True, cwd=project, check=True)
    server, port = common.start_llm(root, [claude.shell(command)])
    env = {**common.base_env(root), **claude.environment(home, "http://127.0.0.1:" + port), "SHELL": "/bin/bash"}
    subprocess.run([warder, "install", "claude", "--yes"], env=env, cwd=project, check=True, stdout=subprocess.DEVNULL)
    if refused:
        path = home + "/.claude/settings.json"
        settings = json.load(open(path))
        settings["hooks"]["PreToolUse"].append({"matcher": "Bash", "hooks": [
            {"type": "command", "command": "while [ ! -e %s/moved ]; do [ ! -L src ] || touch %s/moved; sleep 0.1; done;"
                                           " echo no >&2; exit 2" % (root, root)}]})
        write(path, settings)
    write(root + "/person.py", ANSWERER)
    write(root + "/mcp.json", {"mcpServers": {"person": {
        "command": sys.executable, "args": [root + "/person.py", root + "/asked.jsonl"]}}})
    return server, env, project


def person(words, env, project):
    """The command as a person types it, at a terminal."""
    return subprocess.run(["script", "-qec", " ".join(words), "/dev/null"], env=env, cwd=project, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)


def judge(root, warder, claude, command, refused):
    """None, or what is wrong."""
    server, env, project = start(root, warder, claude, command, refused)
    try:
        before = tree(project)
        subprocess.run(claude.command("careful") + ["--mcp-config", root + "/mcp.json", "--permission-prompt-tool",
                                                    "mcp__person__ask"],
                       cwd=project, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
        if os.path.exists(root + "/asked.jsonl"):
            return "the person was asked: " + open(root + "/asked.jsonl").read()
        if not results_of(root):
            return "the call was not made"
        if refused:
            if not os.path.exists(root + "/moved") or not os.path.exists(project + "/src/a.js"):
                return "src was not moved away, or is not reachable"
            wait_for(lambda: not os.path.islink(project + "/src"))
            return None if tree(project) == before else "the tree is not as it was"
        if tree(project) == before:
            return "the call destroyed nothing"
        rows = json.loads(subprocess.run([warder, "undo", "list", "--json"], env=env, cwd=project, capture_output=True,
                                         text=True).stdout)
        undone = person([warder, "undo", "--session", rows[0]["session"]], env, project)
        return None if undone.returncode == 0 and tree(project) == before else "undo: " + undone.stdout
    finally:
        server.terminate()
        server.wait()


def main():
    warder = os.path.realpath(sys.argv[1])
    go_offline()
    claude = AGENTS[0]
    if not claude.program():
        skip("Claude Code is not installed")
    failed = False
    for command, refused in CASES:
        root = os.path.realpath(tempfile.mkdtemp(prefix="warder-undo-"))
        try:
            wrong = judge(root, warder, claude, command, refused)
        finally:
            shutil.rmtree(root, ignore_errors=True)
        failed = failed or wrong is not None
        print("%-5s %s%s%s" % ("FAIL" if wrong else "ok", command, ", refused" if refused else "", ": " + wrong if wrong else ""),
              flush=True)
    sys.exit(1 if failed else 0)


main()
