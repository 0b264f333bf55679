#!/usr/bin/env python3
"""Answers by the link of a notice, and the notices that carry them: plain, ntfy and Slack."""

import json
import unittest

from test_notify import Hook
from wire import Server, main, wait_until

ANSWER, LOOK = "/v1/links/answer", "/v1/links/look"


class Told:
    """A service that tells a hook of reviews, with links of an operator's token."""

    def __init__(self, form="webhook", more=",approve", path="/hook", **options):
        self.hook = Hook()
        self.server = Server(**options)
        token = self.server.command("token", "create", "--role", "operator", "--name", "op1", "--data", str(self.server.data)).stdout.strip()
        self.owner = token.split("_")[1]
        self.url = f"http://127.0.0.1:{self.hook.server.server_port}{path}"
        self.server.options += [f"--notify-{form}", self.url, "--notify-answers", self.owner + more]

    def __enter__(self):
        self.server.__enter__()
        return self

    def __exit__(self, *_):
        self.server.__exit__()
        self.hook.close()

    def notice(self, command):
        """Asks, and gives the id of the review and its notice."""
        before = len(self.hook.heard)
        review = self.server.check(command)["review_id"]
        wait_until("a notice", lambda: len(self.hook.heard) > before)
        return review, self.hook.heard[-1]

    def links(self, command):
        review, notice = self.notice(command)
        return review, notice["links"]

    def post(self, path, link, **more):
        return self.server.ask("POST", path, {"link": link}, role=None, **more)

    def review(self, review):
        return self.server.get(f"/v1/reviews/{review}")


