#!/usr/bin/env python3
"""`make test-service`: the service under load, under attack, and killed at random moments.

    chaos.py [crash|reviews|expiry|queries|sockets|slow|soak ...]     all of them without a name

How much of each the environment says; the defaults are those that the project promises:
CRASHES=200 REVIEWS=10000 RECORDS=1000000 ROUNDS=5 ROUND_SECONDS=10 SOCKETS=1000 SOAK=600 (seconds).
"""

import datetime
import hashlib

import http.client
import json
import multiprocessing
import os
import random
import resource
import select
import signal
import socket
import sys
import threading
import time

import held
from wire import Lines, Server, WebSocket, skip_without_service

CRASHES = int(os.environ.get("CRASHES", "200"))
REVIEWS = int(os.environ.get("REVIEWS", "10000"))
RECORDS = int(os.environ.get("RECORDS", "1000000"))
ROUNDS = int(os.environ.get("ROUNDS", "5"))  # with viewers; one more has none
ROUND_SECONDS = int(os.environ.get("ROUND_SECONDS", "10"))
WAIT_US = 50  # of a check, behind queries; 95 to 308 were seen when they had a processor for themselves
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


class Viewer(Load):
    def work(self):
        queries = ("limit=50", "decision=auto-deny", "worker=w-1&limit=500", "text=nothing-has-this", "tool=Bash&limit=1000")
        while True:
            status = self.server.ask("GET", "/v1/decisions?" + random.choice(queries), role="viewer").status
            expect(status == 200, f"a query got {status}")


class Tokens(Load):
    """Makes and revokes tokens with the command, beside the service and while it is down."""

    def work(self):
        while not self.book.stop:
            made = self.server.command("token", "create", "--role", "viewer", "--data", str(self.server.data))
            expect(made.returncode == 0, made.stderr)
            token = made.stdout.strip()
            self.book.tokens[token] = 200
            if random.random() < 0.5:
                continue
            done = self.server.command("token", "revoke", token.split("_")[1], "--data", str(self.server.data))
            expect(done.returncode == 0, done.stderr)
            self.book.tokens[token] = 401

    def run(self):
        try:
            self.work()
        except AssertionError as failure:
            self.book.failures.append(str(failure))


class Book:
    def __init__(self):
        self.decisions, self.reviews, self.answered, self.crash = {}, {}, {}, 0
        self.ends, self.tokens, self.failures, self.stop = {}, {}, [], False


def exported(server):
    out = server.command("log", "export", "--data", str(server.data))
    expect(out.returncode == 0, out.stderr)
    return [json.loads(line) for line in out.stdout.splitlines()]


def check_record(server, book):
    """Every answered decision since the last check is in the log; no review is lost, none answered twice. Retention removes
    records that were checked before."""
    logged = exported(server)
    by_id = {d["id"]: d for d in logged}
    expect(len(by_id) == len(logged), "two records with one id")
    while book.decisions:
        decision, (command, name) = book.decisions.popitem()
        expect(decision in by_id, f"{decision} ({command}) was answered and is not in the log")
        expect((by_id[decision]["command"], by_id[decision]["decision"]) == (command, name), f"{decision} is another one in the log")
    for d in logged:
        if d.get("review_id") and d["decision"] in ("human-accept", "human-deny", "timeout-deny"):
            book.ends.setdefault(d["review_id"], {})[d["id"]] = d["decision"]
    for review, decisions in book.ends.items():
        expect(len(decisions) == 1, f"{review} ended {len(decisions)} times: {decisions}")
    for review, answers in book.answered.items():
        expect(len(answers) == 1, f"{review} took {len(answers)} answers")
        wanted = "human-accept" if answers[0] == "approve" else "human-deny"
        found = list(book.ends.get(review, {}).values())
        expect(found == [wanted], f"{review} was answered with {answers[0]}; in the log: {found}")
    return len(logged)


