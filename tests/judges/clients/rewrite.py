#!/usr/bin/env python3
"""What the real agents make of a command that a hook has rewritten: the ground for running commands in a sandbox.

usage: tests/judges/clients/rewrite.py WARDER [--update docs/clients.md] [--client NAME] [--verbose]

A small hook of our own, without Warder, turns the command that the model asked for into `CELL TOKEN`. CELL notes where and by
whom it is started. Then the agent's own deny rule is about the old command, and about the new one; and at last the hook
stands beside Warder, which allows the old command and denies the new one. The agent must rewrite or not as its row in
src/core/call/agents.def says, and start CELL in the project; the rest is written down.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from agents import AGENTS, LIMIT, common, go_offline, results_of, skip, write

OLD, SHELL_OLD = "touch original-one.txt", "touch original-two.txt"
SHELL_NEW = "readlink /proc/$$/exe; true"

# Takes the agent's event, notes it, and answers with another command where the model wants one of the two above.
HOOK = """import json, sys
agent, log, new, other = sys.argv[1:5]
event = json.load(sys.stdin)
after = "--after" in sys.argv
held = event.get("tool_input") or event.get("toolArgs") or {}
held = json.loads(held) if isinstance(held, str) else held
old = held.get("command", "")
open(log, "a").write(json.dumps({"after": after, "command": old}) + "\\n")
new = new if old.startswith("touch original-one") else other if old.startswith("touch original-two") else None
if after or not new or (new == old and agent == "codex"):  # to which a bare allow is an error
    sys.exit()
if new == old:
    out = {"decision": "allow"} if agent == "gemini" else {"permissionDecision": "allow"} if agent == "copilot" else {
        "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}
elif agent == "gemini":
    out = {"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": {"command": new}}}
elif agent == "copilot":
    out = {"permissionDecision": "allow", "modifiedArgs": {**held, "command": new}}
else:
    out = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow",
                                  "updatedInput": {**held, "command": new}}}