class Links(unittest.TestCase):
    def test_a_link_answers_one_review_once_and_says_who(self):
        with Told() as told:
            review, links = told.links("mystery one")
            other, _ = told.links("mystery two")
            self.assertEqual(links["page"], f"http://127.0.0.1:{told.server.port}/console/#answer=")
            self.assertEqual(links["post"], f"http://127.0.0.1:{told.server.port}{ANSWER}")
            answer = told.post(ANSWER, links["approve"])
            self.assertEqual((answer.status, answer.json), (200, {}))
            ended = told.review(review)
            self.assertEqual((ended["status"], ended["responded_by"]), ("approved", f"op1, by link ({told.owner})"))
            for link in (links["approve"], links["deny"]):
                self.assertEqual(told.post(ANSWER, link).status, 409)
            self.assertEqual(told.review(other)["status"], "pending")
            [record] = [d for d in told.server.decisions() if d.get("review_id") == review and d["decision"] == "human-accept"]
            self.assertEqual(record["answered_by"], f"op1, by link ({told.owner})")

    def test_a_denial(self):
        with Told(more="") as told:
            review, links = told.links("mystery deny")
            self.assertNotIn("approve", links)
            self.assertEqual(told.post(ANSWER, links["deny"]).status, 200)
            self.assertEqual(told.review(review)["status"], "denied")

    def test_looking_changes_nothing_and_shows_no_secret(self):
        with Told() as told:
            review, links = told.links("mystery --token s3cr3tT0k3nValue9")
            for _ in range(2):
                seen = told.post(LOOK, links["approve"])
                self.assertEqual(seen.status, 200, seen.body)
                self.assertEqual((seen.json["answer"], seen.json["by"], seen.json["review"]["id"]), ("approve", "op1, by link", review))
                self.assertNotIn(b"s3cr3tT0k3nValue9", seen.body)
            self.assertEqual(told.review(review)["status"], "pending")
            self.assertNotIn("s3cr3tT0k3nValue9", json.dumps(told.hook.heard))

    def test_a_scanner_that_fetches_everything_answers_nothing(self):
        with Told() as told:
            review, links = told.links("mystery scanned")
            for link in (links["deny"], links["approve"]):
                for path in (ANSWER, LOOK, f"{ANSWER}?link={link}", f"{ANSWER}/{link}", "/console/", f"/console/?answer={link}"):
                    for method in ("GET", "HEAD"):
                        self.assertIn(told.server.ask(method, path, role=None).status, (200, 400, 401, 404, 405), path)
            self.assertEqual(told.review(review)["status"], "pending")
            self.assertEqual(told.post(ANSWER, links["deny"]).status, 200)  # and none of it was used up

    def test_no_other_site_sends_one(self):
        with Told() as told:
            review, links = told.links("mystery elsewhere")
            for headers, status in (({"Origin": "https://evil.example"}, 403), ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Content-Type": "text/plain"}, 415),
                                    ({"Host": "rebound.example"}, 421), ({"Origin": f"http://127.0.0.1:{told.server.port + 1}"}, 403)):
                self.assertEqual(told.post(ANSWER, links["deny"], headers=headers).status, status, headers)
            self.assertEqual(told.review(review)["status"], "pending")

    def test_every_part_of_it_is_signed(self):
        with Told() as told:
            review, links = told.links("mystery signed")
            other, others = told.links("mystery other")
            viewer = told.server.token("viewer").split("_")[1]
            ours, theirs = links["deny"].split("."), others["deny"].split(".")
            changed = [ours[:i] + [part] + ours[i + 1:] for i, part in ((0, theirs[0]), (1, viewer), (1, "f" * 16), (2, "approve"), (2, "promote"),
                                                                      (3, str(int(ours[3]) + 600)), (4, theirs[4]), (4, ours[4][:-1]),
                                                                      (4, ours[4] + "A"), (4, "A" * 43))]
            for parts in changed:
                for path in (LOOK, ANSWER):
                    self.assertEqual(told.post(path, ".".join(parts)).status, 403, parts)
            for bad in ("", "x", "....", ".".join(ours[:4]), ".".join(ours[:4]) + ".", " " + links["deny"], "r_" + "0" * 900 + ".a.deny.1.b"):
                self.assertIn(told.post(ANSWER, bad).status, (400, 403, 409), bad)
            for body in ({}, {"link": 1}, {"link": links["deny"], "answer": "approve"}, [links["deny"]]):
                self.assertEqual(told.server.ask("POST", ANSWER, body, role=None).status, 400, body)
            self.assertEqual({told.review(one)["status"] for one in (review, other)}, {"pending"})

    def test_another_data_directory_signs_otherwise(self):
        with Told() as told, Told() as stranger:
            _, links = told.links("mystery same")
            stranger.links("mystery same")
            self.assertIn(stranger.post(ANSWER, links["deny"]).status, (403, 409))

    def test_a_revoked_token_has_no_links(self):
        with Told() as told:
            review, links = told.links("mystery revoked")
            told.server.command("token", "revoke", told.owner, "--data", str(told.server.data))
            for path in (LOOK, ANSWER):
                self.assertEqual(told.post(path, links["deny"]).status, 403)
            self.assertEqual(told.review(review)["status"], "pending")

    def test_it_ends_with_its_review(self):
        with Told() as told:
            review, links = told.links("mystery late")
            told.server.answer(review, "deny")
            self.assertEqual([told.post(path, links["deny"]).status for path in (LOOK, ANSWER)], [409, 409])
        with Told() as told:
            told.server.stop()
            told.server.options += ["--review-timeout", "1"]
            told.server.start()
            review, links = told.links("mystery expires")
            wait_until("its end", lambda: told.review(review)["status"] == "expired")
            self.assertEqual(told.post(ANSWER, links["deny"]).status, 409)

    def test_what_is_grave_is_denied_by_a_link_and_never_approved(self):
        with Told(profile=None) as told:
            review, links = told.links("sudo systemctl restart nginx")
            self.assertNotIn("approve", links)
            forged = links["deny"].replace(".deny.", ".approve.")
            self.assertEqual(told.post(ANSWER, forged).status, 403)
            self.assertEqual(told.post(ANSWER, links["deny"]).status, 200)
            self.assertEqual(told.review(review)["status"], "denied")

    def test_approvals_that_were_switched_off_meanwhile(self):
        with Told() as told:
            review, links = told.links("mystery off")
            told.server.stop()
            told.server.options[told.server.options.index("--notify-answers") + 1] = told.owner
            told.server.start()
            self.assertEqual(told.post(ANSWER, links["approve"]).status, 403)
            self.assertEqual(told.post(ANSWER, links["deny"]).status, 200)
            self.assertEqual(told.review(review)["status"], "denied")

    def test_only_notices_have_them(self):
        with Told() as told:
            review, links = told.links("mystery kept")
            for path in ("/v1/events?cursor=0", "/v1/reviews", f"/v1/reviews/{review}", "/v1/decisions"):
                self.assertNotIn(links["deny"].rsplit(".", 1)[1].encode(), told.server.ask("GET", path).body, path)
            files = [file.read_bytes() for file in told.server.data.rglob("*") if file.is_file()]
            self.assertFalse(any(links["deny"].rsplit(".", 1)[1].encode() in text for text in files))

    def test_whose_they_are_must_be_an_operator(self):
        for answers in ("", "nobody", ",approve", "{viewer}", "{operator},promote", "{operator},", "{revoked}"):
            server = Server()
            named = {role: server.token(role if role != "revoked" else "operator", "--name", role).split("_")[1] for role in ("viewer", "operator", "revoked")}
            server.command("token", "revoke", named["revoked"], "--data", str(server.data))
            said = server.command("serve", "--listen", "127.0.0.1:0", "--socket", str(server.socket), "--data", str(server.data),
                                  f"--notify-answers={answers.format(**named)}")
            self.assertNotEqual(said.returncode, 0, answers)
            self.assertRegex(said.stderr, "--notify-answers|links cannot answer", answers)
            server.__exit__()


