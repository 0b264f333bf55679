#!/usr/bin/env python3
"""A slow disk delays those who wait for their record, and no one else. The disk is a library (slow_disk.c) that holds up each
sync while there is a gate, a FIFO."""

import contextlib
import http.client
import json
import os
import select
import sqlite3
import threading
import unittest

from wire import BUILD, PATIENCE, Lines, Server, main, wait_until

SLOW_DISK = BUILD / "tests" / "slow_disk.so"


class Disk:
    """A service on a disk that can be held up, for all files or for those whose path has a text in it."""

    def __init__(self, of=""):
        self.server = Server()
        self.gate, self.held = self.server.root / "gate", None
        self.server.env |= {"SYNC_OF": of, "LD_PRELOAD": str(SLOW_DISK), "SYNC_GATE": str(self.gate),
                            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}

    def __enter__(self):
        self.server.start()
        for name in ("LD_PRELOAD", "SYNC_GATE", "SYNC_OF"):  # the commands that a test runs beside it have a good disk
            del self.server.env[name]
        for role in ("worker", "operator", "viewer"):
            self.server.token(role)
        self.server.check("ls")  # its files are there
        return self

    def __exit__(self, *_):
        self.server.__exit__()

    def hold(self):
        os.mkfifo(self.gate)

    def arrived(self):
        """A sync is at the gate: a FIFO without a reader cannot be opened."""
        try:
            self.held = os.open(self.gate, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return False
        return True

    def wait(self):
        wait_until("a sync is at the gate", self.arrived)

    def release(self, after=None):
        """The sync at the gate; `after` is the gate of the next one."""
        if self.held is None:
            self.wait()
        if after:
            os.mkfifo(after)
            os.rename(after, self.gate)
        else:
            os.unlink(self.gate)
        os.close(self.held)
        self.held = None

    def open(self):
        """Whether or not a sync is at the gate."""
        os.rename(self.gate, self.server.root / "old gate")
        os.close(os.open(self.server.root / "old gate", os.O_RDWR))

    def release_one(self):
        self.release(after=self.server.root / "next gate")


def answered(connection):
    return bool(select.select([connection], [], [], 0)[0])


def send(server, method, path, body):
    """Sends it and does not wait. The connection was in use before: what asks the loop from now on comes after it."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request("GET", "/healthz")
    connection.getresponse().read()
    connection.request(method, path, body and json.dumps(body),
                       {"Authorization": f"Bearer {server.token('operator')}", "Content-Type": "application/json"})
    return connection


def approve(server, review, **more):
    return send(server, "POST", f"/v1/reviews/{review['id']}", {"answer": "approve", **more})


def stored(server):
    """Of each review: does the database have its call?"""
    with contextlib.closing(sqlite3.connect(server.data / "state.sqlite", timeout=PATIENCE)) as db:
        return dict(db.execute("SELECT id, sealed IS NOT NULL FROM reviews"))


def rule(pattern, kind="accept"):
    return {"pattern": pattern, "type": kind, "scope": "global", "reason": "a test"}


class StuckDisk(unittest.TestCase):
    def test_others_are_served_while_a_sync_is_stuck(self):
        with Disk() as disk:
            server, first, second = disk.server, Lines(disk.server.socket), Lines(disk.server.socket)
            disk.hold()
            first.send(server.call("ls"))
            for _ in range(3):
                self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
                self.assertEqual(server.ask("POST", "/v1/dry-run", server.call("ls"), role="worker").json["behavior"], "allow")
                self.assertIn(b"warder_decisions_total", server.ask("GET", "/metrics", role="viewer").body)
            second.send(server.call("ls -la"))  # judged meanwhile, for the next batch
            self.assertEqual(server.get("/v1/reviews?status=pending", role="viewer")["reviews"], [])
            self.assertFalse(answered(first.socket) or answered(second.socket))
            disk.release()
            self.assertEqual([first.receive()["behavior"], second.receive()["behavior"]], ["allow", "allow"])
            first.close(), second.close()
            self.assertEqual([d["command"] for d in server.decisions("limit=2")], ["ls -la", "ls"])
            self.assertEqual(server.command("log", "verify", "--data", str(server.data)).returncode, 0)

    def test_sessions_are_written_beside_the_loop(self):
        with Disk(of="/sessions") as disk:
            server, workers = disk.server, [Lines(disk.server.socket) for _ in range(3)]
            disk.hold()
            for n, worker in enumerate(workers):  # each begins a session, whose file is new
                worker.send(server.call("ls", session=f"new {n}"))
                self.serves_others(server)
            disk.wait()
            self.serves_others(server)
            self.assertFalse(any(answered(worker.socket) for worker in workers))
            disk.open()
            os.close(disk.held)
            self.assertEqual([worker.receive()["behavior"] for worker in workers], ["allow"] * 3)
            for worker in workers:
                worker.close()

    def test_a_question_is_stored_beside_the_loop(self):
        with Disk() as disk:
            server, worker = disk.server, Lines(disk.server.socket)
            disk.hold()
            worker.send(server.call("mystery", wait=PATIENCE))
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            self.assertEqual(server.pending(), [], "nothing is announced that is not stored")
            disk.release()
            review = server.next_review("mystery")
            disk.hold()
            approval = approve(server, review)
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            self.assertEqual(server.answer(review["id"], "deny").status, 409)
            self.assertFalse(answered(worker.socket) or answered(approval.sock))
            disk.release()
            self.assertEqual(worker.receive()["behavior"], "allow")
            self.assertEqual(approval.getresponse().status, 200)
            worker.close(), approval.close()

    def test_a_worker_that_leaves_meanwhile(self):
        with Disk() as disk:
            server = disk.server
            gone, joins = Lines(server.socket), Lines(server.socket)
            gone.send(server.call("mystery", wait=PATIENCE))
            review = server.next_review("mystery")
            disk.hold()
            approval = approve(server, review)
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            joins.send(server.call("mystery", wait=PATIENCE))
            gone.close()
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            disk.release()
            self.assertEqual(approval.getresponse().status, 200)
            # The approval was for the one that left: the other one is asked about again.
            again = server.next_review("mystery")
            self.assertNotEqual(again["id"], review["id"])
            self.assertEqual(server.answer(again["id"], "deny").status, 200)
            self.assertEqual(joins.receive()["behavior"], "deny")
            joins.close(), approval.close()

    def test_a_worker_that_comes_back_meanwhile(self):
        with Disk() as disk:
            server = disk.server
            left = server.check("mystery")["review_id"]
            disk.hold()
            approval = approve(server, {"id": left})
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            back = Lines(server.socket)
            back.send(server.call("mystery", wait=PATIENCE))
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            disk.release()
            self.assertEqual(approval.getresponse().status, 200)
            # Another caller made the call that was approved: this one is of the socket.
            self.assertNotEqual(server.next_review("mystery")["id"], left)
            back.close(), approval.close()

    def test_the_same_worker_that_comes_back_meanwhile(self):
        with Disk() as disk:
            server, asks, back = disk.server, Lines(disk.server.socket), Lines(disk.server.socket)
            left = asks.ask(server.call("mystery"))["review_id"]
            disk.hold()
            approval = approve(server, {"id": left})
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            back.send(server.call("mystery", wait=PATIENCE))
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            disk.release()
            self.assertEqual(approval.getresponse().status, 200)
            told = back.receive()
            self.assertEqual((told["behavior"], told["review_id"]), ("allow", left))
            self.assertEqual(server.pending(), [])
            self.assertEqual(asks.ask(server.call("mystery"))["behavior"], "ask", "it was given out once")
            asks.close(), back.close(), approval.close()

    def test_changes_of_rules_are_written_beside_the_loop(self):
        with Disk() as disk:
            server = disk.server
            said = lambda command: server.ask("POST", "/v1/dry-run", server.call(command), role="worker").json["behavior"]
            disk.hold()
            first = send(server, "POST", "/v1/rules", rule("mystery one"))
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            second = send(server, "POST", "/v1/rules", rule("mystery two"))
            wrong = send(server, "POST", "/v1/rules", {"pattern": "x"})
            self.assertEqual(wrong.getresponse().status, 400, "nothing was staged: nothing is waited for")
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            self.assertFalse(answered(first.sock) or answered(second.sock))
            self.assertEqual([said("mystery one"), said("mystery two")], ["ask", "ask"], "what is not recorded is not in force")
            disk.release()
            added = [json.loads(c.getresponse().read()) for c in (first, second)]
            self.assertEqual([said("mystery one"), said("mystery two")], ["allow", "allow"])
            disk.hold()
            removed = send(server, "DELETE", f"/v1/rules/{added[0]['id']}", None)
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            self.assertEqual(said("mystery one"), "allow")
            disk.release()
            self.assertEqual(removed.getresponse().status, 200)
            self.assertEqual([said("mystery one"), said("mystery two")], ["ask", "allow"])
            for connection in (first, second, wrong, removed):
                connection.close()

    def test_promotions_and_updates_are_written_beside_the_loop(self):
        with Disk() as disk:
            server = disk.server
            left = server.check("mystery")["review_id"]
            disk.hold()
            promotion = send(server, "POST", f"/v1/reviews/{left}", {"answer": "promote", "cooldown": 0})
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            self.assertFalse(answered(promotion.sock))
            disk.release()
            self.assertEqual(promotion.getresponse().status, 200)
            self.assertEqual(server.check("mystery", session="other")["decision"], "auto-accept")
            disk.hold()
            update = send(server, "POST", "/v1/updates",
                          {"type": "addRules", "rules": ["terraform plan"], "behavior": "allow"})
            wrong = send(server, "POST", "/v1/updates", {"type": "nothing"})
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            self.assertFalse(answered(update.sock) or answered(wrong.sock))
            disk.release()
            self.assertGreater(json.loads(update.getresponse().read())["generation"], 1)
            self.assertEqual(wrong.getresponse().status, 400)
            self.assertEqual(server.check("terraform plan")["decision"], "auto-accept")
            promotion.close(), update.close(), wrong.close()

    def serves_others(self, server):
        """What needs no record is answered."""
        self.assertIn(server.ask("GET", "/healthz", role=None).status, (200, 503))
        self.assertEqual(server.ask("POST", "/v1/dry-run", server.call("ls"), role="worker").json["behavior"], "allow")
        self.assertEqual(server.ask("GET", "/v1/reviews", role="viewer").status, 200)

    def lose_state(self, disk, review):
        """It is made again from the journal, which has no calls. The gate closes before upkeep stores them."""
        for tail in ("", "-wal", "-shm"):
            (disk.server.data / f"state.sqlite{tail}").unlink(missing_ok=True)
        self.assertEqual([r["id"] for r in disk.server.pending()], [review])
        disk.hold()
        if stored(disk.server)[review]:
            disk.open()
        return disk.gate.exists()

    def syncs_of_upkeep(self, disk, worker, review, command):
        """How many syncs the gate stops until the call of the lost review is stored again."""
        server, syncs = disk.server, 0
        wait_until("the state is lost", lambda: self.lose_state(disk, review))
        worker.send(server.call(command))  # a new review lets the service look what is due
        while True:
            wait_until("the next sync, or the end", lambda: stored(server)[review] or disk.arrived())
            if stored(server)[review]:
                break
            self.serves_others(server)
            disk.release_one()
            syncs += 1
        disk.open()
        self.assertEqual(worker.receive()["status"], "pending")
        return syncs

    def test_upkeep_is_written_beside_the_loop(self):
        with Disk(of="state.sqlite") as disk:
            worker, syncs = Lines(disk.server.socket), 0
            review = disk.server.check("mystery")["review_id"]
            for n in range(20):  # where upkeep was ahead of the gate, it has stopped nothing
                if syncs == 0:
                    syncs = self.syncs_of_upkeep(disk, worker, review, f"mystery {n}")
            self.assertGreater(syncs, 1, "that of the new review, and that of the call")
            worker.close()

    def test_the_index_is_written_beside_everything(self):
        with Disk(of="log.sqlite") as disk:
            server, worker = disk.server, Lines(disk.server.socket)
            disk.hold()
            for n in range(1000):
                worker.send(server.call(f"ls {n}"))
                self.assertEqual(worker.receive()["behavior"], "allow")
            disk.wait()
            self.serves_others(server)
            worker.send(server.call("ls"))
            self.assertEqual(worker.receive()["behavior"], "allow", "its record does not wait for the index")
            disk.release()
            self.assertEqual(len(server.decisions("limit=2000")), 1002)
            worker.close()

    def test_a_kill_while_a_sync_is_stuck_answers_no_one(self):
        with Disk() as disk:
            server, worker = disk.server, Lines(disk.server.socket)
            disk.hold()
            worker.send(server.call("ls -la"))
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            server.kill()
            self.assertIsNone(worker.receive())
            worker.close()
            os.unlink(disk.gate)
            server.start()
            self.assertEqual(server.command("log", "verify", "--data", str(server.data)).returncode, 0)

    def test_stopping_waits_for_the_record(self):
        with Disk() as disk:
            server, worker = disk.server, Lines(disk.server.socket)
            disk.hold()
            worker.send(server.call("ls -la"))
            self.assertEqual(server.get("/healthz", role=None)["status"], "ok")
            stopping = threading.Thread(target=server.stop)
            process = server.process
            stopping.start()
            disk.release()
            self.assertEqual(worker.receive()["behavior"], "allow")
            stopping.join()
            self.assertEqual(process.returncode, 0)
            worker.close()


if __name__ == "__main__":
    main()
