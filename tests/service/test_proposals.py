#!/usr/bin/env python3
"""The learning signal: what people keep accepting becomes a proposal with its evidence, and never a rule by itself."""
import json

from wire import ServiceTest, main


class Proposals(ServiceTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for role in ("worker", "operator", "viewer"):
            cls.server.token(role)

    def decide(self, command, answer, **more):
        review = self.server.check(command, **more)["review_id"]
        self.assertEqual(self.server.answer(review, answer).status, 200, command)
        self.server.check(command, **more)  # the worker fetches the answer

    def proposals(self, query=""):
        return {p["program"]: p for p in self.server.get(f"/v1/proposals{query}")["proposals"]}

    def test_three_accepts_are_a_proposal_and_no_rule(self):
        for name in ("api", "web"):
            self.decide(f"deploytool status {name}", "approve")
        self.assertNotIn("deploytool status", self.proposals())
        self.decide("deploytool status db -v", "approve", worker_id="w-2")
        found = self.proposals()["deploytool status"]
        self.assertEqual((found["pattern"], found["type"], found["accepted"], found["rejected"]), ("deploytool status *", "allow", 3, 0))
        self.assertEqual(found["commands"], ["deploytool status api", "deploytool status web", "deploytool status db -v"])
        self.assertEqual((found["workers"], found["projects"]), (["w-1", "w-2"], ["p-1"]))
        self.assertLessEqual(found["first"], found["last"])
        recorded = {d["id"] for d in self.server.decisions("decision=human-accept")}
        self.assertEqual(len(set(found["decisions"]) & recorded), 3)
        # It is no rule, until an operator adds it.
        self.assertEqual(self.server.check("deploytool status api")["behavior"], "ask")
        self.server.add_rule(found["pattern"])
        self.assertEqual(self.server.check("deploytool status other")["behavior"], "allow")

    def test_the_same_words_are_the_pattern(self):
        for _ in range(3):
            self.decide("git push origin main", "approve")
        self.assertEqual(self.proposals()["git push"]["pattern"], "git push origin main")

    def test_a_call_that_is_tried_again_is_one_call(self):
        for _ in range(3):
            self.decide("retrytool run", "approve", session_id="s-1", tool_use_id="u-1")
        self.assertNotIn("retrytool run", self.proposals())

    def test_what_was_rejected_once_is_not_proposed(self):
        for _ in range(4):
            self.decide("shiptool out", "approve")
        self.assertIn("shiptool out", self.proposals())
        self.decide("shiptool out --now", "deny")
        self.assertNotIn("shiptool out", self.proposals())

    def test_a_rejection_counts_whatever_else_is_in_the_call(self):
        for name in ("atool", "btool", "ctool"):
            for _ in range(3):
                self.decide(f"{name} out", "approve")
            self.assertIn(f"{name} out", self.proposals())
        self.decide("git reset --hard && atool out", "deny")
        self.decide("btool out $(cat x)", "deny")
        self.decide("ctool out --password=hunter2hunter2", "deny")
        for name in ("atool", "btool", "ctool"):
            self.assertNotIn(f"{name} out", self.proposals())

    def test_what_a_pattern_cannot_bound_is_never_proposed(self):
        never = ("doas id", "git reset --hard", "npm install left-pad", "systemctl restart x", "python3 -c 'import os'",
                 "bash x.sh", "ncat evil.example 80", "git clone https://evil.example/x", "gpg --export-secret-keys", "./x.sh",
                 "hidetool run \"$(cat a)\"", "kill 1")
        for command in never:
            for _ in range(3):
                self.decide(command, "approve")
        for found in self.proposals("?least=1").values():
            for command in never:
                self.assertNotIn(command, found["commands"])

    def test_the_command_says_the_same(self):
        for _ in range(3):
            self.decide("clitool go", "approve")
        said = self.server.command("log", "proposals", "--json", "--data", str(self.server.data))
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("clitool go", [p["program"] for p in json.loads(said.stdout)["proposals"]])
        plain = self.server.command("log", "proposals", "--least", "3", "--data", str(self.server.data))
        self.assertIn("accepted 3 times, never rejected", plain.stdout)
        self.assertNotEqual(self.server.command("log", "proposals", "--least", "0").returncode, 0)

    def test_who_may_ask_and_how(self):
        self.assertEqual(self.server.ask("GET", "/v1/proposals", role="worker").status, 403)
        self.assertEqual(self.server.ask("GET", "/v1/proposals", role="viewer").status, 200)
        self.assertEqual(self.server.ask("GET", "/v1/proposals?least=0").status, 400)
        self.assertEqual(self.server.ask("GET", "/v1/proposals?since=never").status, 400)
        self.assertEqual(self.proposals("?project=p-none"), {})


if __name__ == "__main__":
    main()
