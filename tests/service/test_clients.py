#!/usr/bin/env python3
"""Clients of the service: hooks, `warder run`, the operators' commands. Verdicts are the same with and without it."""

import json
import os
import pty
import re
import select
import socket
import subprocess
import time
import unittest
from pathlib import Path

from wire import BUILD, PATIENCE, WARDER, Lines, Server, ServiceTest, main, wait_until

SOURCE = Path(os.environ.get("WARDER_SOURCE", "."))


def event(server, command, session="s1"):
    return json.dumps({"session_id": session, "transcript_path": "/x", "cwd": str(server.project), "permission_mode": "default",
                       "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1"})


def codex_event(server, command):
    return json.dumps({"session_id": "s1", "turn_id": "1", "transcript_path": None, "cwd": str(server.project),
                       "hook_event_name": "PreToolUse", "model": "m", "permission_mode": "default", "tool_name": "Bash",
                       "tool_input": {"command": command}, "tool_use_id": "t1"})


def run_hook(server, text, client="claude", program=None, timeout=None, env=None):
    words = [str(program or WARDER)] + ([] if program else ["hook"]) + ["--home", str(server.home), "--client", client]
    if timeout:
        words += ["--timeout", str(timeout)]
    return subprocess.run(words, input=text, env=server.env | (env or {}), cwd=server.project, capture_output=True, text=True,
                          timeout=PATIENCE)


def programs():
    return [None] + ([BUILD / "warder-hook"] if (BUILD / "warder-hook").exists() else [])


