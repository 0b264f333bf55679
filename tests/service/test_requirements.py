#!/usr/bin/env python3
"""Each requirement and constraint of the tool-authorization specification has a test here that is named after it.
docs/requirements.md is the table; the last test holds the two together."""

import os
import re
import time
import unittest
from pathlib import Path

from wire import Server, ServiceTest, Worker, main, wait_until

SOURCE = Path(os.environ.get("WARDER_SOURCE", "."))


class Requirements(ServiceTest):
    def verdict(self, command, **more):
        said = self.server.check(command, **more)
        return said.get("decision") or said["status"]

    # ---- the rule engine ----

    def test_REQ_F_1_deny_then_accept_then_a_person(self):
        self.server.add_rule("both-match *", "deny", reason="denied first")
        self.server.add_rule("both-match now*")
        self.assertEqual(self.verdict("both-match now"), "auto-deny")
        self.assertEqual(self.verdict("git status"), "auto-accept")
        self.assertEqual(self.verdict("nobody-knows-this now"), "pending")

    def test_REQ_F_2_patterns_are_globs(self):
        self.server.add_rule("globtool run-?*")
        self.assertEqual(self.verdict("globtool run-a"), "auto-accept")
        self.assertEqual(self.verdict("globtool run-abc --x"), "auto-accept")
        self.assertEqual(self.verdict("globtool run-"), "pending")
        self.assertEqual(self.verdict("globtool stop"), "pending")

    def test_REQ_F_3_prefix_full_command_flags_and_paths(self):
        self.server.add_rule("prefixtool*")
        self.server.add_rule("fulltool --check src")
        self.server.add_rule("flagtool *")
        self.server.add_rule("flagtool*--force*", "deny", reason="not by force")
        self.server.add_rule("*/vault/*", "deny", reason="not the vault")
        self.assertEqual(self.verdict("prefixtool anything at all"), "auto-accept")
        self.assertEqual(self.verdict("fulltool --check src"), "auto-accept")
        self.assertEqual(self.verdict("fulltool --check src other"), "pending")
        self.assertEqual(self.verdict("flagtool --dry"), "auto-accept")
        self.assertEqual(self.verdict("flagtool a --force b"), "auto-deny")
        self.assertEqual(self.verdict("cat /srv/vault/x"), "auto-deny")
        self.assertEqual(self.verdict("cat /srv/public/x"), "auto-accept")
        deny = {"pattern": "cp *", "type": "deny", "scope": "global", "reason": "production", "paths": ["/srv/prod/**"]}
        self.assertEqual(self.server.ask("POST", "/v1/rules", deny).status, 201)
        self.assertEqual(self.verdict("cp a /srv/prod/x"), "auto-deny")
        self.assertEqual(self.verdict("cp a srv/prod/x"), "pending")

    def test_REQ_F_4_no_accept_lifts_a_deny(self):
        for scope in ("global", "p-1"):
            self.server.add_rule("wget*", scope=scope)
            self.server.add_rule("wget https://example.com/*", scope=scope)
        self.assertEqual(self.verdict("wget https://example.com/x"), "auto-deny")
        self.assertEqual(self.verdict("git status && wget https://example.com/x"), "auto-deny")

    def test_REQ_F_5_scopes(self):
        self.server.add_rule("everywhere*")
        self.server.add_rule("here-only*", scope="p-1")
        self.server.add_rule("everywhere bad*", "deny", scope="p-2", reason="not in p-2")
        self.assertEqual(self.verdict("everywhere x", project_id="p-1"), "auto-accept")
        self.assertEqual(self.verdict("everywhere x", project_id="p-2"), "auto-accept")
        self.assertEqual(self.verdict("here-only x", project_id="p-1"), "auto-accept")
        self.assertEqual(self.verdict("here-only x", project_id="p-2"), "pending")
        self.assertEqual(self.verdict("everywhere bad", project_id="p-1"), "auto-accept")
        self.assertEqual(self.verdict("everywhere bad", project_id="p-2"), "auto-deny")

    # ---- decisions ----

    def test_REQ_F_6_what_is_accepted_runs_at_once(self):
        code, out, said = Worker(self.server, "ls -d .").end()
        self.assertEqual((code, out, said["decision"]), (0, ".\n", "auto-accept"))
        self.assertEqual([r for r in self.server.get("/v1/reviews")["reviews"] if r["command"] == "ls -d ."], [])

    def test_REQ_F_7_what_is_denied_says_why(self):
        code, out, said = Worker(self.server, "sudo id").end()
        self.assertEqual((code, out, said["decision"]), (126, "", "auto-deny"))
        self.assertRegex(said["reason"] + said["message"], "[Pp]rivilege")

    def test_REQ_F_8_a_review_stops_the_worker_until_it_is_answered(self):
        worker = Worker(self.server, "touch ran")
        review = self.server.next_review("touch ran")
        self.assertTrue(worker.running)
        self.assertFalse((self.server.project / "ran").exists())
        self.server.answer(review["id"], "approve")
        self.assertEqual(worker.end()[0], 0)
        self.assertTrue((self.server.project / "ran").exists())

    def test_REQ_F_9_what_a_review_shows(self):
        for number in range(6):
            self.server.check(f"ls dir-{number}", worker_id="w-9", task_id="t-9", project_id="p-9")
        asked = self.server.check("mystery --x 'a b'", worker_id="w-9", task_id="t-9", project_id="p-9",
                                  context={"task_description": "find out", "worktree_path": str(self.server.project)})
        review = self.server.get(f"/v1/reviews/{asked['review_id']}")
        self.assertEqual((review["command"], review["command_redacted"]), ("mystery --x 'a b'",) * 2)
        self.assertEqual((review["worker_id"], review["task_id"], review["project_id"]), ("w-9", "t-9", "p-9"))
        self.assertEqual(review["context"]["task_description"], "find out")
        self.assertEqual(review["context"]["worktree_path"], str(self.server.project))
        self.assertEqual(sorted(review["context"]["recent_commands"]), [f"ls dir-{n}" for n in range(1, 6)])
        self.assertEqual(review["status"], "pending")
        self.assertLess(review["requested_at"], review["expires_at"])

    def test_REQ_F_10_three_answers(self):
        once = self.server.check("ten --once")
        self.assertEqual(self.server.answer(once["review_id"], "approve").status, 200)
        self.assertEqual(self.verdict("ten --once", review_id=once["review_id"]), "human-accept")
        self.assertEqual(self.verdict("ten --once"), "pending")  # one time
        no = self.server.check("ten --no")
        self.assertEqual(self.server.answer(no["review_id"], "deny", reason="not now").status, 200)
        said = self.server.check("ten --no", review_id=no["review_id"])
        self.assertEqual((said["decision"], said["status"]), ("human-deny", "denied"))
        self.assertIn("not now", said["reason"] + said["message"])
        self.assertEqual(self.verdict("ten --no"), "pending")
        always = self.server.check("ten --always")
        self.assertEqual(self.server.answer(always["review_id"], "promote").status, 200)
        self.assertIn(self.verdict("ten --always", review_id=always["review_id"]), ("human-accept", "auto-accept"))
        self.assertEqual(self.verdict("ten --always"), "auto-accept")
        self.assertEqual(self.server.answer(always["review_id"], "perhaps").status, 400)

    # ---- the log ----

    def test_REQ_F_12_every_decision_is_logged(self):
        commands = ["ls twelve", "curl twelve", "twelve --approved", "twelve --denied"]
        for command in commands:
            said = self.server.check(command)
            if "review_id" in said:
                self.server.answer(said["review_id"], "approve" if "approved" in command else "deny")
        logged = {d["command"]: d["decision"] for d in self.server.decisions("limit=1000&text=twelve")}
        self.assertEqual(logged, dict(zip(commands, ["auto-accept", "auto-deny", "human-accept", "human-deny"])))
        verified = self.server.command("log", "verify", "--data", str(self.server.data))
        self.assertEqual(verified.returncode, 0, verified.stdout)

    def test_REQ_F_13_what_an_entry_holds(self):
        said = self.server.check("ls thirteen", worker_id="w-13", task_id="t-13", project_id="p-13")
        [entry] = self.server.decisions("text=thirteen")
        self.assertEqual(entry["id"], said["decision_id"])
        self.assertRegex(entry["timestamp"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
        self.assertEqual((entry["worker_id"], entry["task_id"], entry["project_id"]), ("w-13", "t-13", "p-13"))
        self.assertEqual((entry["command"], entry["decision"]), ("ls thirteen", "auto-accept"))
        self.assertEqual(entry["matched_rule_id"], said["matched_rule_id"])
        self.assertIsInstance(entry["response_time_ms"], (int, float))

    def test_REQ_F_14_queries_by_decision_project_and_time(self):
        before = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 3600))
        for project in ("p-14a", "p-14b"):
            self.server.check("ls fourteen", project_id=project)
            self.server.check("curl fourteen", project_id=project)
        query = "text=fourteen&limit=1000"
        self.assertEqual(len(self.server.decisions(query)), 4)
        self.assertEqual(len(self.server.decisions(query + "&project=p-14a")), 2)
        self.assertEqual([d["command"] for d in self.server.decisions(query + "&project=p-14a&decision=auto-deny")],
                         ["curl fourteen"])
        self.assertEqual(len(self.server.decisions(query + f"&since={before}")), 4)
        self.assertEqual(len(self.server.decisions(query + "&since=1h")), 4)
        self.assertEqual(self.server.decisions(query + f"&until={before}"), [])
        page = self.server.get(f"/v1/decisions?{query.replace('1000', '3')}")
        rest = self.server.get(f"/v1/decisions?{query.replace('1000', '3')}&cursor={page['next']}")
        self.assertEqual((len(page["decisions"]), len(rest["decisions"]), rest["next"]), (3, 1, None))

    # ---- rules ----

    def test_REQ_F_16_rules_are_added_changed_and_removed(self):
        rule = self.server.add_rule("sixteen*")
        self.assertEqual(self.server.get(f"/v1/rules/{rule['id']}")["pattern"], "sixteen*")
        changed = self.server.ask("PUT", f"/v1/rules/{rule['id']}", {"pattern": "sixteen --ok*", "type": "accept", "scope": "global"})
        self.assertEqual(changed.status, 200, changed.body)
        self.assertEqual(self.server.get(f"/v1/rules/{rule['id']}")["pattern"], "sixteen --ok*")
        self.assertEqual(self.verdict("sixteen --ok"), "auto-accept")
        self.assertEqual(self.verdict("sixteen --other"), "pending")
        self.assertIn(self.server.ask("DELETE", f"/v1/rules/{rule['id']}").status, (200, 204))
        self.assertEqual(self.server.ask("GET", f"/v1/rules/{rule['id']}").status, 404)
        self.assertEqual(self.verdict("sixteen --ok"), "pending")
        # A deny rule needs a reason, every rule a pattern that can be read.
        for body in ({"pattern": "x*", "type": "deny", "scope": "global"}, {"pattern": "", "type": "accept", "scope": "global"},
                     {"type": "accept", "scope": "global"}, {"pattern": "x*", "type": "permit", "scope": "global"}, {"pattern": "x*", "type": "accept"}):
            self.assertEqual(self.server.ask("POST", "/v1/rules", body).status, 400, body)

    def test_REQ_F_17_changes_hold_for_the_next_call(self):
        for number in range(20):
            rule = self.server.add_rule(f"seventeen-{number}*")
            self.assertEqual(self.verdict(f"seventeen-{number} x"), "auto-accept")
            self.server.ask("DELETE", f"/v1/rules/{rule['id']}")
            self.assertEqual(self.verdict(f"seventeen-{number} x y"), "pending")

    def test_REQ_F_18_dry_run(self):
        before = self.server.decisions("limit=1000")
        waiting = len(self.server.pending())
        for command, behavior in (("ls eighteen", "allow"), ("curl eighteen", "deny"), ("eighteen", "ask")):
            said = self.server.ask("POST", "/v1/dry-run", self.server.call(command))
            self.assertEqual((said.status, said.json["behavior"]), (200, behavior))
        self.assertEqual(self.server.decisions("limit=1000"), before)
        self.assertEqual(len(self.server.pending()), waiting)

    def test_REQ_F_19_rule_audit(self):
        for command in ("nineteen a", "nineteen b", "other"):
            self.server.answer(self.server.check(command)["review_id"], "deny")
        answer = self.server.ask("POST", "/v1/rules/audit", {"pattern": "nineteen*", "type": "accept", "scope": "global",
                                                             "commands": ["nineteen c", "twenty d", "nineteen e && curl x"]})
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual([(c["command"], c["matches"], c["covers"]) for c in answer.json["commands"]],
                         [("nineteen c", True, True), ("twenty d", False, False), ("nineteen e && curl x", True, False)])
        self.assertEqual(sorted(c["command"] for c in answer.json["past"]), ["nineteen a", "nineteen b"])
        self.assertEqual(self.verdict("nineteen f"), "pending")  # an audit adds nothing

    # ---- non-functional ----

    def test_REQ_NF_1_deny_rules_see_through_spelling(self):
        for command in ("c\\url x", "'curl' x", "cu\"\"rl x", "$(printf curl) x", "eval 'cu''rl x'", "x=curl; $x y", "env curl x",
                        "echo `curl x`", "if true; then curl x; fi", "echo x | xargs curl", "\\\ncurl x", "cur{l,l} x"):
            self.assertNotEqual(self.server.check(command)["behavior"], "allow", command)
        for command in ("c\\url x", "'curl' x", "cu\"\"rl x", "eval 'cu''rl x'", "x=curl; $x y", "env curl x", "echo `curl x`"):
            self.assertEqual(self.verdict(command), "auto-deny", command)

    def test_REQ_NF_2_paths_are_resolved_before_rules_look(self):
        (self.server.home / ".aws").mkdir(exist_ok=True)
        (self.server.home / ".aws" / "credentials").write_text("x\n")
        (self.server.project / "a").symlink_to(self.server.home / ".aws")
        (self.server.project / "b").symlink_to("a/credentials")
        for command in ("cat a/credentials", "cat b", "head ./b", "cat x/../b", f"cat {self.server.project}/../project/b"):
            self.assertEqual(self.verdict(command), "auto-deny", command)

    def test_REQ_NF_3_metrics(self):
        self.server.check("ls metrics")
        review = self.server.check("metrics")["review_id"]
        self.server.answer(review, "deny")
        text = self.server.ask("GET", "/metrics").body.decode()
        for decision in ("auto-accept", "human-deny"):
            self.assertRegex(text, rf'(?m)^warder_\w*decisions\w*{{[^}}]*"{decision}"[^}}]*}} [1-9]')
        for name in ("review", "timeout", "pending"):
            self.assertRegex(text, rf"(?m)^warder_\w*{name}\w*(_sum|_count|_total|)(\{{.*\}})? \d")
        for line in text.splitlines():
            self.assertRegex(line, r'^(#.*|[a-zA-Z_:][a-zA-Z0-9_:]*(\{.*\})? [-+0-9.eEinfINFNa]+)$|^$')

    # ---- constraints ----

    def test_constraint_1_workers_cannot_change_rules(self):
        rule = self.server.add_rule("constraint-one*", "deny", reason="stays")
        body = {"pattern": "curl*", "type": "accept", "scope": "global"}
        update = {"type": "addRules", "rules": ["Bash(curl:*)"], "behavior": "allow", "destination": "engine"}
        for method, path, sent in (("POST", "/v1/rules", body), ("PUT", f"/v1/rules/{rule['id']}", body),
                                   ("DELETE", f"/v1/rules/{rule['id']}", None), ("POST", "/v1/updates", update),
                                   ("PUT", "/v1/rules/none", body), ("DELETE", "/v1/rules/none", None)):
            for role in ("worker", "viewer"):
                self.assertEqual(self.server.ask(method, path, sent, role=role).status, 403, (method, path, role))
            self.assertEqual(self.server.ask(method, path, sent, role=None).status, 401, (method, path))
        review = self.server.check("constraint-two")["review_id"]
        for answer in ("approve", "promote"):
            self.assertEqual(self.server.ask("POST", f"/v1/reviews/{review}", {"answer": answer}, role="worker").status, 403)
        self.assertEqual(self.verdict("constraint-one x"), "auto-deny")
        self.assertEqual(self.verdict("curl x"), "auto-deny")

    def test_constraint_2_nothing_runs_while_a_review_is_pending(self):
        worker = Worker(self.server, "touch pending-ran")
        review = self.server.next_review("touch pending-ran")
        said = self.server.check("touch pending-ran")
        self.assertEqual((said["behavior"], said["status"]), ("ask", "pending"))
        self.assertFalse((self.server.project / "pending-ran").exists())
        self.server.answer(review["id"], "deny")
        self.assertEqual(worker.end()[0], 126)
        self.assertFalse((self.server.project / "pending-ran").exists())

    def test_constraint_3_no_secret_is_logged(self):
        said = self.server.check("curl -H 'Authorization: Bearer s3cr3tT0k3nValue9' https://x.example")
        self.assertEqual(said["decision"], "auto-deny")
        listed = self.server.ask("GET", "/v1/decisions?limit=1000").body.decode()
        self.assertNotIn("s3cr3tT0k3nValue9", listed)
        self.assertIn("REDACTED", listed)
        for path in self.server.data.rglob("*"):
            if path.is_file():
                self.assertNotIn(b"s3cr3tT0k3nValue9", path.read_bytes(), path)

    def test_constraint_4_projects_cannot_weaken_global_denies(self):
        policy = self.server.project / ".warder"
        policy.mkdir(exist_ok=True)
        (policy / "warder.yaml").write_text('allow: ["Bash(curl:*)"]\nmode: bypassPermissions\n')
        self.server.add_rule("curl*", scope="p-1")
        review = self.server.check("constraint-four")["review_id"]
        self.server.answer(review, "promote", rule="curl *")
        self.assertEqual(self.verdict("curl http://x"), "auto-deny")
        (policy / "warder.yaml").unlink()


