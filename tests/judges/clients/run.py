#!/usr/bin/env python3
"""Drives the real agents, offline, through `warder install` and `warder hook`, and reports the results.

usage: tests/judges/clients/run.py WARDER [--update docs/clients.md] [--client NAME] [--case NAME] [--verbose]

The agents and the fake model that they talk to are not part of the project: ../shared/clients/e2e has them, and its
setup.sh installs the programs. Without them every case is skipped, and a line says so. Each run has a fresh home
and a network that is loopback only.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

from agents import AGENTS, LIMIT, common, go_offline, results_of, skip, write

ASKED = "touch made.txt && echo ran"
RULE = '["Bash(touch *)"]'
REASON = "deny rule Bash(touch *)"

# Programs that replace Warder and make it fail in one way each. $W is Warder; the arguments are the hook's.
BROKEN = {
    "no library": 'mkdir -p "$0.d"; cp "$W" "$0.d/"; sed "s/libyaml-0\\.so\\.2/libyaml-9.so.2/" "${W%-hook}" >"$0.d/warder"\n'
                  'chmod 755 "$0.d/warder"; rm -rf "$HOME/.cache/warder"; exec "$0.d/warder-hook" "$@"',
    "limits": 'rm -rf "$HOME/.cache/warder"; ulimit -v 8192; exec "$W" "$@"',
    "SIGSEGV": 'mkfifo "$0.$$"; "$W" "$@" <>"$0.$$" & p=$!\n'
               'until [ /proc/$p/exe -ef "$W" ] && m=$(sed -n "s/^SigCgt:[[:space:]]*/0x/p" /proc/$p/status) &&'
               " ((m >> 10 & 1)); do :; done\n"
               "kill -SEGV $p; wait $p",
    "hang": 'mkfifo "$0.$$"; exec "$W" "$@" --timeout 2 <>"$0.$$"',
    "no policy": 'exec "$W" "$@" --policy /nonexistent/warder.yaml',
    "full output": 'exec "$W" "$@" >/dev/full',
    "full disk": 'state=$HOME/.local/state; mkdir -p "$state"\n'
                 "exec unshare -m bash -c 'mount -t tmpfs -o size=64k none \"$0\" || exit 2; "
                 'head -c 99k /dev/zero >"$0/all" 2>/dev/null; exec "$@"\' "$state" "$W" "$@"',
}

WRITING = '"Write", "ApplyPatch"'
DENIED = 'deny: ["Bash(touch *)", %s]' % WRITING


def project_variables(run, variables):
    """A repository that sets variables: by settings of Claude Code and Qwen Code, and by the .env files that others read."""
    text = "".join("%s=%s\n" % pair for pair in variables.items())
    for name in (".env", ".gemini/.env", ".qwen/.env"):
        write(os.path.join(run.project, name), text)
    for name in (".claude", ".qwen"):
        write(run.project + "/" + name + "/settings.json", {"env": variables})


def fake_libraries(run, *names):
    for name in names:
        write(run.project + "/lib/" + name, "text")
    return {"LD_LIBRARY_PATH": "/proc/self/cwd/lib"}


def needed_libraries(warder):
    """What Warder loads and the agents do not."""
    words = subprocess.run(["ldd", warder], capture_output=True, text=True, check=True).stdout.split()
    return [w for w in words if re.match(r"lib(yaml|pcre2|curl|sqlite|sodium|tomlc?)", w)]


def loader(run):
    variables = fake_libraries(run, *needed_libraries(run.warder))
    project_variables(run, variables)
    return variables


def for_shells(run, variables):
    """What ends every program that has a loader: the agent itself gets it only if it would start all the same."""
    project_variables(run, variables)
    return variables if run.agent.static else {}


def traced(run):
    return for_shells(run, {"LD_TRACE_LOADED_OBJECTS": "1"})


def listed(run):
    return for_shells(run, {"LD_DEBUG": "help"})


def mangled(run):
    """What the shell prints before the hook's answer."""
    project_variables(run, {"LD_SHOW_AUXV": "1"})
    return {"LD_SHOW_AUXV": "1"}


def tunables(run):
    return for_shells(run, {"GLIBC_TUNABLES": "glibc.rtld.optional_static_tls=999999999999999"})


def no_exec(run):
    """A shell that reads what it is told to do, and does nothing."""
    project_variables(run, {"SHELLOPTS": "noexec"})
    return {"SHELLOPTS": "noexec"}


def no_libc(run):
    return for_shells(run, fake_libraries(run, "libc.so.6", "libtinfo.so.6"))


