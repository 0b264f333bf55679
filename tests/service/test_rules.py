#!/usr/bin/env python3
"""Rules by API: those that ask, those that end, those that settle what waits, and how they are used."""
import concurrent.futures
import datetime

from wire import PATIENCE, ServiceTest, main, wait_until


def stamp(seconds):
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


class Rules(ServiceTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for role in ("worker", "operator", "viewer"):
            cls.server.token(role)

    def add(self, pattern, kind, status=201, **more):
        answer = self.server.ask("POST", "/v1/rules", {"pattern": pattern, "type": kind, "scope": "global"} | more)
        self.assertEqual(answer.status, status, answer.body)
        return answer.json

    def end_soon(self, rule):
        """However slow the machine is, it is in force until this is called."""
        wait_until("an end that is not over yet",
                   lambda: self.server.ask("PUT", f"/v1/rules/{rule['id']}", {"expires_at": stamp(2)}).status == 200)

    def behavior(self, command):
        return self.server.check(command)["behavior"]

    def test_a_rule_that_asks_lifts_an_accept(self):
        self.add("askedtool *", "accept")
        self.assertEqual(self.behavior("askedtool deploy prod"), "allow")
        rule = self.add("askedtool deploy *", "ask", reason="somebody should look")
        self.assertEqual(rule["type"], "ask")
        said = self.server.check("askedtool deploy prod")
        self.assertEqual((said["behavior"], said["status"]), ("ask", "pending"))
        self.assertEqual(self.behavior("askedtool status"), "allow")
        listed = self.server.get(f"/v1/rules/{rule['id']}")
        self.assertEqual((listed["type"], listed["active"]), ("ask", True))
        # A deny stays stronger, and it may become one.
        changed = self.server.ask("PUT", f"/v1/rules/{rule['id']}", {"type": "deny"})
        self.assertEqual(changed.status, 200, changed.body)
        self.assertEqual(self.behavior("askedtool deploy prod"), "deny")

    def test_only_an_accept_may_begin_later(self):
        said = self.add("latertool", "ask", status=400, cooldown=60)
        self.assertIn("cooldown", said["detail"])

    def test_a_type_that_is_none(self):
        self.assertIn("ask", self.add("nonetool", "maybe", status=400)["detail"])

    def test_a_rule_ends_at_its_time(self):
        rule = self.add("shorttool *", "accept", expires_at=stamp(600))
        self.assertTrue(rule["active"])
        self.assertEqual(self.behavior("shorttool run"), "allow")
        self.end_soon(rule)
        wait_until("the end of the rule", lambda: self.behavior("shorttool run") == "ask")
        self.assertFalse(self.server.get(f"/v1/rules/{rule['id']}")["active"])

    def test_a_deny_ends_and_what_was_below_it_counts_again(self):
        self.add("freezetool *", "accept")
        freeze = self.add("freezetool *", "deny", reason="until the release is out", expires_at=stamp(600))
        self.assertEqual(self.behavior("freezetool ship"), "deny")
        self.end_soon(freeze)
        wait_until("the end of the freeze", lambda: self.behavior("freezetool ship") == "allow")

    def test_an_end_can_be_moved_and_taken_away(self):
        rule = self.add("movedtool *", "accept", expires_at=stamp(600))
        later = stamp(1200)
        moved = self.server.ask("PUT", f"/v1/rules/{rule['id']}", {"expires_at": later}).json
        self.assertEqual(moved["expires_at"][:19], later[:19])
        kept = self.server.ask("PUT", f"/v1/rules/{rule['id']}", {"reason": "as it was"}).json
        self.assertEqual(kept["expires_at"], moved["expires_at"])
        self.assertNotIn("expires_at", self.server.ask("PUT", f"/v1/rules/{rule['id']}", {"expires_at": None}).json)

    def test_ends_that_are_none(self):
        for end in ("tomorrow", 5, stamp(-60), ""):
            said = self.add("nevertool", "accept", status=400, expires_at=end)
            self.assertIn("expires_at", said["detail"], end)
        self.assertIn("cooldown", self.add("nevertool", "accept", status=400, cooldown=600, expires_at=stamp(60))["detail"])

    def waiting(self, *commands):
        """Workers that wait for a person, as futures of what they are told."""
        pool = concurrent.futures.ThreadPoolExecutor(len(commands))
        self.addCleanup(pool.shutdown)
        told = [pool.submit(self.server.check, command, PATIENCE) for command in commands]
        return told, [self.server.next_review(command)["id"] for command in commands]

    def test_an_accept_ends_the_reviews_of_workers_that_wait(self):
        told, reviews = self.waiting("settletool a", "settletool b", "othertool c")
        rule = self.add("settletool *", "accept")
        for future, review in zip(told[:2], reviews):
            said = future.result(PATIENCE)
            self.assertEqual((said["behavior"], said["decision"], said["matched_rule_id"]), ("allow", "auto-accept", rule["id"]))
            ended = self.server.get(f"/v1/reviews/{review}")
            self.assertEqual((ended["status"], ended["responded_by"], ended["rule_ids"]), ("approved", "the rules", rule["id"]))
            recorded = [d for d in self.server.decisions("tool=Bash") if d.get("review_id") == review]
            self.assertEqual([d["decision"] for d in recorded], ["auto-accept"])
        self.assertEqual(self.server.get(f"/v1/reviews/{reviews[2]}")["status"], "pending")
        self.server.answer(reviews[2], "deny")
        self.assertEqual(told[2].result(PATIENCE)["behavior"], "deny")

    def test_the_journal_has_how_it_ended(self):
        told, reviews = self.waiting("journaltool a")
        self.add("journaltool *", "accept")
        self.assertEqual(told[0].result(PATIENCE)["behavior"], "allow")
        self.server.stop()
        for tail in ("", "-wal", "-shm"):
            (self.server.data / f"state.sqlite{tail}").unlink(missing_ok=True)
        self.server.start()
        self.assertEqual(self.server.get(f"/v1/reviews/{reviews[0]}")["status"], "approved")

    def test_an_accept_is_kept_for_nobody(self):
        """A worker that left asks again, and is judged by the rules of that time."""
        left = self.server.check("lefttool a")["review_id"]
        told, _ = self.waiting("lefttool b")
        rule = self.add("lefttool *", "accept")
        self.assertEqual(told[0].result(PATIENCE)["behavior"], "allow")
        self.assertEqual(self.server.get(f"/v1/reviews/{left}")["status"], "pending")
        self.server.ask("DELETE", f"/v1/rules/{rule['id']}")
        self.assertEqual(self.server.check("lefttool a")["review_id"], left)

    def test_a_deny_ends_all_of_them(self):
        left = self.server.check("endedtool a")["review_id"]
        told, _ = self.waiting("endedtool b")
        self.add("endedtool *", "deny", reason="not today")
        self.assertEqual(told[0].result(PATIENCE)["decision"], "auto-deny")
        wait_until("the end of the review", lambda: self.server.get(f"/v1/reviews/{left}")["status"] == "denied")
        self.assertEqual(self.server.answer(left, "approve").status, 409)

    def test_a_rule_that_asks_ends_nothing(self):
        told, reviews = self.waiting("stilltool a")
        self.add("stilltool *", "ask")
        self.add("unrelatedtool *", "accept")
        self.assertEqual(self.server.answer(reviews[0], "approve").status, 200)
        self.assertEqual(told[0].result(PATIENCE)["decision"], "human-accept")

    def test_many_are_settled_in_turn(self):
        told, _ = self.waiting(*(f"manytool {n}" for n in range(30)))
        self.add("manytool *", "accept")
        self.assertEqual({future.result(PATIENCE)["behavior"] for future in told}, {"allow"})

    def listed(self, rule):
        return next(r for r in self.server.get("/v1/rules", role="viewer")["rules"] if r["id"] == rule["id"])

    def test_hits_are_those_of_the_log(self):
        rule, other = self.add("hittool *", "accept"), self.add("missedtool *", "accept")
        self.assertEqual((self.listed(rule)["hits"], self.listed(rule)["last_hit"]), (0, None))
        for n in range(3):
            self.assertEqual(self.behavior(f"hittool {n}"), "allow")
        last = self.server.decisions(f"rule={rule['id']}&limit=1")[0]
        self.assertEqual((self.listed(rule)["hits"], self.listed(rule)["last_hit"]), (3, last["timestamp"]))
        self.assertEqual(self.listed(other)["hits"], 0)
        # What the index has taken in and what it lacks are counted once, by any process.
        self.server.command("log", "--data", str(self.server.data), "--limit", "1")
        self.behavior("hittool again")
        self.assertEqual(self.listed(rule)["hits"], 4)
        self.assertNotIn("hits", self.server.get(f"/v1/rules/{rule['id']}"))

    def test_the_linter_speaks_in_the_list(self):
        inside = self.add("lintedtool run", "accept")
        self.assertEqual(self.listed(inside)["lint"], [])
        wide = self.add("lintedtool *", "deny", reason="no")
        self.assertEqual([f["name"] for f in self.listed(inside)["lint"]], ["shadowed"])
        self.assertEqual(self.listed(wide)["lint"], [])
        shipped = [r for r in self.server.get("/v1/rules")["rules"] if r["source"] == "builtin"]
        self.assertTrue(shipped and not any(r["lint"] for r in shipped))

    def test_they_are_the_same_after_a_restart(self):
        ends = stamp(600)
        kept = self.add("restarttool *", "ask", expires_at=ends)["id"]
        self.server.stop()
        self.server.start()
        listed = self.server.get(f"/v1/rules/{kept}")
        self.assertEqual((listed["type"], listed["expires_at"][:19]), ("ask", ends[:19]))


if __name__ == "__main__":
    main()
