#!/usr/bin/env python3
"""What the service keeps: reviews and tokens while commands, queries and removed files are beside it, over kill -9 and restarts."""

import os
import signal
import threading
import time
import unittest

from wire import Lines, Server, ServiceTest, main, wait_until


def ended(server, reviews):
    """How each of these reviews ended; None while one is pending."""
    known = {r["id"]: r["status"] for r in server.get("/v1/reviews?limit=1000")["reviews"]}
    return [known[r] for r in reviews] if all(known.get(r) != "pending" for r in reviews) else None


class Names(ServiceTest):
    """A worker names its session, itself and its task as it likes. None of that hides it."""

    def listed(self):
        return {s["id"]: s for s in self.server.get("/v1/sessions")["sessions"]}

    def test_a_session_with_a_long_name_is_listed_and_revoked(self):
        for length in (256, 257, 4096):
            name = "n" * length
            self.assertEqual(self.server.check("ls", session=name)["behavior"], "allow")
            one = self.listed()[name]
            self.assertEqual(self.server.ask("DELETE", f"/v1/sessions/{one['key']}").status, 200)

    def test_one_with_a_longer_name_is_denied(self):
        name = "n" * 4097
        verdict = self.server.check("ls", session=name)
        self.assertEqual((verdict["behavior"], verdict["layer"]), ("deny", "session"))
        self.assertIn("4096 bytes", verdict["reason"])
        self.assertNotIn(name, self.listed())

    def test_a_session_that_is_named_as_something_else_is_revoked_all_the_same(self):
        self.server.check("ls", session="other")
        key = self.listed()["other"]["key"]
        for name in ("browser", "..", ".", "a/b", "%2e", "?x", key):
            self.server.check("ls", session=name)
            one = self.listed()[name]
            self.assertEqual(self.server.get(f"/v1/sessions/{one['key']}")["id"], name)
            self.assertEqual(self.server.ask("DELETE", f"/v1/sessions/{one['key']}").status, 200)
        self.assertEqual(self.server.get(f"/v1/sessions/{key}")["id"], "other")

    def test_two_callers_with_one_name_are_both_listed(self):
        mallory = self.server.token("worker", "--name", "mallory")
        self.server.check("ls", session="shared")
        self.assertEqual(self.server.ask("POST", "/v1/check", self.server.call("ls", 0, session="shared"), token=mallory).status, 200)
        shared = [s for s in self.server.get("/v1/sessions")["sessions"] if s["id"] == "shared"]
        self.assertEqual(len({(s["caller"], s["key"]) for s in shared}), 2)
        self.assertEqual([self.server.get(f"/v1/sessions/{s['key']}")["caller"] for s in shared], [s["caller"] for s in shared])

    def test_the_one_that_called_last_is_first(self):
        for name in ("s-a", "s-b", "s-a"):
            self.server.check("ls", session=name)
        self.assertEqual([s["id"] for s in self.server.get("/v1/sessions")["sessions"]][:2], ["s-a", "s-b"])

    def test_what_is_kept_of_names_has_an_end(self):
        self.server.check("ls", session="s-long", worker_id="w" * 100000, task_id="t" * 100000)
        one = self.listed()["s-long"]
        self.assertEqual((len(one["worker_id"]), len(one["task_id"])), (1024, 1024))


class Beside(ServiceTest):
    """`warder token` and `warder log` in other processes, and the log's own thread, must not take the service's locks."""

    def command(self, *words):
        out = self.server.command(*words, "--data", str(self.server.data))
        self.assertEqual(out.returncode, 0, out.stderr)
        return out.stdout

    def test_tokens_count_at_once(self):
        self.server.check("ls")
        self.server.decisions()
        for _ in range(5):
            token = self.command("token", "create", "--role", "viewer").strip()
            self.command("log", "--limit", "1")
            self.assertEqual(self.server.ask("GET", "/v1/reviews", token=token).status, 200)
            self.server.decisions()
            self.command("token", "revoke", token.split("_")[1])
            self.assertEqual(self.server.ask("GET", "/v1/reviews", token=token).status, 401)

    def test_reviews_survive_kill(self):
        with Server() as server:
            server.check("ls")
            server.decisions()
            first = server.check("mystery one")["review_id"]
            server.command("token", "create", "--role", "viewer", "--data", str(server.data))
            server.command("log", "--data", str(server.data))
            second = server.check("mystery two")["review_id"]
            server.command("token", "list", "--data", str(server.data))
            for pid in server.pids():
                os.kill(pid, signal.SIGKILL)
            server.kill()
            server.start()
            self.assertEqual({r["id"] for r in server.pending()}, {first, second})
            self.assertEqual(server.answer(first, "approve").status, 200)
            self.assertEqual(server.check("mystery one")["decision"], "human-accept")

    def test_an_audit_does_not_hold_others(self):
        """A check that comes after an audit of a log whose index must be built first is answered before it."""
        with Server("--record-sync", "crash") as server:
            lines = Lines(server.socket)
            for first in range(0, 8000, 50):
                for n in range(first, first + 50):
                    lines.send(server.call(f"ls {n}"))
                for n in range(50):
                    lines.receive()
            server.token("viewer"), server.token("worker")
            for tail in ("", "-wal", "-shm"):
                (server.data / f"log.sqlite{tail}").unlink(missing_ok=True)
            order = []

            def audit():
                answer = server.ask("POST", "/v1/rules/audit", {"pattern": "ls*", "type": "deny", "limit": 2000}, role="viewer")
                order.append(("audit", answer.status, len(answer.json["past"])))

            thread = threading.Thread(target=audit)
            thread.start()
            server.ask("GET", "/healthz")  # the audit's request was sent before this one
            order.append(lines.ask(server.call("ls"))["behavior"])
            thread.join()
            lines.close()
            self.assertEqual(order, ["allow", ("audit", 200, 2000)])


