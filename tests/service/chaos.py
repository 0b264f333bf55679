#!/usr/bin/env python3
"""`make test-service`: the service under load, under attack, and killed at random moments.

    chaos.py [crash|reviews|sockets|slow|soak ...]     all of them without a name

How much of each the environment says; the defaults are those that the project promises:
CRASHES=200 REVIEWS=10000 SOCKETS=1000 SOAK=600 (seconds).
"""

import http.client
import json
import os
import random
import resource
import select
import signal
import socket
import sys
import threading
import time

from wire import Lines, Server, WebSocket, skip_without_service

CRASHES = int(os.environ.get("CRASHES", "200"))
REVIEWS = int(os.environ.get("REVIEWS", "10000"))
SOCKETS = int(os.environ.get("SOCKETS", "1000"))
SOAK = int(os.environ.get("SOAK", "600"))


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


# ---- killed at random moments ----


class Load(threading.Thread):
    """A worker or operator that keeps sending until the server is gone, and records the answers."""

    def __init__(self, server, number, book):
        super().__init__(daemon=True)
        self.server, self.number, self.book = server, number, book

    def run(self):
        try:
            self.work()
        except (OSError, ValueError, AssertionError, http.client.HTTPException):
            pass


class Asker(Load):
    def work(self):
        lines = Lines(self.server.socket)
        for count in range(1_000_000):
            command = f"{('ls', 'curl', 'mystery')[count % 3]} {self.number}-{self.book.crash}-{count}"
            said = lines.ask(self.server.call(command, worker_id=f"w-{self.number}"))
            if said is None:
                return
            if said.get("status") == "pending":
                self.book.reviews[said["review_id"]] = command
            else:
                self.book.decisions[said["decision_id"]] = (command, said["decision"])


class Answerer(Load):
    def work(self):
        while True:
            for review in self.server.pending()[:20]:
                answer = random.choice(("approve", "deny"))
                status = self.server.answer(review["id"], answer).status
                if status == 200:
                    self.book.answered.setdefault(review["id"], []).append(answer)
                else:
                    expect(status in (404, 409), f"an answer got {status}")
            time.sleep(0.005)


class Book:
    def __init__(self):
        self.decisions, self.reviews, self.answered, self.crash = {}, {}, {}, 0


def exported(server):
    out = server.command("log", "export", "--data", str(server.data))
    expect(out.returncode == 0, out.stderr)
    return [json.loads(line) for line in out.stdout.splitlines()]


def check_record(server, book):
    """Every answered decision is in the log; no review is lost, none answered twice."""
    logged = exported(server)
    by_id = {d["id"]: d for d in logged}
    expect(len(by_id) == len(logged), "two records with one id")
    for decision, (command, name) in book.decisions.items():
        expect(decision in by_id, f"{decision} ({command}) was answered and is not in the log")
        expect((by_id[decision]["command"], by_id[decision]["decision"]) == (command, name), f"{decision} is another one in the log")
    ends = {}
    for d in logged:
        if d.get("review_id") and d["decision"] in ("human-accept", "human-deny", "timeout-deny"):
            ends.setdefault(d["review_id"], []).append(d["decision"])
    for review, decisions in ends.items():
        expect(len(decisions) == 1, f"{review} ended {len(decisions)} times: {decisions}")
    for review, answers in book.answered.items():
        expect(len(answers) == 1, f"{review} took {len(answers)} answers")
        wanted = "human-accept" if answers[0] == "approve" else "human-deny"
        expect(ends.get(review) == [wanted], f"{review} was answered with {answers[0]}; in the log: {ends.get(review)}")
    return len(logged), ends


def check_reviews(server, book, ends):
    known = {}
    cursor = None
    while True:
        page = server.get("/v1/reviews?limit=1000" + (f"&cursor={cursor}" if cursor else ""))
        known |= {r["id"]: r for r in page["reviews"]}
        cursor = page.get("next")
        if not cursor or not page["reviews"]:
            break
    for review, command in book.reviews.items():
        expect(review in known, f"{review} ({command}) was told to its worker and is lost")
        status = known[review]["status"]
        expect((status == "pending") != (review in ends), f"{review} is {status}, in the log {ends.get(review)}")