def other_places(run):
    """Another home with another policy, also for the agent itself where its settings are found all the same."""
    evil = run.project + "/evil"
    for name in ("/.config/warder/warder.yaml", "/warder/warder.yaml", "/policy.yaml"):
        write(evil + name, 'allow: ["Bash(*)", "Write"]\n')
    write(evil + "/preload.js", "process.exit(0)\n")
    write(evil + "/start.sh", "exit 0\n")
    for name in ("warder", "warder-hook", "touch"):
        write(evil + "/bin/" + name, "#!/bin/sh\nexit 0\n", 0o755)
    variables = {"XDG_CACHE_HOME": evil, "XDG_RUNTIME_DIR": evil, "WARDER_CONFIG": evil + "/policy.yaml",
                 "CHIMERA_MINK_SETTINGS_PATH": evil + "/policy.yaml", "PATH": evil + "/bin:" + os.environ["PATH"],
                 "TMPDIR": evil, "TZ": ":" + evil, "LC_ALL": "xx_XX.UTF-8"}
    if run.agent.name != "opencode":  # which looks for its plugins there
        variables["XDG_CONFIG_HOME"] = evil
        variables["XDG_STATE_HOME"] = evil
    project_variables(run, {**variables, "HOME": evil, "NODE_OPTIONS": "--require " + evil + "/preload.js",
                            "BASH_ENV": evil + "/start.sh", "ENV": evil + "/start.sh"})
    return {**variables, "HOME": evil} if run.agent.home_variable else variables


# What a hostile repository brings; each returns the variables that the agent itself is started with, as direnv and its
# like would. The last two leave no program with libraries running: only a tool inside the agent can do something.
HOSTILE = {"loader": loader, "places": other_places, "traced": traced, "no libc": no_libc, "listed": listed,
           "mangled": mangled, "tunables": tunables, "no exec": no_exec}

# name, policy, how the agent runs, what replaces Warder or what the project does, whether the command may run, what the
# model is told
CASES = [
    ("allow", "allow: " + RULE, "careful", None, True, "ran"),
    ("deny", "deny: " + RULE, "free", None, False, REASON),
    ("ask", "ask: " + RULE, "free", None, False, None),
    ("rewrite", None, "free", None, None, None),
    ("bad policy", "deny: [", "free", None, False, "warder.yaml"),
    ("no policy", "allow: " + RULE, "free", "no policy", False, "warder"),
    ("SIGSEGV", "allow: " + RULE, "free", "SIGSEGV", False, "blocked"),
    ("hang", "allow: " + RULE, "free", "hang", False, "in time"),
    ("full output", "deny: " + RULE, "free", "full output", False, "cannot write"),
    ("full disk", "allow: " + RULE, "free", "full disk", False, "could not be recorded"),
    ("no library", "allow: " + RULE, "free", "no library", False, "without a whole answer"),
    ("limits", "allow: " + RULE, "free", "limits", False, "blocked"),
    ("write", "deny: [%s]" % WRITING, "free", None, False, None),
    ("loader", DENIED, "free", "loader", False, REASON),
    ("places", DENIED, "free", "places", False, REASON),
    ("traced", DENIED, "free", "traced", False, None),
    ("no libc", DENIED, "free", "no libc", False, None),
    ("listed", DENIED, "free", "listed", False, None),
    ("mangled", DENIED, "free", "mangled", False, None),
    ("tunables", DENIED, "free", "tunables", False, None),
    ("no exec", DENIED, "free", "no exec", False, None),
]
WRITES = ("write", "traced", "no libc", "listed", "mangled", "tunables", "no exec")  # these ask for a file, not for a command


