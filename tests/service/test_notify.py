#!/usr/bin/env python3
"""Notices: programs and web hooks that are called for events. The loop never waits for them."""

import http.server
import json
import threading
import time
import unittest

from wire import PATIENCE, Lines, Server, main, wait_until


class Hook:
    """A web hook that records what it gets; the first `fail` requests get an error."""

    def __init__(self, fail=0, hang=False, gate=None):
        self.heard, self.failed = [], 0
        hook = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if gate:
                    gate.wait()
                if hang:
                    time.sleep(PATIENCE)
                    return
                if hook.failed < fail:
                    hook.failed += 1
                    self.send_error(500)
                    return
                hook.heard.append(json.loads(body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/hook"

    def reviews(self, status):
        return [e["review"] for e in self.heard if e["type"] == "review" and e["review"]["status"] == status]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def program(server, name, text):
    path = server.root / name
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return str(path)


class Notices(unittest.TestCase):
    def test_a_web_hook_gets_reviews_without_their_secrets(self):
        hook = Hook()
        with Server("--notify-webhook", hook.url) as server:
            asked = server.check("mystery --token s3cr3tT0k3nValue9")
            [review] = wait_until("a notice", lambda: hook.reviews("pending"))
            self.assertEqual(review["id"], asked["review_id"])
            self.assertNotIn("s3cr3tT0k3nValue9", json.dumps(hook.heard))
            server.answer(asked["review_id"], "deny")
            wait_until("its end", lambda: hook.reviews("denied"))
            wait_until("the count", lambda: 'warder_notices_total{result="sent"} 2' in server.ask("GET", "/metrics").body.decode())
        hook.close()

    def test_failures_are_retried_and_then_counted(self):
        hook = Hook(fail=1)
        with Server("--notify-webhook", hook.url) as server:
            server.check("mystery")
            wait_until("a second try", lambda: hook.reviews("pending"))
        hook.close()
        with Server("--notify-webhook", "http://127.0.0.1:1/") as server:
            for number in range(3):
                server.check(f"mystery {number}")
            wait_until("a failure", lambda: 'result="failed"} 0' not in server.ask("GET", "/metrics").body.decode())
            self.assertEqual(server.log.read_text().count("cannot notify"), 1)

    def test_a_program_gets_the_event(self):
        server = Server()
        server.options += ["--notify-command", program(server, "notify", f'cat >>"{server.root}/heard"; echo much; echo more >&2\n')]
        with server:
            asked = server.check("mystery")
            heard = server.root / "heard"
            wait_until("a notice", lambda: heard.exists() and heard.read_text().endswith("}"))
            self.assertEqual(json.loads(heard.read_text())["review"]["id"], asked["review_id"])
            self.assertNotIn("much", server.log.read_text())

    def test_a_target_that_hangs_delays_no_other(self):
        hook, good = Hook(hang=True), Hook()
        server = Server("--notify-webhook", hook.url, "--notify-webhook", good.url)
        server.options += ["--notify-command", program(server, "hang", "exec sleep 600\n")]
        with server:
            for number in range(600):
                server.check(f"mystery {number}")
            wait_until("all notices", lambda: len(good.reviews("pending")) == 600 or "summed\"} 0" not in server.ask("GET", "/metrics").body.decode())
            self.assertRegex(server.ask("GET", "/metrics").body.decode(), r'result="summed"} [1-9]')
            self.assertEqual(server.check("ls")["behavior"], "allow")
            began = time.monotonic()
            self.assertEqual(server.stop(), 0)
            self.assertLess(time.monotonic() - began, 30)
        hook.close(), good.close()

    def test_a_burst_is_told_in_full_or_by_its_number(self):
        gate, asked = threading.Event(), 600  # twice what the queue has room for
        hook = Hook(gate=gate)
        with Server("--notify-webhook", hook.url) as server:
            lines = Lines(server.socket)
            for first in range(0, asked, 50):
                for number in range(first, first + 50):
                    lines.send(server.call(f"mystery {number}"))
                for _ in range(50):
                    lines.receive()
            lines.close()
            gate.set()

            def told():
                more = sum(e["more"]["count"] for e in list(hook.heard) if e["type"] == "more")
                return more, len({r["id"] for r in hook.reviews("pending")})

            # Where a first attempt took too long, its event is told twice.
            wait_until("every review, told by itself or in a number", lambda: sum(told()) >= asked)
            self.assertIn(told()[0], range(1, asked))
        hook.close()

    def test_a_secret_url_comes_from_a_file(self):
        hook = Hook()
        server = Server()
        secret = server.root / "url"
        secret.write_text(hook.url + "?key=s3cr3t\n")
        secret.chmod(0o600)
        server.options += ["--notify-webhook", f"@{secret}"]
        with server:
            server.check("mystery")
            wait_until("a notice", lambda: hook.reviews("pending"))
            for pid in server.pids():
                with open(f"/proc/{pid}/cmdline", encoding="utf-8") as line:
                    self.assertNotIn("s3cr3t", line.read())
        hook.close()

    def test_https_goes_by_curl_with_nothing_on_its_command_line(self):
        server = Server()
        tools = server.root / "bin"
        tools.mkdir()
        (tools / "curl").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >"{server.root}/words"; cat >"{server.root}/config.new"\n'
                                    f'mv "{server.root}/config.new" "{server.root}/config"\n')
        (tools / "curl").chmod(0o755)
        server.env["PATH"] = f"{tools}:{server.env['PATH']}"
        server.options += ["--notify-webhook", "https://hooks.example.com/services/s3cr3t"]
        with server:
            asked = server.check('mystery "quoted" \\ and')
            config = wait_until("curl", lambda: (server.root / "config").exists() and (server.root / "config").read_text())
            self.assertNotIn("s3cr3t", (server.root / "words").read_text())
            self.assertEqual((server.root / "words").read_text().splitlines()[0], "--disable")
            lines = dict(line.split(" = ", 1) for line in config.splitlines())
            self.assertEqual(lines["url"], '"https://hooks.example.com/services/s3cr3t"')
            body = lines["data-raw"][1:-1].replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\")
            self.assertEqual(json.loads(body)["review"]["id"], asked["review_id"])

    def test_invalid_targets_are_refused_at_the_start(self):
        for words in (("--notify-command", "notify.sh"), ("--notify-command", "/dev/null/none"), ("--notify-command", "/"), ("--notify-webhook", "ftp://x/"),
                      ("--notify-webhook", "http://u:p@x/"), ("--notify-webhook", "@/dev/null/none")):
            server = Server(*words)
            with self.assertRaises(AssertionError):
                server.start()
            self.assertIn("notify", server.log.read_text())
            server.stop()


if __name__ == "__main__":
    main()