class Expiry(unittest.TestCase):
    def test_every_review_and_its_worker(self):
        """Workers that would wait for a minute are told when the time of each review is over."""
        with Server("--review-timeout", "2") as server:
            lines = [Lines(server.socket) for _ in range(3)]
            for n, worker in enumerate(lines):
                worker.send(server.call(f"mystery {n}", wait=600))
                server.next_review(f"mystery {n}")
            for worker in lines:
                self.assertEqual(worker.receive()["decision"], "timeout-deny")
                worker.close()

    def test_more_than_a_tick_takes(self):
        with Server("--review-timeout", "2") as server:
            lines = Lines(server.socket)
            for n in range(600):
                lines.send(server.call(f"mystery {n}", worker_id=f"w-{n}"))
                if n % 50 == 49:
                    reviews = [lines.receive()["review_id"] for _ in range(50)]
            self.assertEqual(set(wait_until("all have expired", lambda: ended(server, reviews), 30)), {"expired"})
            self.assertEqual(server.pending(), [])
            lines.close()


class Lost(unittest.TestCase):
    """The files of a data directory, one by one."""

    def remove(self, server, name):
        for tail in ("", "-wal", "-shm"):
            (server.data / (name + tail)).unlink(missing_ok=True)

    def test_the_index_while_it_runs(self):
        with Server() as server:
            for n in range(20):
                server.check(f"ls {n}")
            self.assertEqual(len(server.decisions("limit=100")), 20)
            self.remove(server, "log.sqlite")
            server.check("ls more")
            self.assertEqual(len(server.decisions("limit=100")), 21)
            self.assertEqual(server.check("mystery")["status"], "pending")

    def test_the_state_while_it_runs_and_stopped(self):
        with Server() as server:
            worker, viewer = server.token("worker"), server.token("viewer")
            review = server.check("mystery")["review_id"]
            self.assertEqual(server.command("token", "revoke", viewer.split("_")[1], "--data", str(server.data)).returncode, 0)
            self.remove(server, "state.sqlite")
            self.assertEqual(server.ask("GET", "/v1/reviews", token=viewer).status, 401)
            self.assertEqual([r["id"] for r in server.pending()], [review])
            server.stop()
            self.remove(server, "state.sqlite")
            server.start()
            self.assertEqual(server.ask("GET", "/v1/reviews", token=viewer).status, 401)
            self.assertEqual(server.ask("POST", "/v1/check", server.call("ls"), token=worker).status, 200)
            self.assertEqual([r["id"] for r in server.pending()], [review])
            self.assertEqual(server.answer(review, "deny").status, 200)

    def test_a_damaged_state_is_rebuilt(self):
        with Server() as server:
            worker = server.token("worker")
            review = server.check("mystery")["review_id"]
            refused = server.command("state", "rebuild", "--data", str(server.data))
            self.assertEqual(refused.returncode, 66, refused.stderr)
            self.assertIn("stop the service", refused.stderr)
            server.stop()
            with open(server.data / "state.sqlite", "r+b") as file:
                size = file.seek(0, os.SEEK_END)
                for page in range(4096, size, 4096):
                    file.seek(page)
                    file.write(b"Z" * 200)
            server.start()
            self.assertEqual(server.ask("GET", "/healthz", role=None).status, 503)
            server.stop()
            rebuilt = server.command("state", "rebuild", "--data", str(server.data))
            self.assertEqual(rebuilt.returncode, 0, rebuilt.stderr)
            self.assertRegex(rebuilt.stdout, r"^\d tokens and 1 reviews from \d+ records$")
            server.start()
            self.assertEqual(server.ask("POST", "/v1/check", server.call("ls"), token=worker).status, 200)
            self.assertEqual([r["id"] for r in server.pending()], [review])


class Retention(unittest.TestCase):
    def test_bytes(self):
        with Server("--retention-bytes", "2M", "--review-timeout", "1", "--record-sync", "crash") as server:
            lines = Lines(server.socket)
            token = server.token("operator")

            def filled():
                for n in range(400):
                    lines.send(server.call(f"ls {n} {'x' * 4000}"))
                    lines.receive()
                time.sleep(1)  # what is younger than SERVICE_RECORD_LEAST_S stays in any case
                segments = sorted((server.data / "journal").glob("*.jsonl"))
                return int(segments[0].stem) > 1

            wait_until("old segments are removed", filled, 120)
            self.assertEqual(server.command("log", "verify", "--data", str(server.data)).returncode, 0)
            self.assertEqual(server.ask("GET", "/v1/rules", token=token).status, 200)
            lines.close()

    def test_too_few_bytes_are_refused(self):
        server = Server("--retention-bytes", "100K")
        with self.assertRaisesRegex(AssertionError, "at least 1048576 bytes"):
            server.start()
        server.stop()


if __name__ == "__main__":
    main()