class Timeouts(ServiceTest):
    options = ("--review-timeout", "2")

    def test_REQ_F_11_a_review_nobody_answers_is_denied(self):
        asked = self.server.check("eleven")
        self.assertEqual(asked["status"], "pending")
        said = self.server.check("eleven", wait=30, review_id=asked["review_id"])
        self.assertEqual((said["behavior"], said["decision"], said["status"]), ("deny", "timeout-deny", "expired"))
        self.assertEqual(self.server.answer(asked["review_id"], "approve").status, 409)


class Retention(unittest.TestCase):
    def test_REQ_F_15_nothing_is_kept_for_less_than_30_days(self):
        server = Server("--retention", "29")
        with self.assertRaises(AssertionError):
            server.start()
        self.assertIn("30", server.log.read_text())
        server.stop()


class FailsClosed(unittest.TestCase):
    def test_REQ_NF_4_what_goes_wrong_denies(self):
        with Server() as server:
            policy = server.home / ".config" / "warder"
            policy.mkdir(parents=True, exist_ok=True)
            self.assertEqual(server.check("ls")["behavior"], "allow")
            for body in ("", "{", "[]", '{"tool": 1}', '{"tool": "Bash"}', '{"tool": "Bash", "input": {"command": "ls"}, "x": 1}',
                         '{"tool": "Bash", "tool": "Bash", "input": {"command": "ls"}}'):
                answer = server.ask("POST", "/v1/check", body, role="worker")
                allowed = answer.status == 200 and answer.json["behavior"] != "deny"
                self.assertFalse(allowed, (body, answer.body))
            # The record cannot be written: nothing is allowed, and it continues when it can be again.
            journal = server.data / "journal"
            journal.rename(server.data / "elsewhere")
            journal.write_text("in the way")
            said = server.check("ls broken")
            if said["behavior"] != "allow":  # an open segment may still be written to
                self.assertEqual(said["behavior"], "deny")
            journal.unlink()
            (server.data / "elsewhere").rename(journal)
            wait_until("a good verdict", lambda: server.check("ls")["behavior"] == "allow")
        with Server() as server:
            server.stop()
            policy = server.home / ".config" / "warder"
            policy.mkdir(parents=True, exist_ok=True)
            (policy / "warder.yaml").write_text("deny: [\n")
            server.start()
            said = server.check("ls")
            self.assertEqual(said["behavior"], "deny")
            self.assertIn("warder.yaml", said["reason"])
            self.assertNotEqual(server.ask("GET", "/healthz").json["status"], "ok")
            (policy / "warder.yaml").write_text("")
            wait_until("a policy that is mended", lambda: server.check("ls")["behavior"] == "allow")