class Forms(unittest.TestCase):
    def test_ntfy(self):
        with Told("ntfy", path="/warder-topic") as told:
            review, notice = told.notice("mystery --token s3cr3tT0k3nValue9")
            self.assertEqual(notice["topic"], "warder-topic")
            self.assertEqual((notice["title"], notice["message"]), ("w-1 asks", "mystery is a program that Warder does not know"))
            self.assertEqual(notice["click"], f"http://127.0.0.1:{told.server.port}/console/#/reviews/{review}")
            self.assertNotIn("s3cr3tT0k3nValue9", json.dumps(notice))
            view, deny, approve = notice["actions"]
            self.assertEqual([(a["action"], a["label"]) for a in notice["actions"]], [("view", "Open"), ("http", "Deny"), ("http", "Approve once")])
            # as its app would
            sent = told.server.ask(approve["method"], approve["url"].split(str(told.server.port))[1], json.loads(approve["body"]), role=None,
                                   headers=approve["headers"])
            self.assertEqual(sent.status, 200, sent.body)
            self.assertEqual(told.review(review)["status"], "approved")
            self.assertEqual(len(told.hook.heard), 1)  # that it ended is no news for a phone

    def test_ntfy_with_a_query(self):
        with Told("ntfy", path="/below/topic?auth=QmVhcmVy") as told:
            _, notice = told.notice("mystery query")
            self.assertEqual(notice["topic"], "topic")

    def test_slack(self):
        with Told("slack") as told:
            review, notice = told.notice("mystery slack")
            section, actions = notice["blocks"]
            self.assertEqual(section["text"], {"type": "plain_text", "text": "w-1 asks: mystery is a program that Warder does not know", "emoji": False})
            self.assertEqual([b["text"]["text"] for b in actions["elements"]], ["Open", "Deny", "Approve once"])
            for button in actions["elements"][1:]:  # they open a page, whose fragment no server sees
                address, link = button["url"].split("#answer=")
                self.assertEqual(address, f"http://127.0.0.1:{told.server.port}/console/")
                self.assertEqual(told.post(LOOK, link).status, 200)
            self.assertEqual(told.review(review)["status"], "pending")

    def test_an_agent_calls_nobody_in_slack(self):
        with Told("slack") as told:
            before = len(told.hook.heard)
            told.server.check("mystery mention", worker_id="<!channel> & <@U1>")
            wait_until("a notice", lambda: len(told.hook.heard) > before)
            self.assertTrue(told.hook.heard[-1]["text"].startswith("&lt;!channel&gt; &amp; &lt;@U1&gt; asks"), told.hook.heard[-1]["text"])
            self.assertEqual(told.hook.heard[-1]["blocks"][0]["text"]["type"], "plain_text")

    def test_without_answers_there_are_none(self):
        hook = Hook()
        with Server("--notify-ntfy", hook.url, "--notify-slack", hook.url, "--notify-webhook", hook.url) as server:
            server.check("mystery plain")
            wait_until("three notices", lambda: len(hook.heard) == 3)
            self.assertNotIn("answer", json.dumps(hook.heard).replace("answered", ""))
        hook.close()

    def test_bad_targets_stop_the_start(self):
        for words in (("--notify-ntfy", "https://ntfy.sh"), ("--notify-ntfy", "https://ntfy.sh/"), ("--notify-slack", "ftp://x/"),
                      ("--notify-slack", "@/nonexistent"), ("--notify-ntfy", "ntfy.sh/topic")):
            server = Server()
            said = server.command("serve", "--listen", "127.0.0.1:0", "--socket", str(server.socket), "--data", str(server.data), *words)
            self.assertNotEqual(said.returncode, 0, words)
            self.assertIn(words[0], said.stderr)
            server.__exit__()


if __name__ == "__main__":
    main()