print(json.dumps(out))
"""

PLUGIN = """import { appendFileSync } from "node:fs"
const [log, one, two] = %s
const note = (after, command) => appendFileSync(log, JSON.stringify({ after, command }) + "\\n")
export const Rewriter = async () => ({
  "tool.execute.before": async (call, output) => {
    const old = output.args.command || ""
    note(false, old)
    if (old.startsWith("touch original-one")) output.args.command = one
    if (old.startsWith("touch original-two")) output.args.command = two
  },
  "tool.execute.after": async (call) => note(true, (call.args || {}).command || ""),
})
"""

CELL = """#!/bin/sh
{ pwd; echo "$*"; tr '\\0' ' ' <"/proc/$PPID/cmdline"; echo; } | paste -sd '\\t' >>%s
echo "cell ran"
"""


class Run:
    """One agent with the rewriting hook, in fresh directories."""

    def __init__(self, agent, steps, new=None, denied=None, warder=None, rewrites=True):
        self.agent, self.warder = agent, warder
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="warder-rewrite-"))
        self.home, self.project = self.root + "/home", self.root + "/proj"
        os.makedirs(self.home)
        os.makedirs(self.project + "/sub")
        self.cell = self.root + "/bin/cell"
        write(self.cell, CELL % (self.root + "/cell.tsv"), 0o755)
        self.new = new or self.cell + " token-1"
        self.denied = denied and denied.replace("CELL", self.cell)
        self.rewrites = rewrites
        self.steps = [s.replace("CELL", self.cell) for s in steps]
        self.flags = []

    # ---- the hook ----

    def hook_command(self, after=False):
        words = [sys.executable, self.root + "/hook.py", self.agent.name, self.root + "/hook.jsonl", self.new, SHELL_NEW]
        if not self.rewrites:
            words[4:] = ["", ""]
        return " ".join("'" + w.replace("'", "'\\''") + "'" for w in words) + (" --after" if after else "")

    def add_hooks(self):
        write(self.root + "/hook.py", HOOK)
        if self.agent.name == "opencode":
            given = [self.root + "/hook.jsonl"] + ([self.new, SHELL_NEW] if self.rewrites else [])
            text = PLUGIN % json.dumps(given)
            if not self.rewrites:
                text = text.replace("output.args.command = one", "{}").replace("output.args.command = two", "{}")
            write(self.home + "/.config/opencode/plugins/zz-rewriter.js", text)
            return
        if self.agent.name == "copilot":
            write(self.home + "/.copilot/hooks/rewriter.json", {"version": 1, "hooks": {
                "preToolUse": [{"type": "command", "bash": self.hook_command(), "timeoutSec": 20}],
                "postToolUse": [{"type": "command", "bash": self.hook_command(True), "timeoutSec": 20}]}})
            return
        names = ("BeforeTool", "AfterTool") if self.agent.name == "gemini" else ("PreToolUse", "PostToolUse")
        path = os.path.join(self.home, self.agent.registration)
        settings = json.load(open(path)) if os.path.exists(path) else {}
        for name, after in zip(names, (False, True)):
            handler = {"type": "command", "command": self.hook_command(after)}
            settings.setdefault("hooks", {}).setdefault(name, []).append({"matcher": "*", "hooks": [handler]})
        write(path, settings)

    # ---- a deny rule of the agent's own ----

    def add_rule(self):
        name, program = self.agent.name, self.denied
        if name in ("claude", "qwen"):
            path = os.path.join(self.home, self.agent.registration)
            settings = json.load(open(path)) if os.path.exists(path) else {}
            settings["permissions"] = {"deny": ["Bash(%s *)" % program]}
            write(path, settings)
        elif name == "codex":
            write(self.home + "/.codex/rules/default.rules",
                  'prefix_rule(pattern=["%s"], decision="forbidden", justification="no")\n' % program)
        elif name == "gemini":
            write(self.home + "/.gemini/policies/mine.toml",
                  '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "%s"\ndecision = "deny"\npriority = 900\n' % program)
        elif name == "copilot":
            self.flags = ["--deny-tool", "shell(%s)" % program, "--deny-tool", "shell(%s:*)" % program]
        else:
            path = self.project + "/opencode.json"
            settings = json.load(open(path))
            settings["permission"] = {"bash": {"*": "allow", program + " *": "deny"}}
            write(path, settings)

    def go(self):
        server, port = common.start_llm(self.root, [self.agent.shell(c) for c in self.steps])
        url = "http://127.0.0.1:" + port
        try:
            self.agent.settings(self.home, self.project, url)
            if self.warder:
                write(self.home + "/.config/warder/warder.yaml",
                      'allow: ["Bash(touch original*)"]\ndeny: ["Bash(touch made*)"]\n')
                subprocess.run([self.warder, "install", self.agent.name, "--yes", "--edits", "no"], cwd=self.project, check=True,
                               env={"PATH": os.environ["PATH"], "HOME": self.home}, stdout=subprocess.DEVNULL)
            self.add_hooks()
            if self.denied:
                self.add_rule()
            env = {**common.base_env(self.root), **self.agent.environment(self.home, url), "SHELL": "/bin/bash"}
            done = subprocess.run(self.agent.command("free") + self.flags, cwd=self.project, env=env, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=LIMIT)
            return done.stdout + done.stderr
        finally:
            server.terminate()
            server.wait()

    # ---- what came of it ----

    def cells(self):
        """Where CELL was started, with which words, by whom."""
        path = self.root + "/cell.tsv"
        return [line.rstrip("\n").split("\t") for line in open(path)] if os.path.exists(path) else []

    def shown_after(self):
        path = self.root + "/hook.jsonl"
        notes = [json.loads(line) for line in open(path)] if os.path.exists(path) else []
        return [n["command"] for n in notes if n["after"]]

    def ran(self, name):
        return os.path.exists(self.project + "/" + name) or os.path.exists(self.project + "/sub/" + name)

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)


def outcome(run):
    """After a deny rule: what ran."""
    return "the new command ran" if run.cells() else "the old command ran" if run.ran("original-one.txt") else "blocked"


def facts(run):
    """The main run: the rewritten command twice, before and after a cd, and the shell."""
    told = [r["content"] for r in results_of(run.root)]
    cells = run.cells()
    shell = re.findall(r"/[\w/.-]*/(?:ba|z|da)?sh\b", told[3]) if len(told) > 3 else []
    after = run.shown_after()
    new = any(c.startswith(run.cell) for c in after)
    old = any(c.startswith("touch original-one") for c in after)
    moved = cells[1][0].replace(run.project, "the project") if len(cells) > 1 else "-"
    return {
        "a rewritten command": "runs" if cells and not run.ran("original-one.txt") else
                               "the old one runs" if run.ran("original-one.txt") else "nothing runs",
        "in the project": bool(cells) and cells[0][0] == run.project,
        "words": bool(cells) and cells[0][1] == "token-1",
        "its shell": "`%s`" % shell[0] if shell else "-",
        "after `cd sub` in an earlier call": {"the project/sub": "in `sub`", "the project": "in the project"}.get(moved, moved),
        "the event afterwards shows": "both" if new and old else "the new command" if new else "the old command" if old else "-",
        "the model is told": "yes" if any("modified by a hook" in t for t in told) else "no",
        "started by": cells[0][2].replace(run.cell, "CELL").strip()[:60] if cells and len(cells[0]) > 2 else "-",
    }


COLUMNS = ["a rewritten command", "its shell", "after `cd sub` in an earlier call", "the event afterwards shows", "the model is told",
           "a bare allow against its deny rule", "its deny rule on the old command", "its deny rule on the new command", "a hook beside Warder rewrites to what Warder denies"]


def judge(agent, row):
    """Why it is not as our table says; None if all is well."""
    if (row["a rewritten command"] == "runs") != agent.rewrites:
        return "our table says that it %s" % ("rewrites" if agent.rewrites else "does not rewrite")
    if agent.rewrites and not (row["in the project"] and row["words"]):
        return "the new command ran elsewhere, or with other words"
    if row["control"] != "blocked":
        return "its own deny rule does nothing: " + row["control"]
    if row["control of the new one"] != "blocked":
        return "its own deny rule on CELL does nothing: " + row["control of the new one"]
    return None


def measure(warder, agent, verbose):
    row = {}

    def one(steps, read, **more):
        run = Run(agent, steps, **more)
        try:
            said = run.go()
            if verbose:
                print("      said: %s\n      told: %s\n      cells: %s\n      after: %s" % (
                    said[-1500:], [r["content"][:300] for r in results_of(run.root)], run.cells(), run.shown_after()))
            return read(run)
        finally:
            run.close()

    row.update(one([OLD, "cd sub", OLD, SHELL_OLD], facts))
    row["control"] = one([OLD], outcome, denied="touch", rewrites=False)
    row["control of the new one"] = one(["CELL token-1"], outcome, denied="CELL", rewrites=False)
    row[COLUMNS[5]] = one([OLD], outcome, denied="touch", new=OLD)
    row[COLUMNS[6]] = one([OLD], outcome, denied="touch")
    row[COLUMNS[7]] = one([OLD], outcome, denied="CELL")
    row[COLUMNS[8]] = one([OLD], lambda run: "RAN" if run.ran("made.txt") else
                          "the old command ran" if run.ran("original-one.txt") else "blocked", new="touch made.txt", warder=warder)
    return row


def table(rows):
    lines = ["| agent | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for name, row in rows:
        lines.append("| %s | %s |" % (name, " | ".join(row[c] for c in COLUMNS)))
    return "\n".join(lines) + "\n"


def update(path, text):
    begin, end = "<!-- made by tests/judges/clients/rewrite.py -->\n", "<!-- end of it -->\n"
    page = open(path).read()
    head, rest = page.split(begin, 1)
    write(path, head + begin + text + end + rest.split(end, 1)[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warder")
    parser.add_argument("--update")
    parser.add_argument("--client")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    go_offline()
    rows, failed = [], 0
    for agent in AGENTS:
        if args.client and agent.name != args.client:
            continue
        if not agent.program():
            print("SKIPPED: %s is not installed" % agent.name)
            continue
        row = measure(os.path.realpath(args.warder), agent, args.verbose)
        why = judge(agent, row)
        failed += why is not None
        rows.append((agent.name, row))
        print("%-5s %-9s %s%s" % ("FAIL" if why else "ok", agent.name, "; ".join("%s: %s" % p for p in row.items()),
                                  "  <- " + why if why else ""), flush=True)
    if not rows:
        skip("no agent is installed")
    if args.update and not failed:
        update(args.update, table(rows))
    sys.exit(1 if failed else 0)


main()
