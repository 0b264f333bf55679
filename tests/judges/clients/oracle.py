#!/usr/bin/env python3
"""Compares our verdicts with Claude Code's own on the same rules and commands.

usage: tests/judges/clients/oracle.py WARDER [--probe] [--update docs/claude-oracle.md]

tests/judges/clients/oracle.json has the commands, the rule sets and Claude Code's answers, a letter per command: a ran,
k would have asked, d denied. --probe asks the real program again (../shared/clients/e2e) and writes the letters.
Fails when we allow what it denied, or what it asked about, unless our knowledge of programs says that the extra part only
reads. In the profile `warder` alone, a person's own rule may also cover each action of the command, however it is grouped.
"""
import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = HERE + "/oracle.json"
E2E = os.path.join(HERE, "..", "..", "..", "..", "shared", "clients", "e2e")
LETTERS = {"allow": "a", "ask": "k", "deny": "d"}
WORDS = {"a": "allow", "k": "ask", "d": "deny"}
PROFILES = ("mink", "warder")
STUBS = ("npm npx node git curl wget rm aws docker kubectl make cargo go pip python python3 sudo ssh watch gh terraform "
         "safe-cmd other-cmd direnv tee dd chmod chown nc").split()

# Why the two differ, from our explanation; the first match counts.
REASONS = [
    ("we know that it only reads, prints or computes", lambda o, t, x: o == "a" and x["clear"] == {"harmless"}),
    ("the rule covers what it runs, and we know that the rest only reads, prints or computes",
     lambda o, t, x: o == "a" and x["clear"] == {"harmless", "allow-rules"}),
    ("it changes the project's own repository and can be undone", lambda o, t, x: o == "a" and "repository" in x["clear"]),
    ("the rule covers every part of it: it is not looked for inside groups, `env`, braces, continuations and `&` there",
     lambda o, t, x: o == "a" and t == "k" and x["by_rule"]),
    ("a deny reaches through wrappers, shells and options here", lambda o, t, x: o == "d" and t in "ak"),
    ("it denies by text what we ask about: the rule speaks of what is not known before it runs",
     lambda o, t, x: o == "k" and t == "d"),
    ("we ask whatever the rules say, because it cannot be told before it runs what it writes or runs",
     lambda o, t, x: o == "k" and x["layer"] in ("unreadable", "protected", "unknown-parts", "analyser")),
    ("no rule covers all of it, and this profile does not know which programs only read",
     lambda o, t, x: o == "k" and t == "a" and x["profile"] == "mink"),
    ("no rule covers all of it, and we do not know that it only reads", lambda o, t, x: o == "k" and t == "a"),
]


def probe(data):
    cmds = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False)
    json.dump(data["commands"], cmds)
    cmds.close()
    for rules in data["sets"]:
        out = subprocess.run([E2E + "/loopback-only.sh", sys.executable, E2E + "/probe_claude_rules.py", "--perm",
                              json.dumps(rules["permissions"]), "--cmds", cmds.name, "--json", "--limit", "900"],
                             capture_output=True, text=True, check=True).stdout
        said = json.loads(out)
        assert len(said) == len(data["commands"])
        rules["claude"] = "".join(LETTERS[s["verdict"]] for s in said)
    os.unlink(cmds.name)
    with open(DATA, "w") as f:
        json.dump(data, f, indent=1)
        f.write("\n")


class Place:
    """A project like the probe's: two files, and programs that only print their names."""

    def __init__(self):
        self.root = tempfile.mkdtemp(prefix="warder-oracle-")
        for d in ("home", "proj/sub", "stub"):
            os.makedirs(self.root + "/" + d)
        open(self.root + "/proj/a.txt", "w").write("x\n")
        for name in STUBS:
            open(self.root + "/stub/" + name, "w").write("#!/bin/sh\n")
            os.chmod(self.root + "/stub/" + name, 0o755)

    def run(self, warder, command, profile, permissions, more, text=None):
        settings, plain = self.root + "/settings.json", self.root + "/plain.json"
        json.dump({"permissions": permissions}, open(settings, "w"))
        json.dump({"runners": False}, open(plain, "w"))
        policies = ["--policy", settings] + (["--policy", plain] if profile == "warder" else [])
        return subprocess.run(
            [warder, command, "--profile", profile, "--home", self.root + "/home"] + policies + more, input=text,
            cwd=self.root + "/proj", capture_output=True, text=True,
            env={"PATH": self.root + "/stub:" + os.environ["PATH"], "HOME": self.root + "/home"}).stdout

    def judge_all(self, warder, profile, permissions, commands):
        calls = "".join(json.dumps({"tool": "Bash", "input": {"command": c}}) + "\n" for c in commands)
        lines = self.run(warder, "check", profile, permissions, ["--jsonl"], calls).splitlines()
        assert len(lines) == len(commands)
        return [LETTERS[json.loads(line)["behavior"]] for line in lines]

    def explain(self, warder, profile, permissions, command):
        x = json.loads(self.run(warder, "explain", profile, permissions, ["--json", "Bash", "--", command]))
        cleared = [a["cleared_by"] for a in x["actions"]]
        return {"reads": bool({"harmless", "repository"} & set(cleared)), "clear": set(cleared), "profile": profile,
                "by_rule": x["layer"] == "allow-rules" and "settings.json" in x["reason"], "layer": x["layer"],
                "reason": x["reason"] or "", "cleared": cleared}

    def close(self):
        shutil.rmtree(self.root)