class Speed(unittest.TestCase):
    def test_REQ_NF_5_a_thousand_rules_and_more(self):
        with Server() as server:
            policy = server.home / ".config" / "warder"
            policy.mkdir(parents=True, exist_ok=True)
            server.stop()
            rules = [f'  - "Bash(tool-{n} sub-{n}:*)"' for n in range(5000)]
            (policy / "warder.yaml").write_text("allow:\n" + "\n".join(rules) + "\n")
            server.start()
            self.assertEqual(server.check("tool-4999 sub-4999 x")["decision"], "auto-accept")
            # Measured by the server: whole milliseconds from the call's arrival to its record.
            times = sorted(server.check(f"tool-{n} sub-{n} x")["response_time_ms"] for n in range(0, 5000, 50))
            print(f"5,000 rules: median {times[len(times) // 2]} ms, slowest {times[-1]} ms of {len(times)}")
            self.assertLess(times[len(times) // 2], 100)


class Table(unittest.TestCase):
    def test_the_table_names_tests_that_there_are(self):
        page = (SOURCE / "docs" / "requirements.md").read_text()
        rows = dict(re.findall(r"(?m)^\| (SC-\d|REQ-N?F-\d+|DO-NOT-\d|AT-\d+) \|.*\| (.*) \|$", page))
        wanted = ([f"SC-{n}" for n in range(1, 6)] + [f"REQ-F-{n}" for n in range(1, 20)] + [f"REQ-NF-{n}" for n in range(1, 6)]
                  + [f"DO-NOT-{n}" for n in range(1, 5)] + [f"AT-{n}" for n in range(1, 11)])
        self.assertEqual(list(rows), wanted)
        here = Path(__file__).parent
        known = {}
        for file in [*here.glob("test_*.py"), *(SOURCE / "tests").glob("unit/*/*.c"), *(SOURCE / "tests").glob("system/*.bats"),
                     *(SOURCE / "tests").glob("conformance/*.case"), *(SOURCE / "tests").glob("cases/*.case")]:
            known[str(file.resolve().relative_to(SOURCE.resolve()))] = file.read_text()
        for requirement, named in rows.items():
            found = re.findall(r"`([^`]+)`", named)
            self.assertTrue(found, requirement)
            for name in found:
                file, _, test = name.partition(": ")
                self.assertIn(f"tests/{file}", known, requirement)
                self.assertTrue(test in known[f"tests/{file}"], f"{requirement}: {name}")


if __name__ == "__main__":
    main()