def crash():
    server = Server("--review-timeout", "3600")
    book = Book()
    server.start()
    server.token("operator"), server.token("worker")
    for number in range(CRASHES):
        book.crash = number
        load = [Asker(server, n, book) for n in range(4)] + [Answerer(server, n, book) for n in range(2)]
        for thread in load:
            thread.start()
        time.sleep(random.uniform(0.01, 0.25))
        for pid in server.pids():
            os.kill(pid, signal.SIGKILL)
        server.kill()
        for thread in load:
            thread.join(30)
            expect(not thread.is_alive(), "a client hangs")
        server.start()
        if number % 20 == 19 or number == CRASHES - 1:
            verified = server.command("log", "verify", "--data", str(server.data))
            expect(verified.returncode == 0, verified.stdout + verified.stderr)
            count, ends = check_record(server, book)
            check_reviews(server, book, ends)
            print(f"  {number + 1} kills: {count} records, {len(book.decisions)} answers, {len(book.reviews)} reviews, "
                  f"{len(book.answered)} answered; {verified.stdout.strip()}", flush=True)
    expect(len(book.answered) > CRASHES // 4, "hardly a review was answered: this shows nothing")
    server.__exit__()


# ---- many ----


def reviews():
    with Server() as server:
        before = server.memory()
        lines = Lines(server.socket)
        started = time.monotonic()
        ids = []
        for first in range(0, REVIEWS, 50):
            calls = range(first, min(first + 50, REVIEWS))
            for n in calls:
                lines.send(server.call(f"mystery --number {n}", worker_id=f"w-{n % 100}"))
            ids += [lines.receive()["review_id"] for _ in calls]
        took = time.monotonic() - started
        expect(len(set(ids)) == REVIEWS, "not a review each")
        expect(lines.ask(server.call("ls"))["behavior"] == "allow", "others are not served")
        health = server.ask("GET", "/healthz").json
        expect(health["pending"] == REVIEWS, health)
        listing = time.monotonic()
        expect(len(server.pending()) == min(REVIEWS, 1000), "the list is short")
        listing = time.monotonic() - listing
        for review, answer in zip(random.sample(ids, 20), ["approve", "deny"] * 10):
            expect(server.answer(review, answer).status == 200, "cannot be answered")
        full = server.memory()
        server.stop()
        restart = time.monotonic()
        server.start()
        restart = time.monotonic() - restart
        health = server.ask("GET", "/healthz").json
        expect(health["pending"] == REVIEWS - 20, health)
        print(f"  {REVIEWS} pending reviews: made in {took:.1f} s, a page of them in {listing * 1000:.0f} ms, start with them "
              f"{restart:.2f} s, memory {before} kB -> {full} kB")


def raise_limit(count):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))


