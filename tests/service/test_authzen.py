#!/usr/bin/env python3
"""A small AuthZEN client, written from the Authorization API 1.0: it gets the decisions of `warder check`."""

import json
import unittest
from pathlib import Path

from wire import Server, ServiceTest, skip_without_service

EXAMPLES = json.loads((Path(__file__).parent / "authzen" / "examples.json").read_text(encoding="utf-8"))

# Some of the published examples are allowed, some denied, the rest asks.
POLICY = {"permissions": {
    "allow": ["authzen__document__read(id:1)", "authzen__document__read(id:3)", "authzen__account__can_read", "authzen__document__can_read",
              "mcp__shop__order"],
    "deny": ["authzen__document__read(id:2)", "authzen__document__can_edit", "authzen__book__*"]}}


class Client:
    """A policy enforcement point: what it may do depends on nothing but `decision`."""

    def __init__(self, server, *bounds):
        self.server, self.token = server, server.token("worker", *bounds)

    def metadata(self):
        answer = self.server.ask("GET", "/.well-known/authzen-configuration", role=None)
        assert answer.status == 200 and answer.headers["Content-Type"] == "application/json", answer.body
        found = answer.json
        assert found["policy_decision_point"] == self.server.url, found  # else it must not be used
        return found

    def post(self, name, body, request_id="bfe9eb29-ab87-4ca3-be83-a1d5d8305716", token=None):
        url = self.metadata()[name]
        answer = self.server.ask("POST", url.removeprefix(self.server.url), body, token=token or self.token,
                                 headers={"X-Request-ID": request_id})
        assert answer.headers["X-Request-ID"] == request_id, answer.headers
        return answer

    def evaluation(self, **body):
        answer = self.post("access_evaluation_endpoint", body)
        assert answer.status == 200, answer.body
        assert isinstance(answer.json["decision"], bool)
        return answer.json

    def evaluations(self, **body):
        answer = self.post("access_evaluations_endpoint", body)
        assert answer.status == 200, answer.body
        return answer.json


def call_of(evaluation, defaults):
    """The call that an evaluation means, as docs/service.md says."""
    whole = {**{name: defaults[name] for name in ("subject", "action", "resource", "context") if name in defaults}, **evaluation}
    resource, action = whole["resource"], whole["action"]["name"]
    kind, properties = resource["type"], resource.get("properties", {})
    known = {("command", action): ("Bash", "command"), ("url", action): ("WebFetch", "url"), ("file", "read"): ("Read", "file_path"),
             ("file", "write"): ("Write", "file_path"), ("file", "edit"): ("Edit", "file_path")}
    if kind == "tool":
        return {"tool": resource["id"], "input": properties.get("input", {})}
    tool, argument = known.get((kind, action), (f"authzen__{kind}__{action}", "id"))
    return {"tool": tool, "input": {argument: resource["id"], **properties}}


