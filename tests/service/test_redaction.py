#!/usr/bin/env python3
"""Secrets that pass through the running service: none is on the disk, in what it lists, or in what it tells.

The commands are those of tests/cases/redact. Their secrets are made up, the same ones in each run: which random words
look random enough is a matter of chance, and a test is not. WARDER_SEED makes up others."""

import os
import random
import re
import string
import threading
from pathlib import Path

from wire import Lines, ServiceTest, WebSocket, main, wait_until

CASES = Path(os.environ.get("WARDER_SOURCE", ".")) / "tests" / "cases" / "redact"
LEAST_SECRETS, LEAST_SHAPES, LEAST_HARMLESS = 150, 30, 150
KINDS = {"a": string.ascii_letters + string.digits, "h": "0123456789abcdef", "u": string.ascii_uppercase + string.digits,
         "w": string.ascii_letters + string.digits + "-_", "b": string.ascii_letters + string.digits + "+/",
         "l": string.ascii_lowercase, "d": string.digits,
         "p": "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789_.+^~"}


def read(name):
    lines = (CASES / name).read_text().splitlines()
    return [line for line in lines if line.strip() and line[0] not in "#="]


def make_up(dice, command):
    """The command and its secrets: what follows the prefix."""
    made = []

    def one(found):
        prefix, kind, length = found.group(1).split(";")
        letters = KINDS[kind]
        secret = "".join(dice.choice(letters) for _ in range(int(length)))
        if kind == "w":
            secret = dice.choice(string.ascii_letters) + secret[1:-1] + dice.choice(string.ascii_letters)
        made.append(secret if len(secret) >= 6 else prefix + secret)
        return prefix + secret

    command = re.sub(r"@\{([^}]*)\}", one, command)
    return re.sub(r"\\([n\\])", lambda found: "\n" if found.group(1) == "n" else "\\", command), made


class Redaction(ServiceTest):
    def everything_on_disk(self):
        for root in (self.server.data, self.server.home, self.server.log):
            for path in [root] if root.is_file() else root.rglob("*"):
                if path.is_file():
                    yield str(path), path.read_bytes()

    def everything_listed(self):
        for role in ("operator", "viewer"):
            cursor = ""
            while cursor is not None:
                page = self.server.ask("GET", f"/v1/decisions?limit=1000&cursor={cursor}" if cursor else "/v1/decisions?limit=1000", role=role)
                yield f"decisions for {role}", page.body
                cursor = page.json["next"]
        yield "reviews for viewers", self.server.ask("GET", "/v1/reviews?limit=1000", role="viewer").body
        yield "polled events", self.server.ask("GET", "/v1/events?cursor=0&types=review,decision,rules,policy&limit=200").body
        yield "metrics", self.server.ask("GET", "/metrics").body
        yield "rules", self.server.ask("GET", "/v1/rules").body
        yield "health", self.server.ask("GET", "/healthz").body
        for words in (["log", "--limit", "1000"], ["log", "--json", "--limit", "1000"], ["log", "export"]):
            yield " ".join(words), self.server.command(*words, "--data", str(self.server.data)).stdout.encode()

    def test_no_secret_is_kept_or_told(self):
        dice = random.Random(int(os.environ.get("WARDER_SEED", "20261115")))
        told, stop = [], threading.Event()
        listener = WebSocket(self.server.port, self.server.token("viewer"), "/v1/events?types=review,decision,rules,policy")

        def listen():
            try:
                for event in listener.events():
                    told.append(repr(event))
            except OSError:
                pass
            stop.set()

        threading.Thread(target=listen, daemon=True).start()
        secrets, shapes, commands = {}, set(), []
        lines = Lines(self.server.socket)
        for number, line in enumerate(read("secrets.txt")):
            shape, command = line.split("  ", 1)
            command, made = make_up(dice, command)
            shapes.add(shape)
            secrets |= {secret: line for secret in made if secret}
            commands.append(command)
            call = self.server.call(command)
            said = lines.ask(call) if number % 2 else self.server.check(command)
            if "review_id" in said:
                self.server.answer(said["review_id"], ("approve", "deny", "promote")[number % 3], reason="as it may be")
        self.server.check("ls at-the-end")
        wait_until("the last event", lambda: any("at-the-end" in t for t in told))
        listener.close()
        stop.wait(10)
        lines.close()
        self.assertGreaterEqual(len(secrets), LEAST_SECRETS)
        self.assertGreaterEqual(len(shapes), LEAST_SHAPES)

        found = []
        places = [*self.everything_on_disk(), *self.everything_listed(), ("the event stream", "\n".join(told).encode())]
        for where, content in places:
            for secret, line in secrets.items():
                if secret.encode() in content:
                    found.append(f"{line}: in {where}")
        print(f"{len(secrets)} secrets in {len(shapes)} shapes, {sum(len(c) for _, c in places)} bytes in {len(places)} places searched")
        self.assertEqual(found, [])
        # The search covered places with content.
        journal = b"".join(c for w, c in places if "/journal/" in w)
        self.assertGreaterEqual(journal.count(b"REDACTED"), LEAST_SECRETS)
        self.assertGreaterEqual(len(told), len(commands))
        self.assertTrue(any(w.endswith("sqlite") or ".sqlite" in w for w, _ in places))

    def test_harmless_commands_stay_readable(self):
        commands = read("harmless.txt")
        self.assertGreaterEqual(len(commands), LEAST_HARMLESS)
        with_lines = Lines(self.server.socket)
        for command in commands:
            with_lines.ask(self.server.call(command, project_id="harmless"))
        with_lines.close()
        kept = set()
        for review in self.server.get("/v1/reviews?limit=1000&status=pending", role="viewer")["reviews"]:
            if review["project_id"] == "harmless":
                kept.add(review["command_redacted"])
        for decision in self.server.decisions("limit=1000&project=harmless"):
            kept.add(decision["command"])
        self.assertEqual([c for c in commands if c not in kept], [])


if __name__ == "__main__":
    main()
