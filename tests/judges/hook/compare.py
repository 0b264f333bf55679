#!/usr/bin/env python3
"""Sends the same events to `warder hook`, to warder-hook and to warder-hook next to a running service, and compares
their answers, byte for byte.

usage: tests/judges/hook/compare.py [COUNT]

The events are commands of public corpora next to the project (../shared), COUNT of each, spread over all of
it; the default is for every test run, `make test-hook` takes more. Exit 77: there is nothing to compare.
"""
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

BUILD = os.environ["WARDER_BUILD"]
SHARED = os.path.join(os.environ["WARDER_SOURCE"], "..", "shared", "corpora")
CORPORA = ["agent_sessions", "agent_intercode", "danger_payloads", "danger_redcode", "human_nl2bash", "peer_cases_sample"]
POLICY = """allow:
  - Bash(npm run:*)
  - Edit(/src/**)
deny:
  - Bash(curl:*)
  - Read(~/.ssh/**)
ask:
  - Bash(git push:*)
programs:
  - {name: deployctl, options: mixed -v, operands: none}
"""


def events(count, cwd):
    """Tool, input and mode of each."""
    for name in CORPORA:
        path = os.path.join(SHARED, name + ".jsonl.gz")
        if not os.path.exists(path):
            print(f"skipped: ../shared/corpora/{name}.jsonl.gz is not here")
            continue
        with gzip.open(path, "rt", encoding="utf-8") as f:
            rows = [json.loads(line) for line in f]
        step = max(1, len(rows) // count)
        for row in rows[::step][:count]:
            tool_input = row.get("input") or {"command": row.get("command") or row.get("code") or ""}
            yield {"cwd": cwd, "permission_mode": row.get("mode") or "default", "hook_event_name": "PreToolUse",
                   "transcript_path": "t", "prompt_id": "p", "tool_name": row.get("tool") or "Bash",
                   "tool_input": tool_input, "tool_use_id": "u"}


def answer(argv, event, session, environment):
    text = json.dumps(dict(event, session_id=session))
    done = subprocess.run(argv, input=text.encode(), capture_output=True, env=environment, cwd=event["cwd"])
    if b"internal fault" in done.stderr:
        sys.exit(f"an analysis crashed: {text}")
    # each answer is a record of its own, and names it
    return done.returncode, re.sub(rb"(warder (?:allow|approve)) \w+", rb"\1 ID", done.stdout), done.stderr


class Service:
    """A service whose socket is where a hook finds it only while a hook shall."""

    def __init__(self, home, environment):
        self.environment = environment
        self.socket = os.path.join(home, ".local/state/warder/warder.sock")
        self.away = self.socket + ".away"

    def __enter__(self):
        argv = [os.path.join(BUILD, "warder"), "serve", "--record-sync", "crash", "--listen", "127.0.0.1:0",
                "--socket", self.socket]
        self.process = subprocess.Popen(argv, env=self.environment, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if "unix:" in line:
                os.rename(self.socket, self.away)
                return self
        raise SystemExit("the service did not start")

    def answer(self, *args):
        os.rename(self.away, self.socket)
        try:
            return answer(*args, self.environment)
        finally:
            os.rename(self.socket, self.away)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    hook = os.path.join(BUILD, "warder-hook")
    if not os.access(hook, os.X_OK):
        print("SKIPPED: this build has no warder-hook")
        return 77
    seen = differ = 0
    with tempfile.TemporaryDirectory() as home:
        cwd = os.path.join(home, "project")
        os.makedirs(os.path.join(home, ".config/warder"))
        os.makedirs(os.path.join(cwd, "src"))
        with open(os.path.join(home, ".config/warder/warder.yaml"), "w") as f:
            f.write(POLICY)
        environment = {"PATH": os.environ["PATH"], "HOME": home, "SHELL": "/bin/bash", "CLAUDE_PROJECT_DIR": cwd}
        with Service(home, environment) as service:
            for n, event in enumerate(events(count, cwd)):
                # A new session for each: denials of one must not change the next answer.
                options = ["--home", home, "--client", "claude"]
                slow = answer([os.path.join(BUILD, "warder"), "hook", *options], event, f"a{n}", environment)
                fast = answer([hook, *options], event, f"b{n}", environment)
                served = service.answer([hook, *options], event, f"c{n}")
                seen += 1
                if slow != fast or fast != served:
                    differ += 1
                    print(f"{json.dumps(event['tool_input'])[:300]}\n  warder hook: {slow}\n  warder-hook: {fast}\n"
                          f"  with a service: {served}")
    if not seen:
        print("SKIPPED: there is no corpus here")
        return 77
    print(f"{seen} events, {differ} answered differently")
    return 1 if differ else 0


sys.exit(main())