def check_reviews(server, book):
    known = {}
    cursor = None
    while True:
        page = server.get("/v1/reviews?limit=1000" + (f"&cursor={cursor}" if cursor else ""))
        known |= {r["id"]: r for r in page["reviews"]}
        cursor = page.get("next")
        if not cursor or not page["reviews"]:
            break
    late = {d["review_id"] for d in exported(server) if d.get("review_id")}  # those that expired meanwhile
    for review, command in book.reviews.items():
        expect(review in known, f"{review} ({command}) was told to its worker and is lost")
        status = known[review]["status"]
        expect((status == "pending") != (review in book.ends) or review in late,
               f"{review} is {status}, in the log {book.ends.get(review)}")


def check_tokens(server, book):
    for token, wanted in list(book.tokens.items()):
        status = server.ask("GET", "/v1/reviews?limit=1", token=token).status
        expect(status == wanted, f"a token gets {status}, not {wanted}")


def kill_once(server, book):
    load = ([Asker(server, n, book) for n in range(4)] + [Answerer(server, n, book) for n in range(2)]
            + [Viewer(server, 0, book), Tokens(server, 0, book)])
    for thread in load:
        thread.start()
    time.sleep(random.uniform(0.01, 0.25))
    for pid in server.pids():
        os.kill(pid, signal.SIGKILL)
    server.kill()
    book.stop = True
    for thread in load:
        thread.join(30)
        expect(not thread.is_alive(), "a client hangs")
    book.stop = False
    expect(not book.failures, book.failures)