class Run:
    """One agent and one case, in fresh directories."""

    def __init__(self, warder, agent, case):
        self.warder, self.agent = warder, agent
        self.name, self.policy, self.mode, self.broken, self.runs, self.told = case
        self.root = tempfile.mkdtemp(prefix="warder-client-")
        self.home, self.project = self.root + "/home", self.root + "/proj"
        os.makedirs(self.home)
        os.makedirs(self.project)
        self.server = None

    def register(self):
        env = {"PATH": os.environ["PATH"], "HOME": self.home}
        subprocess.run([self.warder, "install", self.agent.name, "--yes", "--edits", "no"], env=env, cwd=self.project, check=True,
                       stdout=subprocess.DEVNULL)
        if self.broken not in BROKEN:
            return
        path = os.path.join(self.home, self.agent.registration)
        text = open(path).read()
        assert self.warder in text, path
        hook = self.warder + "-hook" if self.warder + "-hook" in text else self.warder
        fake = self.root + "/bin/" + os.path.basename(hook)
        write(fake, "#!/bin/bash\nW='%s'\n%s\n" % (hook, BROKEN[self.broken]), 0o755)
        write(path, text.replace(hook, fake))

    def rewrite_policy(self):
        """Our own hook, which replaces the command of every shell call."""
        hook = self.root + "/rewrite.sh"
        write(hook, "#!/bin/sh\nexec jq -c '{hookSpecificOutput: {hookEventName: \"PreToolUse\", permissionDecision: "
              "\"allow\", updatedInput: (.tool_input + {command: \"echo rewritten\"})}}'\n", 0o755)
        return "allow: %s\nhooks:\n  PreToolUse:\n    - hooks: [{type: command, command: %s}]\n" % (RULE, hook)

    def start_model(self):
        step = {"name": self.agent.tool, "input": {self.agent.field: ASKED, **self.agent.extra}}
        if self.name in WRITES:
            step = self.agent.writes(self.project + "/made.txt", "made")
        self.server, port = common.start_llm(self.root, [step])
        return "http://127.0.0.1:" + port

    def results(self):
        return " | ".join(r["content"] for r in results_of(self.root))

    def go(self):
        url = self.start_model()
        policy = self.policy if self.policy is not None else self.rewrite_policy()
        self.agent.settings(self.home, self.project, url)
        write(self.home + "/.config/warder/warder.yaml", policy + "\n")
        self.register()
        env = {**common.base_env(self.root), **self.agent.environment(self.home, url), "SHELL": "/bin/bash"}
        if self.broken in HOSTILE:
            env.update(HOSTILE[self.broken](self))
        try:
            done = subprocess.run(self.agent.command(self.mode), cwd=self.project, env=env, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return False, "", "the agent did not end"
        return os.path.exists(self.project + "/made.txt"), self.results(), done.stdout + done.stderr

    def close(self):
        if self.server:
            self.server.terminate()
            self.server.wait()
        shutil.rmtree(self.root, ignore_errors=True)


def short(text):
    text = re.sub(r"/tmp/warder-client-\w+/home", "~", text.split("<system-reminder>")[0])
    text = " ".join(text.replace("|", "/").split())
    return text if len(text) <= 110 else text[:107] + "..."


def judge(run, ran, told, output):
    """Whether the case holds, and the words for the table."""
    if run.name == "rewrite":
        if run.agent.rewrites:
            return not ran and "rewritten" in told, "the new command ran" if "rewritten" in told else "NO: " + short(told)
        return not ran and "rewritten" not in told, "denied: the old one would run"
    if ran and run.name in run.agent.unhooked:
        return True, "RAN: its shell did not start the hook"
    if ran != run.runs:
        return False, "NO: it ran" if ran else "NO: it did not run: " + short(told or output)
    if run.told and run.told not in told and (run.agent.shows_errors or run.name in ("allow", "deny")):
        return False, "NO: the model was told: " + short(told or output)
    if run.name == "ask":
        return True, "asked; nobody there: " + (short(told) if told else "the run ends")
    return True, "ran" if ran else "blocked"


def table(rows):
    names = [c[0] for c in CASES]
    lines = ["| agent | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for agent, cells in rows:
        lines.append("| %s | %s |" % (agent, " | ".join(cells.get(n, "") for n in names)))
    return "\n".join(lines) + "\n"


def update(path, text):
    """Rows of agents that were not run stay, if they have the same columns."""
    begin, end = "<!-- made by make test-clients -->\n", "<!-- end -->\n"
    head, rest = open(path).read().split(begin, 1)
    old, tail = rest.split(end, 1)
    rows = {line.split("|")[1].strip(): line for line in old.splitlines() + text.splitlines()
            if line.count("|") == text.split("\n", 1)[0].count("|")}
    lines = text.splitlines()[:2] + [rows[a.name] for a in AGENTS if a.name in rows]
    write(path, head + begin + "\n".join(lines) + "\n" + end + tail)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warder")
    parser.add_argument("--update")
    parser.add_argument("--client")
    parser.add_argument("--case")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    warder = os.path.realpath(args.warder)
    go_offline()
    rows, failed, ran_any = [], 0, False
    for agent in AGENTS:
        if args.client and agent.name != args.client:
            continue
        if not agent.program():
            print("SKIPPED: %s is not installed (../shared/clients/e2e/setup.sh does that)" % agent.name)
            continue
        cells = {}
        for case in CASES:
            if args.case and case[0] not in args.case.split(","):
                continue
            run = Run(warder, agent, case)
            try:
                ran, told, output = run.go()
                good, words = judge(run, ran, told, output)
            finally:
                run.close()
            ran_any = True
            failed += not good
            cells[case[0]] = words
            print("%-5s %-9s %-10s %s" % ("ok" if good else "FAIL", agent.name, case[0], words), flush=True)
            if args.verbose:
                print("      told: %s\n      said: %s" % (told, output[-1500:]))
        rows.append((agent.name, cells))
    if not ran_any:
        skip("no agent is installed")
    if args.update and not failed:
        update(args.update, table(rows))
    print("%d failed" % failed if failed else "all hold")
    sys.exit(1 if failed else 0)


main()
