#!/usr/bin/env python3
"""What `warder doctor` says of an agent, against what the real agent does.

usage: tests/judges/clients/doctor.py WARDER [--client NAME] [--case TEXT] [--verbose]

Each case is a file that was there before `warder install`, or something that happened to it afterwards. Policy denies the
command that the model asks for. The agent is the judge: where the command ran, doctor may not have said "seen", and
where Warder was asked, doctor says so afterwards.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from agents import AGENTS, LIMIT, common, go_offline, skip, write

ASKED = "touch made.txt && echo ran"

OFF = {"disableAllHooks": True}
CODEX_OFF = "[features]\nhooks = false\n"
# Files of a project: (path, content). With "managed" in front the agent is registered for the whole machine.

# agent, name, the text of its file before `install` (None: none), what is done afterwards, whether install refuses
CASES = [
    ("codex", "hook not trusted yet", None, None, False),
    ("codex", "comment", "{ // hi\n}", None, True),
    ("codex", "trailing comma", '{"hooks": {},}', None, True),
    ("codex", "unknown key", '{"model": "x"}', None, True),
    ("codex", "bad entry of another event", '{"hooks": {"Stop": [5]}}', None, True),
    ("codex", "trusted", "{}", "trust", False),
    ("codex", "changed after it was trusted", "{}", "trust, then change", False),
    ("codex", "hooks off in the project", "{}", (".codex/config.toml", CODEX_OFF), False),
    ("codex", "hooks off in the repository", "{}", ("../.codex/config.toml", CODEX_OFF), False),
    ("codex", "hooks off in its configuration", "{}", "trust, then off", False),
    ("codex", "this hook switched off", "{}", "trust, then disable", False),
    ("codex", "hooks off, and it is managed", None, ("managed", ".codex/config.toml", CODEX_OFF), False),
    ("claude", "comment", "{ // hi\n}", None, True),
    ("claude", "comment added later", "{}", "comment", False),
    ("claude", "trailing comma", '{"model": "sonnet",}', None, True),
    ("claude", "allow is no list", '{"permissions": {"allow": "Bash"}}', None, True),
    ("claude", "unknown mode", '{"permissions": {"defaultMode": "foo"}}', None, True),
    ("claude", "model is a number", '{"model": 5}', None, True),
    ("claude", "bad entry beside ours", '{"hooks": {"PreToolUse": [{"hooks": 5}]}}', None, True),
    ("claude", "hooks off in the project", "{}", (".claude/settings.json", OFF), False),
    ("claude", "hooks off in the local settings", "{}", (".claude/settings.local.json", OFF), False),
    ("claude", "hooks off, and it is managed", None, ("managed", ".claude/settings.json", OFF), False),
    ("claude", "byte order mark", "\ufeff{}", None, True),
    ("claude", "env number, bad rule", '{"env": {"A": 1}, "permissions": {"allow": ["Bash("]}}', None, False),
    ("claude", "plain", "{}", None, False),
    ("gemini", "comment", None, "comment", False),
    ("gemini", "trailing comma", None, "comma", False),
    ("gemini", "hooks off in the project", None, (".gemini/settings.json", {"hooksConfig": {"enabled": False}}), False),
    ("gemini", "our hook off in the project", None, (".gemini/settings.json", {"hooksConfig": {"disabled": ["warder"]}}), False),
    ("gemini", "hooks off by the old setting", None, (".gemini/settings.json", {"hooks": {"disabled": ["warder"]}}), False),
    ("qwen", "hooks off in the project", None, (".qwen/settings.json", OFF), False),
    ("qwen", "safe mode by .env", None, (".env", "QWEN_CODE_SAFE_MODE=1\n"), False),
    ("qwen", "simple mode by .qwen/.env", None, (".qwen/.env", "QWEN_CODE_SIMPLE=1\n"), False),
    ("qwen", "safe mode by its settings", None, (".qwen/settings.json", {"env": {"QWEN_CODE_SAFE_MODE": "1"}}), False),
    ("qwen", "safe mode in the repository", None, ("../.env", "QWEN_CODE_SAFE_MODE=1\n"), False),
    ("qwen", "comment", None, "comment", False),
    ("qwen", "trailing comma", None, "comma", False),
    ("copilot", "comment", None, "comment", False),
    ("copilot", "plain", None, None, False),
    ("copilot", "hooks off in the project", None, (".github/copilot/settings.json", OFF), False),
    ("copilot", "hooks off by Claude Code's file", None, (".claude/settings.local.json", OFF), False),
    ("copilot", "hooks off in the repository", None, ("../.github/copilot/settings.json", OFF), False),
    ("copilot", "hooks off, and it is managed", None, ("managed", ".github/copilot/settings.json", OFF), False),
    ("opencode", "plain", None, None, False),
]


class Case:
    """One agent and one file, in fresh directories."""

    def __init__(self, warder, agent, case):
        self.warder, self.agent = warder, agent
        _, self.name, self.text, self.after, self.refused = case
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="warder-doctor-"))
        self.home, self.project = self.root + "/home", self.root + "/proj"
        self.managed = isinstance(self.after, tuple) and self.after[0] == "managed"
        self.file_after = self.after[-2:] if isinstance(self.after, tuple) else None
        if self.file_after and self.file_after[0].startswith("../"):
            write(self.project + "/.git/HEAD", "ref: refs/heads/main\n")
            self.project += "/deep"
        self.inside = self.machine() if self.managed else []
        os.makedirs(self.home)
        os.makedirs(self.project)
        self.file = os.path.join(self.home, agent.registration)
        self.server = None

    def machine(self):
        """Another /etc, in which root can register for everybody, and where the home is the user's."""
        shutil.copytree("/etc", self.root + "/etc", symlinks=True, ignore_dangling_symlinks=True)
        write(self.root + "/etc/passwd", "root:x:%d:%d::%s:/bin/bash\n" % (os.getuid(), os.getgid(), self.home))
        return ["bwrap", "--dev-bind", "/", "/", "--bind", self.root + "/etc", "/etc", "--"]

    def run_warder(self, *words):
        env = {"PATH": os.environ["PATH"], "HOME": self.home}
        return subprocess.run([*self.inside, self.warder, *words], env=env, cwd=self.project, capture_output=True, text=True)

    def doctor(self):
        answer = json.loads(self.run_warder("doctor", self.agent.name, "--json").stdout)
        return answer["clients"][0]["state"]

    def change(self):
        text = open(self.file).read() if os.path.exists(self.file) else ""
        if self.after == "comment":
            write(self.file, text.replace("{", "{ // hi\n", 1))
        elif self.after == "comma":
            write(self.file, text.rstrip()[:-1] + ",\n}\n")
        elif self.file_after:
            write(os.path.join(self.project, self.file_after[0]), self.file_after[1])
        elif self.after and self.after.startswith("trust"):
            self.agent.trust_hooks(self.home, self.project, self.root)
            config = self.home + "/.codex/config.toml"
            if self.after == "trust, then off":
                write(config, open(config).read().replace("[features]\n", "[features]\nhooks = false\n"))
            elif self.after == "trust, then disable":
                write(config, open(config).read().replace("trusted_hash", "enabled = false\ntrusted_hash"))
            elif self.after != "trust":
                write(self.file, text.replace('"timeout": 10', '"timeout": 11'))

    def go(self):
        """Did install refuse, what did doctor say before and after, and did the command run?"""
        step = {"name": self.agent.tool, "input": {self.agent.field: ASKED, **self.agent.extra}}
        self.server, port = common.start_llm(self.root, [step])
        url = "http://127.0.0.1:" + port
        self.agent.settings(self.home, self.project, url)
        write(self.home + "/.config/warder/warder.yaml", 'deny: ["Bash(touch *)"]\n')
        if self.text is not None:
            write(self.file, self.text)
        scope = ["--managed"] if self.managed else []
        refused = self.run_warder("install", self.agent.name, "--yes", *scope).returncode != 0
        self.change()
        before = self.doctor()
        command = [w for w in self.agent.command("free") if w != "--dangerously-bypass-hook-trust"]
        env = {**common.base_env(self.root), **self.agent.environment(self.home, url), "SHELL": "/bin/bash"}
        subprocess.run([*self.inside, *command], cwd=self.project, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
        return refused, before, os.path.exists(self.project + "/made.txt"), self.doctor()

    def close(self):
        if self.server:
            self.server.terminate()
            self.server.wait()
        shutil.rmtree(self.root, ignore_errors=True)


def judge(case, refused, before, ran, after):
    if refused != case.refused:
        return "install %s it" % ("refused" if refused else "did not refuse")
    if before == "seen" or (ran and after == "seen"):
        return "doctor said seen, and no call had come"
    if ran and before == "registered":
        return "doctor found nothing wrong, and the denied command ran"
    if after == "registered":
        return "Warder was asked, and doctor did not notice"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warder")
    parser.add_argument("--client")
    parser.add_argument("--case")
    args = parser.parse_args()
    go_offline()
    failed = count = 0
    for row in CASES:
        agent = next(a for a in AGENTS if a.name == row[0])
        if (args.client and row[0] != args.client) or (args.case and args.case not in row[1]):
            continue
        if not agent.program():
            print("SKIPPED: %s is not installed" % agent.name)
            continue
        case = Case(os.path.realpath(args.warder), agent, row)
        try:
            found = case.go()
        finally:
            case.close()
        why = judge(case, *found)
        count += 1
        failed += why is not None
        refused, before, ran, after = found
        print("%-5s %-9s %-32s install %-8s doctor: %-14s the command %-11s doctor: %s%s" % (
            "ok" if not why else "FAIL", agent.name, case.name, "refused," if refused else "wrote,", before + ",",
            "RAN," if ran else "did not run,", after, "" if not why else "  <- " + why), flush=True)
    if not count:
        skip("no agent is installed")
    print("%d failed" % failed if failed else "all %d hold" % count)
    sys.exit(1 if failed else 0)


main()