def crash():
    """With queries, token changes and retention: its limit is small, and records go after half a minute."""
    server = Server("--review-timeout", "30", "--retention-bytes", "1M")
    book = Book()
    server.start()
    server.token("operator"), server.token("worker"), server.token("viewer")
    told = 0
    for number in range(CRASHES):
        book.crash = number
        kill_once(server, book)
        server.start()
        if number % 5 == 4 or number == CRASHES - 1:
            verified = server.command("log", "verify", "--data", str(server.data))
            expect(verified.returncode == 0, verified.stdout + verified.stderr)
            told += len(book.decisions)
            count = check_record(server, book)
            check_reviews(server, book)
            check_tokens(server, book)
            if number % 20 != 19 and number != CRASHES - 1:
                continue
            print(f"  {number + 1} kills: {count} records, {told} answers, {len(book.reviews)} reviews, {len(book.answered)} answered, "
                  f"{len(book.tokens)} tokens; {'; '.join(verified.stdout.split(chr(10))).strip('; ')}", flush=True)
    expect(len(book.answered) > CRASHES // 4, "hardly a review was answered: this shows nothing")
    # And without the database: everything is in the journal.
    server.stop()
    for tail in ("", "-wal", "-shm"):
        (server.data / f"state.sqlite{tail}").unlink(missing_ok=True)
    server.start()
    check_tokens(server, book)
    server.__exit__()


# ---- time ----


def journal(server):
    for segment in sorted((server.data / "journal").glob("*.jsonl")):
        with open(segment, encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def seconds(stamp):
    return datetime.datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp()


def expiry():
    """Each restart has a longer timeout, so that reviews with all of them wait at once."""
    timeouts = (1, 2, 3, 5, 8, 13, 20, 30, 45, 60)
    server = Server()
    options = list(server.options)
    for timeout in timeouts:
        server.stop()
        server.options = options + ["--review-timeout", str(timeout)]
        server.start()
        lines = Lines(server.socket)
        share = REVIEWS // len(timeouts)
        for first in range(0, share, 50):
            calls = range(first, min(first + 50, share))
            for n in calls:
                lines.send(server.call(f"mystery {timeout} {n}", worker_id=f"w-{n % 100}"))
            for _ in calls:
                expect(lines.receive()["status"] == "pending", "no review")
        lines.close()
    most = server.ask("GET", "/healthz").json["pending"]
    time.sleep(timeouts[-1])
    end = time.monotonic() + 30
    while server.ask("GET", "/healthz").json["pending"] and time.monotonic() < end:
        time.sleep(0.2)
    due, late = {}, []
    for record in journal(server):
        if record["kind"] == "review":
            due[record["review_id"]] = seconds(record["row"]["expires_at"])
        elif record.get("decision") == "timeout-deny":
            late.append(seconds(record["at"]) - due.pop(record["review_id"]))
    late.sort()
    print(f"  {len(late)} reviews with {len(timeouts)} timeouts from {timeouts[0]} to {timeouts[-1]} s, {most} at once at the end: ended "
          f"{late[0]:.3f} to {late[-1]:.3f} s after their time (median {late[len(late) // 2]:.3f})")
    server.__exit__()
    expect(not due, f"{len(due)} did not end")
    expect(late[0] > -0.05 and late[-1] < 1, "not in their time")


# ---- a large log ----


def write_journal(server, count):
    """A journal of this many varied decisions, as the service would have written them."""
    directory = server.data / "journal"
    directory.mkdir(mode=0o700)
    at = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    head, n, file, size = "0" * 64, 0, None, 1 << 30

    def add(body):
        nonlocal head, n, size
        n += 1
        text = f'{{"n":{n},"prev":"{head}","at":"{at}",{body}'
        head = hashlib.sha256(text.encode()).hexdigest()
        size += file.write(f'{text},"hash":"{head}"}}\n')

    for k in range(count):
        if size > 16_000_000:
            if file:
                file.close()
                os.chmod(file.name, 0o400)
            file = open(directory / f"{n + 1:020}.jsonl", "w", encoding="utf-8", opener=lambda p, f: os.open(p, f, 0o600))
            size = 0
            add('"kind":"segment","version":1')
        decision = ("auto-accept", "auto-deny", "human-accept")[k % 3]
        add(f'"kind":"decision","id":"d_{k:032x}","worker_id":"w-{k % 1000}","task_id":"t-{k % 77}","project_id":"p-{k % 50}",'
            f'"session_id":"s-{k % 5000}","tool":"Bash","client":"service","cwd":"/srv/project-{k % 50}","command":"make target-{k} '
            f'--option {k % 91}","command_hash":"{k:064x}","decision":"{decision}","behavior":"allow","layer":"rules",'
            f'"matched_rule_id":"rule_{k % 300:016x}","reason":"a rule allows it","profile":"guild","mode":"default","response_time_ms":1')
    file.close()


def look(port, token, stop, count):
    """A viewer in a process of its own that takes only processor time that nobody wants: it stands for one on another machine, and only
    what the service does for it must slow down the clients that are measured."""
    os.setpriority(os.PRIO_PROCESS, 0, 19)
    queries = ("limit=50", "decision=auto-deny&limit=200", "worker=w-17&limit=100", "rule=rule_000000000000000c", "tool=Bash&limit=500",
               "text=nothing-has-this", "project=p-3&decision=human-accept", "session=s-4242")
    k = 0
    while not stop.is_set():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        connection.request("GET", "/v1/decisions?" + queries[k % len(queries)], headers={"Authorization": f"Bearer {token}"})
        response = connection.getresponse()
        response.read()
        connection.close()
        expect(response.status == 200, f"a query got {response.status}")
        k += 1
        count.value += 1


def measure(server, duration, number, clients):
    """Checks and asks for a while: (sorted times of checks, asks, asks that were not pending); the threads that ask are added to `clients`"""
    times, asked, denied = [], [0], [0]

    def work(which):
        clients.add(threading.get_native_id())
        lines, end, k = Lines(server.socket), time.monotonic() + duration, 0
        while time.monotonic() < end:
            begin = time.monotonic()
            expect(lines.ask(server.call(f"ls {k}"))["behavior"] == "allow", "a check was not allowed")
            times.append(time.monotonic() - begin)
            if k % 10 == 0:
                asked[0] += 1
                denied[0] += lines.ask(server.call(f"mystery {number} {which} {k}")).get("status") != "pending"
            k += 1
        lines.close()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(times), asked[0], denied[0]


def percentile(times, share):
    return times[min(len(times) - 1, int(len(times) * share))] * 1000


def service_threads(server):
    """(those that answer queries, all others)"""
    tids = held.threads(server.process.pid)
    slow = {tid for tid in tids if held.nice(tid) > held.nice(server.process.pid)}
    return slow, tids - slow


def round_of_queries(server, token, number, viewers):
    """Checks and asks for a while, beside so many viewers: (times, asks, denied, queries that were answered, microseconds of a check that
    somebody waited for a processor that a query held, or None)"""
    stop, count = multiprocessing.Event(), multiprocessing.Value("i", 0)
    looking = [multiprocessing.Process(target=look, args=(server.port, token, stop, count)) for _ in range(viewers)]
    for viewer in looking:
        viewer.start()
    trace, waiters = held.Trace(), set()
    traced = trace.start()
    times, asks, denied = measure(server, ROUND_SECONDS, number, waiters)
    slow, others = service_threads(server)
    waits = trace.stop(slow, others | waiters) if traced else []
    stop.set()
    for viewer in looking:
        viewer.join(600)
        expect(viewer.exitcode == 0, "a viewer failed")
    behind = 1000 * sum(waits) / len(times) if traced else None
    seen = f"; waits behind queries {behind:.1f} us a check, the longest {max(waits, default=0):.1f} ms" if traced else ""
    print(f"  {'with viewers' if viewers else 'without     '}: {len(times)} checks, p50 {percentile(times, .5):.2f} ms, "
          f"p99 {percentile(times, .99):.2f} ms, max {times[-1] * 1000:.1f} ms; {denied} of {asks} asks denied; {count.value} queries{seen}",
          flush=True)
    return times, asks, denied, count.value, behind


def queries():
    """Rounds without and with viewers who query all the while, in turn. The machine is not the same from one minute to the next, so each
    round with viewers is compared with those beside it that have none, and the median of these ratios counts. So does, where the kernel's
    trace may be read, how long somebody waited for a processor that a query held, whatever else the machine does (held.py). Before them
    comes a round while the index is built."""
    server = Server("--review-timeout", "3600")
    write_journal(server, RECORDS)
    with server:
        compare_rounds(server)


def stand_apart():
    """The clients stand for other machines, too: what they wait for is the service, not a processor for themselves. Where that is not
    allowed, a busy machine is measured with it."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    except PermissionError:
        print("  (the clients share the processors as everybody does)")


def compare_rounds(server):
    token = server.token("viewer")
    stand_apart()
    first = round_of_queries(server, token, 0, 2)
    begin = time.monotonic()
    server.get("/v1/decisions?limit=1", timeout=600)
    indexed = time.monotonic() - begin
    rounds = [round_of_queries(server, token, n, 0 if n % 2 else 2) for n in range(1, 2 * ROUNDS + 2)]
    p99 = [percentile(times, .99) for times, *_ in rounds]
    ratios = sorted(p99[n] / ((p99[n - 1] + p99[n + 1]) / 2) for n in range(1, len(p99), 2))
    asked, denied, answered = (sum(r[k] for r in [first, *rounds]) for k in (1, 2, 3))
    print(f"  {RECORDS} records, {answered} queries, index ready {indexed:.1f} s after the first round; asks {asked}, denied {denied}; check p99 "
          f"with viewers is {', '.join(f'{r:.2f}' for r in ratios)} times that without, median {ratios[len(ratios) // 2]:.2f}")
    expect(denied == 0, "a query had asks denied")
    expect(ratios[len(ratios) // 2] <= 1.5, "queries slow checks down")
    behind = sorted(r[4] for r in rounds[1::2] if r[4] is not None)
    expect(not behind or behind[len(behind) // 2] <= WAIT_US, "checks wait for queries")


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


class Soak:
    """Everything at once: calls, reviews, answers, listeners, rules, updates, queries, audits, tokens, retention, reloads."""

    def __init__(self, server):
        self.server, self.end, self.calls, self.failures = server, time.monotonic() + SOAK, 0, []
        self.viewer = server.token("viewer")

    def worker(self, number):
        server, lines = self.server, Lines(self.server.socket)
        for n in range(200):
            said = lines.ask(server.call(("ls", "curl x", f"mystery {n}")[n % 3], worker_id=f"w-{number}"))
            if n % 30 == 2 and said.get("review_id"):
                server.answer(said["review_id"], random.choice(("approve", "deny")))
            self.calls += 1
        lines.close()
        listener = WebSocket(server.port, self.viewer)
        server.check("ls")
        listener.close()
        rule = server.add_rule(f"soak-{number}*")
        server.ask("DELETE", f"/v1/rules/{rule['id']}")

    def queries(self, _):
        for path in ("/v1/decisions?limit=200", "/v1/decisions?tool=Bash&limit=50", "/v1/proposals", "/v1/rules", "/v1/reviews?limit=100",
                     "/v1/events?limit=100", "/metrics"):
            expect(self.server.ask("GET", path, role="viewer").status == 200, path)
        self.server.ask("POST", "/v1/rules/audit", {"pattern": "curl*", "type": "deny", "limit": 500}, role="viewer")
        time.sleep(0.5)

    def tokens(self, _):
        """A token is made, used, and revoked: then it is worth nothing at once."""
        server, data = self.server, ("--data", str(self.server.data))
        made = json.loads(server.command("token", "create", "--role", "viewer", "--name", "soak", "--json", *data).stdout)
        ask = lambda: server.ask("GET", "/v1/reviews?limit=1", token=made["token"]).status
        expect((got := ask()) == 200, f"a new token gets {got}")
        server.command("token", "revoke", made["id"], *data)
        expect(ask() == 401, "a revoked token is good")
        time.sleep(1)

    def operator(self, _):
        os.kill(self.server.process.pid, signal.SIGHUP)
        self.server.ask("POST", "/v1/updates", {"type": "addRules", "rules": ["terraform plan"], "behavior": "allow"}, role="operator")
        self.server.ask("POST", "/v1/dry-run", self.server.call("cat" + " f" * 20000), role="worker")
        time.sleep(2)

    def run(self, what, number):
        try:
            while time.monotonic() < self.end and not self.failures:
                what(number)
        except Exception as failure:  # pylint: disable=broad-except
            self.failures.append(f"{what.__name__}: {failure!r}")


def level(samples):
    """The highest value of the middle third, and of the last."""
    third = max(1, len(samples) // 3)
    return max(samples[third - 1: 2 * third]), max(samples[-third:])


def soak():
    with Server("--review-timeout", "5", "--retention-bytes", "64M") as server:
        server.token("operator"), server.token("worker")
        all_of_it = Soak(server)
        parts = [all_of_it.worker] * 4 + [all_of_it.queries, all_of_it.tokens, all_of_it.operator]
        threads = [threading.Thread(target=all_of_it.run, args=(part, n)) for n, part in enumerate(parts)]
        for thread in threads:
            thread.start()
        # At first caches, pools and expiring reviews fill up; then memory must stay constant.
        memory, descriptors = [], []
        while time.monotonic() < all_of_it.end and not all_of_it.failures:
            time.sleep(min(5, max(0.2, SOAK / 60)))
            memory.append(server.memory())
            descriptors.append(len(os.listdir(f"/proc/{server.process.pid}/fd")))
        for thread in threads:
            thread.join()
        expect(not all_of_it.failures, all_of_it.failures)
        (early, late), (few, many) = level(memory), level(descriptors)
        step = max(1, len(memory) // 12)
        print(f"  {SOAK} s, {all_of_it.calls} calls; kB: {memory[::step]}; descriptors: {descriptors[::step]}")
        print(f"  memory {memory[0]} kB at the start, {early} kB in the middle, {late} kB at the end; descriptors {few}, {many}")
        expect(late < early * 1.1 + 4096, f"memory grows: {memory}")
        expect(many <= few + 16, f"descriptors grow: {descriptors}")
        verified = server.command("log", "verify", "--data", str(server.data))
        expect(verified.returncode == 0, verified.stdout)


PARTS = {"crash": crash, "reviews": reviews, "expiry": expiry, "queries": queries, "sockets": sockets, "slow": slow, "soak": soak}


def main():
    skip_without_service()
    for name in sys.argv[1:] or PARTS:
        print(f"{name}:", flush=True)
        PARTS[name]()
    print("all well")


if __name__ == "__main__":
    main()
