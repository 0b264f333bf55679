#!/usr/bin/env python3
"""A call whose analysis crashes is denied and recorded, and all others are served meanwhile. The service is linked with faults
on demand (tests/faults/inject.c)."""

import re
import sys
import threading

from wire import BUILD, Lines, Server, ServiceTest, main

FAULTY = BUILD / "tests" / "faulty"


class FaultyServer(Server):
    faults, program = True, FAULTY / "warder"


class Faults(ServiceTest):
    @classmethod
    def setUpClass(cls):
        cls.server = FaultyServer(profile="warder").start()

    def faults(self):
        text = self.server.ask("GET", "/metrics", role="viewer").body.decode()
        return int(re.search(r"^warder_faults_total (\d+)$", text, re.M).group(1))

    def denied(self, answer):
        self.assertEqual((answer["behavior"], answer["layer"]), ("deny", "fault"))
        self.assertIn("internal fault", answer["reason"])

    def test_the_next_request_is_served(self):
        before = self.faults()
        for command in ("inject-segv", "inject-stack", "inject-fpe"):
            self.denied(self.server.check(command))
            self.denied(self.server.check(command, mode="bypassPermissions"))
            self.assertEqual(self.server.check("ls")["behavior"], "allow")
        self.assertEqual(self.faults() - before, 6)
        self.assertIn("warder: internal fault (SIGSEGV)", self.server.log.read_text())

    def test_it_is_recorded(self):
        self.denied(self.server.check("inject-segv # recorded"))
        self.denied(self.server.check("inject-segv and-again", worker_id="w-twice"))
        found = [d for d in self.server.decisions() if d["layer"] == "fault"]
        self.assertTrue(any(d["command"] == "inject-segv # recorded" for d in found))
        self.assertTrue(any(d["worker_id"] == "w-twice" and not d["command"] for d in found))

    def test_lines_go_on(self):
        lines = Lines(self.server.socket)
        for command, behavior in (("ls", "allow"), ("inject-segv", "deny"), ("ls", "allow"), ("inject-stack", "deny"), ("ls", "allow")):
            self.assertEqual(lines.ask(self.server.call(command))["behavior"], behavior)
        lines.close()

    def test_dry_run(self):
        call = self.server.call("inject-segv")
        answer = self.server.ask("POST", "/v1/dry-run", call, role="worker")
        self.assertEqual(answer.status, 200)
        self.denied(answer.json)

    def test_many_workers(self):
        wrong = []

        def work(number):
            lines = Lines(self.server.socket)
            for i in range(40):
                faulty = (i + number) % 8 == 0
                answer = lines.ask(self.server.call("inject-segv" if faulty else "ls", worker_id=f"w-{number}"))
                if answer is None or answer["behavior"] != ("deny" if faulty else "allow"):
                    wrong.append((number, i, answer))
            lines.close()

        threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    if "WARDER_SANITIZE:STRING=\n" not in (BUILD / "CMakeCache.txt").read_text():
        print("there is no guard under a sanitizer")
        sys.exit(77)
    main()