def sockets():
    raise_limit(SOCKETS + 256)
    with Server() as server:
        token = server.token("viewer")
        listeners = [WebSocket(server.port, token) for _ in range(SOCKETS)]
        # Half of them do not read at all; the others must get everything at once.
        slow, good = listeners[: SOCKETS // 2], listeners[SOCKETS // 2:]
        started = time.monotonic()
        asked = server.check("mystery --all")
        worst = 0.0
        for listener in good:
            listener.event(lambda e: e.get("review", {}).get("id") == asked["review_id"])
            worst = max(worst, time.monotonic() - started)
        for n in range(2000):
            server.check(f"mystery --{n}") if n % 100 == 0 else server.check("ls")
        times = []
        for _ in range(200):
            begin = time.monotonic()
            expect(server.check("ls")["behavior"] == "allow", "others are not served")
            times.append(time.monotonic() - begin)
        times.sort()
        print(f"  {SOCKETS} WebSocket clients: the last of {len(good)} heard of a review after {worst * 1000:.0f} ms; {len(slow)} do "
              f"not read; a check takes {times[100] * 1000:.1f} ms (99th percentile {times[198] * 1000:.1f}); {server.memory()} kB")
        for listener in listeners:
            listener.close()


def slow():
    with Server() as server:
        token = server.token("worker")
        head = f"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {token}\r\n"
        crawlers = []
        for _ in range(50):
            crawler = socket.create_connection(("127.0.0.1", server.port))
            crawler.sendall(head[:1].encode())
            crawlers.append(crawler)
        liner = socket.socket(socket.AF_UNIX)
        liner.connect(str(server.socket))
        ended, sent, started = 0, 1, time.monotonic()
        while ended < len(crawlers) and time.monotonic() - started < 60:
            time.sleep(1)
            liner.sendall(b" ")
            for crawler in [c for c in crawlers if c.fileno() >= 0]:
                try:
                    crawler.sendall(head[sent % len(head)].encode())
                    if select.select([crawler], [], [], 0)[0] and not crawler.recv(4096):
                        raise ConnectionError
                except OSError:
                    crawler.close()
                    ended += 1
            sent += 1
            begin = time.monotonic()
            expect(server.check("ls")["behavior"] == "allow", "others are not served")
            expect(time.monotonic() - begin < 5, "others wait")
        expect(ended == len(crawlers), f"only {ended} of {len(crawlers)} slow clients were ended in a minute")
        print(f"  one byte a second: all {ended} ended after {time.monotonic() - started:.0f} s, others were served meanwhile")
        big = socket.create_connection(("127.0.0.1", server.port))
        try:
            big.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: " + b"a" * 100_000 + b"\r\n\r\n")
            big.settimeout(30)
            answer = big.recv(4096)
        except OSError:
            answer = b""
        expect(b" 200 " not in answer.split(b"\r\n")[0], f"100 kB of headers: {answer[:80]}")
        expect(server.check("ls")["behavior"] == "allow", "others are not served")
        print(f"  100 kB of headers: {answer.split(chr(13).encode())[0].decode() or 'the connection was ended'}")


# ---- for a long time ----


def soak():
    with Server("--review-timeout", "5") as server:
        token = server.token("viewer")
        server.token("operator"), server.token("worker")
        end = time.monotonic() + SOAK
        counts, failures = [0], []

        def worker(number):
            try:
                while time.monotonic() < end:
                    lines = Lines(server.socket)
                    for n in range(200):
                        said = lines.ask(server.call(("ls", "curl x", f"mystery {n}")[n % 3], worker_id=f"w-{number}"))
                        if n % 30 == 2 and said.get("review_id"):
                            server.answer(said["review_id"], random.choice(("approve", "deny")))
                        counts[0] += 1
                    lines.close()
                    listener = WebSocket(server.port, token)
                    server.check("ls")
                    listener.close()
                    rule = server.add_rule(f"soak-{number}*")
                    server.ask("DELETE", f"/v1/rules/{rule['id']}")
            except Exception as failure:  # pylint: disable=broad-except
                failures.append(repr(failure))

        threads = [threading.Thread(target=worker, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        # At first caches, pools and expiring reviews fill up; then memory must stay constant.
        samples = []
        while time.monotonic() < end and not failures:
            time.sleep(min(5, max(0.2, SOAK / 60)))
            samples.append(server.memory())
        for thread in threads:
            thread.join()
        expect(not failures, failures)
        third = max(1, len(samples) // 3)
        early, late = max(samples[third - 1: 2 * third]), max(samples[-third:])
        print(f"  {SOAK} s, {counts[0]} calls: memory {samples[0]} kB at the start, {early} kB in the middle, {late} kB at the end")
        expect(late < early * 1.1 + 4096, f"memory grows: {samples}")
        verified = server.command("log", "verify", "--data", str(server.data))
        expect(verified.returncode == 0, verified.stdout)


PARTS = {"crash": crash, "reviews": reviews, "sockets": sockets, "slow": slow, "soak": soak}


def main():
    skip_without_service()
    for name in sys.argv[1:] or PARTS:
        print(f"{name}:", flush=True)
        PARTS[name]()
    print("all well")


if __name__ == "__main__":
    main()