class AuthZEN(ServiceTest):
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(profile="warder")
        settings = cls.server.home / ".claude" / "settings.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps(POLICY))
        cls.server.start()

    def setUp(self):
        self.client = Client(self.server, "--project", "p-1")

    def said(self, evaluation, defaults):
        call = call_of(evaluation, defaults) | {"cwd": str(self.server.project)}
        made = self.server.command("check", "--jsonl", "--json", "--profile", "warder", "--home", str(self.server.home), input=json.dumps(call) + "\n")
        return json.loads(made.stdout)["behavior"]

    def test_the_published_examples_get_the_decisions_of_check(self):
        seen = set()
        for request in EXAMPLES["evaluation"]:
            request.setdefault("context", {})["cwd"] = str(self.server.project)
            behavior = self.said(request, {})
            answer = self.client.evaluation(**request)
            self.assertEqual(answer["decision"], behavior == "allow", request)
            self.assertEqual(answer["context"]["behavior"], behavior, request)
            seen.add(behavior)
        for request in EXAMPLES["evaluations"]:
            for item in [request, *request["evaluations"]]:
                if "context" in item or item is request:
                    item.setdefault("context", {})["cwd"] = str(self.server.project)
            wanted, semantic = [], request.get("options", {}).get("evaluations_semantic", "execute_all")
            for evaluation in request["evaluations"]:
                wanted.append(self.said(evaluation, request) == "allow")
                if (semantic, wanted[-1]) in (("deny_on_first_deny", False), ("permit_on_first_permit", True)):
                    break
            answer = self.client.evaluations(**request)
            self.assertNotIn("decision", answer)
            self.assertEqual([item["decision"] for item in answer["evaluations"]], wanted, request)
        self.assertEqual(seen, {"allow", "deny", "ask"})

    def test_the_three_semantics(self):
        lengths = {"execute_all": 3, "deny_on_first_deny": 2, "permit_on_first_permit": 1}
        for request in EXAMPLES["evaluations"][2:]:
            semantic = request["options"]["evaluations_semantic"]
            self.assertEqual(len(self.client.evaluations(**request)["evaluations"]), lengths.pop(semantic))
        self.assertEqual(lengths, {})

    def evaluate(self, kind, name, action="use", client=None, **context):
        return (client or self.client).evaluation(subject={"type": "agent", "id": "w-1"}, action={"name": action}, context=context,
                                                  resource={"type": kind, "id": name})

    def test_resources_that_are_calls(self):
        cwd = str(self.server.project)
        for kind, action, name in (("command", "run", "ls"), ("command", "run", "rm -rf /"), ("command", "run", "mystery"),
                                   ("file", "read", "/etc/shadow"), ("file", "read", cwd + "/a.txt"), ("file", "write", "/etc/passwd"),
                                   ("file", "shred", "/etc/passwd"), ("url", "get", "https://example.com/"), ("tool", "call", "mcp__shop__order"),
                                   ("tool", "call", "Bash")):
            behavior = self.said({"action": {"name": action}, "resource": {"type": kind, "id": name}}, {})
            answer = self.evaluate(kind, name, action, cwd=cwd)
            self.assertEqual(answer["context"]["behavior"], behavior, (kind, action, name))
            self.assertEqual(answer["decision"], behavior == "allow", (kind, action, name))

    def test_an_ask_is_false_until_a_person_has_answered(self):
        first = self.evaluate("command", "mystery --twice")
        self.assertFalse(first["decision"])
        self.assertEqual((first["context"]["behavior"], first["context"]["status"]), ("ask", "pending"))
        self.assertTrue(first["context"]["reason"])
        self.assertEqual(self.server.answer(first["context"]["review_id"], "approve").status, 200)
        second = self.evaluate("command", "mystery --twice")
        self.assertTrue(second["decision"])
        self.assertTrue(second["context"]["decision_id"].startswith("d_"))
        self.assertFalse(self.evaluate("command", "mystery --twice")["decision"])  # an approval is for one call

    def test_decisions_are_recorded_with_their_subject(self):
        self.client.evaluation(subject={"type": "user", "id": "alice"}, action={"name": "run"}, resource={"type": "command", "id": "ls recorded"})
        entry, = self.server.decisions("text=recorded")
        self.assertEqual((entry["worker_id"], entry["project_id"], entry["decision"]), ("alice", "p-1", "auto-accept"))
        self.assertTrue(entry["token_id"])

    def test_a_subject_that_the_token_is_not_for(self):
        bound = Client(self.server, "--worker", "bob")
        answer = self.evaluate("command", "ls", client=bound)
        self.assertFalse(answer["decision"])
        self.assertEqual(answer["context"]["error"]["status"], 403)

    def test_errors(self):
        subject, action, resource = {"type": "user", "id": "a"}, {"name": "x"}, {"type": "command", "id": "ls"}
        whole = {"subject": subject, "action": action, "resource": resource}
        for bad in ({}, {"subject": subject}, whole | {"subject": {"id": "a"}}, whole | {"action": {}}, whole | {"resource": {"type": "command"}},
                    whole | {"resource": {"type": "command", "id": 1}}, whole | {"context": []}, whole | {"context": {"cwd": 1}},
                    whole | {"resource": {"type": "a b", "id": "x"}}, whole | {"resource": {"type": "a__b", "id": "x"}}, [], "x", '{"subject":'):
            answer = self.client.post("access_evaluation_endpoint", bad if isinstance(bad, str) else json.dumps(bad))
            self.assertEqual((answer.status, answer.json["behavior"]), (400, "deny"), bad)
        several = self.client.evaluations(**whole, evaluations=[{}, {"resource": {"type": "command"}}, {"resource": {"type": "command", "id": "ls"}}])
        self.assertEqual([item["decision"] for item in several["evaluations"]], [True, False, True])
        self.assertEqual(several["evaluations"][1]["context"]["error"]["status"], 400)
        for bad in ({"evaluations": {}}, {"evaluations": [1]}, {"evaluations": [{}] * 101}, {"options": {"evaluations_semantic": "some"}},
                    {"options": 1}):
            self.assertEqual(self.client.post("access_evaluations_endpoint", whole | bad).status, 400, bad)
        self.assertTrue(self.client.evaluations(**whole, evaluations=[])["decision"])  # as a single one
        self.assertEqual(len(self.client.evaluations(**whole, evaluations=[{}] * 100)["evaluations"]), 100)
        self.assertEqual(self.client.post("access_evaluation_endpoint", whole, token="wdr_x").status, 401)
        self.assertEqual(self.client.post("access_evaluation_endpoint", whole, token=self.server.token("viewer")).status, 403)

    def test_a_client_that_goes_away_in_the_middle(self):
        whole = {"subject": {"type": "user", "id": "a"}, "action": {"name": "run"}, "resource": {"type": "command", "id": "mystery --gone"},
                 "context": {"wait": 30}}
        with self.assertRaises(OSError):
            self.server.ask("POST", "/access/v1/evaluation", whole, token=self.client.token, timeout=0.3)
        self.assertTrue(self.evaluate("command", "ls")["decision"])


if __name__ == "__main__":
    skip_without_service()
    unittest.main(verbosity=2)