def commands_of_cases():
    """Shell commands of the case files: a hundred or so of every kind of verdict."""
    found = []
    for name in ("escapes.case", "globs.case", "secrets.case", "repository.case", "edits.case"):
        text = (SOURCE / "tests" / "cases" / name).read_text()
        found += re.findall(r"(?m)^(?:ALLOW|ASK|DENY)\s+Bash (.+)$", text)
    found = [c for c in dict.fromkeys(found) if "$ROOT" not in c and "\\" not in c]
    return found[:: max(1, len(found) // 150)]


class SameVerdict(unittest.TestCase):
    def test_with_and_without_the_service(self):
        """Each call by the command alone and by the service's socket, under several policies."""
        commands = commands_of_cases()
        self.assertGreater(len(commands), 100)
        seen = set()
        for policy in ("", "mode: acceptEdits\n", "profile: mink\n", "deny: [\"Bash(git:*)\"]\nallow: [\"Bash(make:*)\"]\n"):
            with self.subTest(policy):
                server = Server(profile=None)
                config = server.home / ".config" / "warder"
                config.mkdir(parents=True, exist_ok=True)
                (config / "warder.yaml").write_text(policy)
                with server:
                    calls = [{"tool": "Bash", "input": {"command": c}, "cwd": str(server.project), "project": str(server.project),
                              "session": f"n{number}", "review": False} for number, c in enumerate(commands)]
                    alone = server.command("check", "--jsonl", input="".join(json.dumps(c) + "\n" for c in calls))
                    here = [json.loads(line) for line in alone.stdout.splitlines()]
                    lines = Lines(server.socket)
                    there = [lines.ask(c) for c in calls]
                    lines.close()
                    # The service has its own rules about its data directory: they make it stricter, never looser. Where
                    # they do not match, everything is the same.
                    keys = ("behavior", "layer", "rule", "reason")
                    order = ("deny", "ask", "allow")
                    for c, h, t in zip(commands, here, there):
                        if str(server.data) in (t["rule"] or ""):
                            self.assertLessEqual(order.index(t["behavior"]), order.index(h["behavior"]), c)
                        else:
                            self.assertEqual([h[k] for k in keys], [t[k] for k in keys], c)
                    own = sum(str(server.data) in (t["rule"] or "") for t in there)
                    self.assertLess(own, len(commands) // 4)
                    seen |= {h["behavior"] for h in here}
        self.assertEqual(seen, {"allow", "ask", "deny"})


class Hooks(ServiceTest):
    profile = None

    def test_the_service_decides_for_hooks(self):
        for program in programs():
            before = len(self.server.decisions("limit=1000"))
            self.server.add_rule("hookable*")
            said = run_hook(self.server, event(self.server, "hookable now"), program=program)
            self.assertEqual(json.loads(said.stdout)["hookSpecificOutput"]["permissionDecision"], "allow")
            said = run_hook(self.server, event(self.server, "rm -rf /"), program=program)
            self.assertEqual(json.loads(said.stdout)["hookSpecificOutput"]["permissionDecision"], "deny")
            newest = self.server.decisions("limit=1000")
            self.assertEqual(len(newest), before + 2, "each of them once")
            self.assertEqual({d["client"] for d in newest[:2]}, {"claude"})

    def test_a_client_that_asks_itself_makes_no_review(self):
        for program in programs():
            said = run_hook(self.server, event(self.server, "mystery-asked"), program=program)
            self.assertEqual(json.loads(said.stdout)["hookSpecificOutput"]["permissionDecision"], "ask")
        self.assertEqual([r for r in self.server.pending() if r["command"] == "mystery-asked"], [])
        self.assertEqual(self.server.decisions("limit=1")[0]["decision"], "ask")

    def test_a_client_that_cannot_ask_waits_for_a_reviewer(self):
        for number, program in enumerate(programs()):
            command = f"mystery-reviewed {number}"
            words = [str(program or WARDER)] + ([] if program else ["hook"]) + ["--home", str(self.server.home), "--client", "codex", "--timeout", "60"]
            hook = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.server.env,
                                    cwd=self.server.project, text=True)
            hook.stdin.write(codex_event(self.server, command))
            hook.stdin.close()
            review = self.server.next_review(command)
            self.assertIsNone(hook.poll())
            self.assertEqual(self.server.answer(review["id"], "approve").status, 200)
            self.assertEqual(hook.wait(PATIENCE), 0, hook.stderr.read())
            self.assertNotIn("deny", hook.stdout.read())
            hook.stdout.close(), hook.stderr.close()
            self.assertEqual(self.server.decisions("limit=1")[0]["decision"], "human-accept")

    def test_a_review_outlives_the_hook(self):
        said = run_hook(self.server, codex_event(self.server, "mystery-later"), "codex", timeout=2)
        self.assertIn("pending", said.stdout + said.stderr)
        review = self.server.next_review("mystery-later")
        self.assertIn(review["id"], said.stdout + said.stderr)
        self.server.answer(review["id"], "approve")
        said = run_hook(self.server, codex_event(self.server, "mystery-later"), "codex", timeout=30)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertNotIn("deny", said.stdout)

    def test_run_waits_for_a_reviewer(self):
        run = subprocess.Popen([str(WARDER), "run", "--home", str(self.server.home), "-c", "touch made-by-run"], env=self.server.env, cwd=self.server.project,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        review = self.server.next_review("touch made-by-run")
        self.assertFalse((self.server.project / "made-by-run").exists())
        self.server.answer(review["id"], "approve")
        self.assertEqual(run.wait(PATIENCE), 0, run.stderr.read())
        run.stderr.close()
        self.assertTrue((self.server.project / "made-by-run").exists())

    def test_a_project_does_not_switch_the_service_off(self):
        policy = self.server.project / ".warder"
        policy.mkdir(exist_ok=True)
        (policy / "warder.yaml").write_text("service: off\n")
        self.server.add_rule("only-the-service-knows*")
        said = run_hook(self.server, event(self.server, "only-the-service-knows this"))
        (policy / "warder.yaml").unlink()
        self.assertEqual(json.loads(said.stdout)["hookSpecificOutput"]["permissionDecision"], "allow")


class Required(unittest.TestCase):
    def test_without_the_service_everything_is_blocked(self):
        server = Server(profile=None)
        config = server.home / ".config" / "warder"
        config.mkdir(parents=True, exist_ok=True)
        (config / "warder.yaml").write_text("service: required\n")
        with server:
            for program in programs():
                self.assertEqual(run_hook(server, event(server, "ls"), program=program).returncode, 0)
            ran = server.command("run", "--home", str(server.home), "--", "true")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            server.stop()
            for program in programs():
                said = run_hook(server, event(server, "ls"), program=program)
                self.assertEqual(said.returncode, 2, said.stdout)
                self.assertIn("the service is needed", said.stderr)
            self.assertEqual(server.command("run", "--home", str(server.home), "--", "true").returncode, 126)
            self.assertEqual(server.command("log", "verify", "--data", str(server.data)).returncode, 0)
            server.start()
            for program in programs():
                self.assertEqual(run_hook(server, event(server, "ls"), program=program).returncode, 0)

    def test_rules_of_the_service_hold_for_hooks_without_it(self):
        with Server(profile=None) as server:
            # Hooks know the data directory in the state directory, so rules of the API are written there.
            server.stop()
            server.data = server.home / ".local" / "state" / "warder"
            server.tokens = {}
            server.start()
            server.add_rule("left-behind*")
            server.add_rule("ls forbidden*", "deny", reason="by the service")
            server.stop()
            said = run_hook(server, event(server, "left-behind x"))
            self.assertEqual(json.loads(said.stdout)["hookSpecificOutput"]["permissionDecision"], "allow")
            said = run_hook(server, event(server, "ls forbidden"))
            self.assertEqual(json.loads(said.stdout)["hookSpecificOutput"]["permissionDecision"], "deny")


class Console(ServiceTest):
    def test_list_show_answer(self):
        one = self.server.check("mystery one\x1b[31m", worker_id="w-console")
        listed = self.server.operate("review", "list", "--status", "pending")
        self.assertIn(one["review_id"], listed.stdout)
        self.assertIn("mystery one\\x1b[31m", listed.stdout)
        self.assertNotIn("\x1b", listed.stdout)
        shown = self.server.operate("review", "show", one["review_id"])
        for text in ("w-console", "t-1", "p-1", "mend the build", "command   | mystery one\\x1b[31m"):
            self.assertIn(text, shown.stdout)
        self.assertNotIn("\x1b", shown.stdout)
        self.assertEqual(self.server.operate("review", "deny", one["review_id"], "--reason", "no").returncode, 0)
        again = self.server.operate("review", "approve", one["review_id"])
        self.assertEqual(again.returncode, 1)
        self.assertIn("already answered", again.stderr)
        as_json = self.server.operate("review", "show", one["review_id"], "--json")
        self.assertEqual(json.loads(as_json.stdout)["status"], "denied")
        self.assertEqual(self.server.operate("review", "show", "r_0").returncode, 66)
        self.assertEqual(self.server.operate("review", "list", role="worker").returncode, 77)

    def test_promote(self):
        one = self.server.check("promotable --now")
        said = self.server.operate("review", "promote", one["review_id"], "--rule", "promotable *")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("rule      promotable *", said.stdout)
        self.assertEqual(self.server.check("promotable --later")["decision"], "auto-accept")
        two = self.server.check("cooling --now")
        self.assertEqual(self.server.operate("review", "promote", two["review_id"], "--cooldown", "3600").returncode, 0)
        self.assertEqual(self.server.check("cooling --now", worker_id="w-other")["behavior"], "ask")

    def test_watch_prints_reviews_as_they_come(self):
        self.server.check("watched before")
        watch = subprocess.Popen([str(WARDER), "review", "watch", "--url", self.server.url], stdout=subprocess.PIPE, text=True,
                                 env=self.server.env | {"WARDER_TOKEN": self.server.token("operator")})
        self.assertTrue(self.reads(watch, "watched before"))
        asked = self.server.check("watched now")
        self.assertTrue(self.reads(watch, "watched now"))
        self.server.answer(asked["review_id"], "deny")
        self.assertTrue(self.reads(watch, "denied"))
        watch.kill()
        watch.wait()
        watch.stdout.close()

    def reads(self, process, text):
        while select.select([process.stdout], [], [], PATIENCE)[0]:
            line = process.stdout.readline()
            if text in line:
                return True
            if not line:
                return False
        return False

    def test_the_token_comes_from_a_safe_place(self):
        token = self.server.root / "token"
        token.write_text(self.server.token("operator") + "\n")
        token.chmod(0o644)
        words = ["review", "list", "--url", self.server.url, "--token-file", str(token)]
        self.assertEqual(self.server.command(*words).returncode, 77)
        token.chmod(0o600)
        self.assertEqual(self.server.command(*words).returncode, 0)
        (self.server.data / "operator-token").write_text(self.server.token("operator") + "\n")
        (self.server.data / "operator-token").chmod(0o600)
        self.assertEqual(self.server.command("review", "list", "--url", self.server.url, "--data", str(self.server.data)).returncode, 0)
        (self.server.data / "operator-token").unlink()
        self.assertEqual(self.server.command("review", "list", "--url", self.server.url).returncode, 77)
        self.assertEqual(self.server.command("review", "list", "--url", "http://192.0.2.1:1/",
                                             env={"WARDER_TOKEN": "x"}).returncode, 64)

    @unittest.skipIf(os.geteuid() != 0, "another user is needed")
    def test_another_users_server_gets_no_token(self):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.setuid(65534)
            listener = socket.create_server(("127.0.0.1", 0))
            os.write(writer, str(listener.getsockname()[1]).encode())
            time.sleep(PATIENCE)
            os._exit(0)
        port = int(os.read(reader, 16))
        said = self.server.command("review", "list", "--url", f"http://127.0.0.1:{port}", env={"WARDER_TOKEN": "x"})
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(reader), os.close(writer)
        self.assertEqual(said.returncode, 77)
        self.assertIn("another user", said.stderr)

    def test_at_the_terminal(self):
        """A person answers three reviews: approve, skip and deny, promote."""
        ids = [self.server.check(f"at-terminal {n}", worker_id="w-term")["review_id"] for n in range(3)]
        others = [r["id"] for r in self.server.pending() if r["id"] not in ids]
        for other in others:
            self.server.answer(other, "deny")
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(self.server.project)
            os.execve(str(WARDER), ["warder", "review", "--url", self.server.url],
                      self.server.env | {"WARDER_TOKEN": self.server.token("operator"), "TERM": "xterm", "LINES": "50", "COLUMNS": "100"})
        self.screen = ""
        try:
            self.person(fd, ids)
        finally:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
            os.close(fd)

    def sees(self, fd, text):
        end = time.monotonic() + PATIENCE
        while text not in self.screen and time.monotonic() < end:
            if select.select([fd], [], [], 0.1)[0]:
                self.screen += os.read(fd, 65536).decode(errors="replace")
        self.assertIn(text, self.screen)
        self.screen = self.screen.split(text, 1)[1]

    def presses(self, fd, key, text):
        """Keys are ignored at first: presses one until something happens."""
        end = time.monotonic() + PATIENCE
        while text not in self.screen and time.monotonic() < end:
            os.write(fd, key)
            if select.select([fd], [], [], 0.3)[0]:
                self.screen += os.read(fd, 65536).decode(errors="replace")
        self.assertIn(text, self.screen)
        self.screen = self.screen.split(text, 1)[1]

    def person(self, fd, ids):
        self.sees(fd, "at-terminal 0")
        self.sees(fd, "[q] Quit")
        self.presses(fd, b"a", "approve")
        wait_until("approved", lambda: self.server.get(f"/v1/reviews/{ids[0]}")["status"] == "approved")
        self.sees(fd, "at-terminal 1")
        self.sees(fd, "[q] Quit")
        self.presses(fd, b"s", "skip")
        self.sees(fd, "at-terminal 2")
        self.sees(fd, "[q] Quit")
        self.presses(fd, b"p", "rule> ")
        os.write(fd, b"\x15at-terminal *\r")
        wait_until("promoted", lambda: self.server.get(f"/v1/reviews/{ids[2]}")["status"] == "approved")
        self.assertEqual(self.server.get(f"/v1/reviews/{ids[1]}")["status"], "pending")
        self.assertEqual(self.server.check("at-terminal 9")["decision"], "auto-accept")
        # A review that another operator answers disappears.
        gone = self.server.check("elsewhere answered")["review_id"]
        self.sees(fd, "elsewhere answered")
        self.server.answer(gone, "deny")
        self.sees(fd, "it was answered elsewhere")


class Rules(ServiceTest):
    def test_rules_by_command(self):
        added = self.server.operate("rules", "add", "tool-x *", "--type", "accept", "--scope", "global")
        self.assertEqual(added.returncode, 0, added.stderr)
        rule = added.stdout.split()[0]
        self.assertIn("  allow  global  tool-x *", added.stdout)
        asked = self.server.operate("rules", "add", "tool-q *", "--type", "ask", "--scope", "global", "--json")
        self.assertEqual(json.loads(asked.stdout)["rule"]["type"], "ask", asked.stderr)
        self.assertEqual(self.server.check("tool-x y")["matched_rule_id"], rule)
        tried = self.server.operate("rules", "add", "tool-y *", "--type", "accept", "--scope", "global", "--dry-run")
        self.assertEqual(tried.returncode, 0, tried.stderr)
        self.assertEqual(self.server.check("tool-y z")["behavior"], "ask")
        audited = self.server.operate("rules", "audit", rule, "--command", "tool-x a", "--command", "tool-x a; b", "--command", "c")
        self.assertIn("covers   given tool-x a  (now: allow)", audited.stdout)
        self.assertIn("matches  given tool-x a; b", audited.stdout)
        self.assertNotIn("given c", audited.stdout)
        self.assertIn("past  tool-x y", audited.stdout)
        changed = self.server.operate("rules", "change", rule, "--pattern", "tool-x only", "--json")
        self.assertEqual(json.loads(changed.stdout)["rule"]["pattern"], "tool-x only")
        self.assertEqual(self.server.check("tool-x y")["behavior"], "ask")
        self.assertEqual(self.server.operate("rules", "remove", rule).returncode, 0)
        self.assertEqual(self.server.operate("rules", "remove", rule).returncode, 66)
        bad = self.server.operate("rules", "add", "z*", "--type", "deny", "--scope", "global")
        self.assertEqual(bad.returncode, 65)
        self.assertIn("reason", bad.stderr)
        self.assertEqual(self.server.operate("rules", "add", "z*", "--type", "accept", "--scope", "global", role="worker").returncode, 77)
        wide = self.server.operate("rules", "add", "*", "--type", "accept", "--scope", "global")
        self.assertTrue(wide.returncode == 65 or "warning: " in wide.stdout, wide.stdout + wide.stderr)


if __name__ == "__main__":
    main()