def compare(warder, data):
    """{profile: [(set, command, theirs, ours, explanation, facts)]}, and how often they agree."""
    place, found, same = Place(), {p: [] for p in PROFILES}, collections.Counter()
    try:
        for profile in PROFILES:
            for rules in data["sets"]:
                said = place.judge_all(warder, profile, rules["permissions"], data["commands"])
                for command, theirs, ours in zip(data["commands"], rules["claude"], said):
                    if ours == theirs:
                        same[profile] += 1
                        continue
                    facts = place.explain(warder, profile, rules["permissions"], command)
                    why = next((w for w, fits in REASONS if fits(ours, theirs, facts)), None)
                    found[profile].append((rules["name"], command, theirs, ours, why, facts))
    finally:
        place.close()
    return found, same


def is_hole(row):
    _, _, theirs, ours, _, facts = row
    covered = facts["by_rule"] and facts["profile"] == "warder"
    return ours == "a" and (theirs == "d" or not (facts["reads"] or covered))


def cell(text):
    return "`" + text.replace("\n", "\\n").replace("\t", "\\t").replace("|", "\\|").replace("`", "'") + "`"


def page(data, found, same):
    total = len(data["commands"]) * len(data["sets"])
    out = ["# Held against Claude Code", "",
           "The same rules and commands, put to Claude Code 2.1 itself and to Warder: %d commands with %d rule sets. "
           "`tests/judges/clients/oracle.py` makes this page; `oracle.json` beside it holds the commands and what Claude Code said. "
           "The profile `warder` runs here with `runners: false`, since Claude Code has no list of test and build runners."
           % (len(data["commands"]), len(data["sets"])), "",
           "| profile | the same verdict | stricter here | allowed here: it only reads | allowed here: the rule covers each part "
           "| asked about here, denied there |", "|---|--:|--:|--:|--:|--:|"]
    for p in PROFILES:
        allowed = [r for r in found[p] if r[3] == "a"]
        asked = [r for r in found[p] if r[3] == "k" and r[2] == "d"]
        reads = [r for r in allowed if r[5]["reads"]]
        out.append("| `%s` | %d of %d | %d | %d | %d | %d |" % (
            p, same[p], total, len(found[p]) - len(allowed) - len(asked), len(reads), len(allowed) - len(reads),
            len(asked)))
    for p in PROFILES:
        out += ["", "## Profile `%s`" % p]
        groups = collections.OrderedDict()
        for row in found[p]:
            groups.setdefault((row[4] or "?", row[2], row[3]), []).append(row)
        for (why, theirs, ours), rows in sorted(groups.items(), key=lambda g: -len(g[1])):
            out += ["", "**Claude Code: %s, here: %s** (%d). %s:" % (
                WORDS[theirs], WORDS[ours], len(rows), why[0].upper() + why[1:]), ""]
            by_command = collections.OrderedDict()
            for name, command, *_ in rows:
                by_command.setdefault(command, []).append(name)
            for command, names in by_command.items():
                out.append("- %s (%s)" % (cell(command), ", ".join(names)))
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warder")
    parser.add_argument("--probe", action="store_true")
    parser.add_argument("--update")
    args = parser.parse_args()
    data = json.load(open(DATA))
    if args.probe:
        if not os.path.exists(E2E):
            print("SKIPPED: ../shared/clients/e2e is not here")
            sys.exit(77)
        probe(data)
    found, same = compare(os.path.realpath(args.warder), data)
    bad = [(p, r) for p in PROFILES for r in found[p] if is_hole(r) or not r[4]]
    for p, row in bad:
        print("%s, %s: Claude Code: %s, here: %s (%s: %s, %s): %r" % (
            p, row[0], WORDS[row[2]], WORDS[row[3]], row[5]["layer"], row[5]["reason"], row[5]["cleared"], row[1]))
    for p in PROFILES:
        print("%-6s the same: %d, different: %d" % (p, same[p], len(found[p])))
    if args.update and not bad:
        with open(args.update, "w") as f:
            f.write(page(data, found, same))
    sys.exit(1 if bad else 0)


main()
