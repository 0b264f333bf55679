#!/usr/bin/env python3
"""How the service starts, is told of changes, and stops."""

import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from wire import PATIENCE, WARDER, Lines, Server, WebSocket, clean_env, main, wait_until

POLICY = "accept:\n  - pattern: \"frobnicate*\"\n"


class Running(unittest.TestCase):
    def serve(self, *words, env=None, **more):
        """A server that is expected to give up."""
        with tempfile.TemporaryDirectory() as home:
            return subprocess.run([str(WARDER), "serve", "--data", home + "/data", *words], env=clean_env(home) | (env or {}),
                                  capture_output=True, text=True, timeout=PATIENCE, **more)

    def test_many_at_once_are_all_in_the_log(self):
        with Server() as server:
            server.token("worker")

            def work(n):
                for i in range(25):
                    server.check(f"ls worker-{n}-{i}")
            workers = [threading.Thread(target=work, args=(n,)) for n in range(16)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            self.assertEqual(len({d["command"] for d in server.decisions("limit=1000")}), 16 * 25)
            self.assertEqual(server.command("log", "verify", "--data", str(server.data)).returncode, 0)

    def test_a_held_answer_comes_when_it_is_given(self):
        with Server() as server:
            told = []
            worker = threading.Thread(target=lambda: told.append(server.check("make x", wait=PATIENCE)))
            worker.start()
            review = server.next_review("make x")
            waited = threading.Thread(target=lambda: told.append(
                server.ask("GET", f"/v1/reviews/{review['id']}?wait={PATIENCE}", role="worker").json))
            waited.start()
            self.assertEqual(server.answer(review["id"], "deny", reason="not today").status, 200)
            worker.join(PATIENCE)
            waited.join(PATIENCE)
            self.assertEqual({t.get("behavior") or t["status"] for t in told}, {"deny", "denied"})
            self.assertEqual(server.check("make y", wait=1)["status"], "pending")

    def test_polling_waits_for_what_happens(self):
        with Server() as server:
            cursor = server.get("/v1/events")["cursor"]
            self.assertEqual(server.get(f"/v1/events?cursor={cursor}&wait=1")["events"], [])
            told = []
            poll = threading.Thread(target=lambda: told.append(server.get(f"/v1/events?cursor={cursor}&wait={PATIENCE}")))
            poll.start()
            review = server.check("make x")["review_id"]
            poll.join(PATIENCE)
            if not told[0]["events"]:  # it came before the poll
                told.append(server.get(f"/v1/events?cursor={cursor}"))
            self.assertIn(review, [e["review"]["id"] for e in told[-1]["events"] if e["type"] == "review"])

    def test_a_review_expires(self):
        with Server("--review-timeout", "1") as server:
            said = server.check("make x", wait=PATIENCE)
            self.assertEqual((said["behavior"], said["decision"]), ("deny", "timeout-deny"))

    def test_reload_by_file_signal_and_interface(self):
        with tempfile.TemporaryDirectory() as place:
            policy = Path(place) / "policy.yaml"
            policy.write_text(POLICY)
            policy.chmod(0o600)
            with Server("--policy", str(policy)) as server:
                self.assertEqual(server.check("frobnicate 1")["behavior"], "allow")
                self.assertEqual(server.check("twiddle 1")["behavior"], "ask")
                policy.write_text(POLICY.replace("frobnicate", "twiddle"))
                wait_until("the changed file", lambda: server.check("twiddle 1")["behavior"] == "allow")
                self.assertEqual(server.check("frobnicate 1")["behavior"], "ask")

                # An editor writes another file and renames it.
                (Path(place) / "new").write_text(POLICY)
                (Path(place) / "new").chmod(0o600)
                (Path(place) / "new").rename(policy)
                wait_until("the renamed file", lambda: server.check("frobnicate 1")["behavior"] == "allow")

                policy.write_text("accept: [\n")
                wait_until("the complaint", lambda: "POLICY NOT RELOADED" in server.log.read_text())
                self.assertEqual(server.check("frobnicate 1")["behavior"], "allow", "the last good one stays in force")
                health = server.ask("GET", "/healthz", role=None)
                self.assertEqual((health.status, health.json["status"]), (503, "degraded"))
                self.assertIn("policy.yaml", server.ask("GET", "/healthz").body.decode())

                policy.write_text(POLICY)
                os.kill(server.process.pid, signal.SIGHUP)
                wait_until("health", lambda: server.ask("GET", "/healthz", role=None).status == 200)

                rule = server.add_rule("twaddle*")
                self.assertEqual(server.check("twaddle 1")["behavior"], "allow")
                self.assertEqual(server.ask("DELETE", f"/v1/rules/{rule['id']}").status, 200)
                self.assertEqual(server.check("twaddle 1")["behavior"], "ask")

    def test_a_broken_policy_at_the_start_denies(self):
        with tempfile.TemporaryDirectory() as place:
            policy = Path(place) / "policy.yaml"
            policy.write_text("accept: [\n")
            policy.chmod(0o600)
            with Server("--policy", str(policy)) as server:
                self.assertEqual(server.check("ls")["behavior"], "deny")
                self.assertEqual(server.ask("GET", "/healthz", role=None).status, 503)
                self.assertIn("policy.yaml", server.log.read_text())
                policy.write_text(POLICY)
                wait_until("the mended file", lambda: server.check("frobnicate")["behavior"] == "allow")

    def test_stopping_in_order(self):
        for sign in (signal.SIGTERM, signal.SIGINT):
            with Server() as server:
                told = []
                listener = WebSocket(server.port, server.token("operator"))
                listener.message()
                worker = threading.Thread(target=lambda: told.append(server.check("make x", wait=PATIENCE)))
                worker.start()
                server.next_review("make x")
                lines = Lines(server.socket)
                lines.send(server.call("make y", wait=PATIENCE))
                server.next_review("make y")
                server.process.send_signal(sign)
                self.assertEqual(server.process.wait(PATIENCE), 0)
                worker.join(PATIENCE)
                self.assertEqual((told[0]["behavior"], told[0]["status"]), ("ask", "pending"))
                self.assertEqual(lines.receive()["status"], "pending")
                for event in listener.events():
                    self.assertEqual(event["type"], "review")
                self.assertFalse(server.socket.exists())
                # What was asked is still there behind a restart.
                server.process.stdout.close()
                server.start()
                self.assertEqual({r["command"] for r in server.pending()}, {"make x", "make y"})

    def test_a_second_signal_ends_it_at_once(self):
        with Server() as server:
            deaf = socket.create_connection(("127.0.0.1", server.port))
            deaf.sendall(b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
                         b"Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{" %
                         (server.port, server.token("worker").encode()))
            self.assertEqual(server.check("ls")["behavior"], "allow")
            server.process.send_signal(signal.SIGTERM)
            wait_until("no socket", lambda: not server.socket.exists())
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(PATIENCE), 0)
            deaf.close()

    def test_one_service_has_the_data(self):
        with Server() as server:
            second = subprocess.run([str(WARDER), "serve", "--listen", "127.0.0.1:0", "--data", str(server.data), "--socket",
                                     str(server.root / "run" / "other.sock")], env=server.env, capture_output=True, text=True,
                                    timeout=PATIENCE)
            self.assertEqual(second.returncode, 69)
            self.assertIn("already running here (pid %d, http://127.0.0.1:%d)" % (server.process.pid, server.port), second.stderr)
            self.assertEqual(server.check("ls")["behavior"], "allow")

    def test_the_socket(self):
        with Server() as server:
            self.assertEqual(stat.S_IMODE(server.socket.stat().st_mode), 0o600)
            other = server.root / "other"
            other.mkdir(0o700)
            taken = subprocess.run([str(WARDER), "serve", "--listen", "127.0.0.1:0", "--data", str(other), "--socket",
                                    str(server.socket)], env=server.env, capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual(taken.returncode, 69)
            self.assertIn("another service answers", taken.stderr)
            server.kill()
            self.assertTrue(server.socket.exists(), "what a service that was killed leaves behind")
            server.start()
            self.assertEqual(Lines(server.socket).ask(server.call("ls"))["behavior"], "allow")

    def test_a_place_for_the_socket_that_is_not_safe(self):
        with tempfile.TemporaryDirectory() as place:
            os.chmod(place, 0o777)
            self.assertEqual(self.serve("--listen", "127.0.0.1:0", "--socket", place + "/x.sock").returncode, 69)
            os.chmod(place, 0o700)
            Path(place, "file").write_text("mine")
            self.assertEqual(self.serve("--listen", "127.0.0.1:0", "--socket", place + "/file").returncode, 69)
            self.assertEqual(Path(place, "file").read_text(), "mine")
            os.symlink(place, place + "/link")
            self.assertEqual(self.serve("--listen", "127.0.0.1:0", "--socket", place + "/link/x.sock").returncode, 69)

    def test_options_that_are_refused(self):
        for words, code in ((("--listen", "0.0.0.0:0"), 69), (("--listen", "[::]:0"), 69), (("--listen", "example.com:80"), 69),
                            (("--listen", "127.0.0.1"), 69), (("--listen", "127.0.0.1:70000"), 69), (("--listen", ":0"), 69),
                            (("--tls-cert", "/none"), 69), (("--review-timeout", "0"), 64), (("--review-timeout", "x"), 64),
                            (("--cooldown", "-1"), 64), (("--lisen", "x"), 64), (("--listen",), 64),
                            (("--record-sync", "never"), 64), (("--record-sync", ""), 64), (("--record-sync",), 64),
                            (("--tls-cert", "/none", "--tls-key", "/none", "--listen", "127.0.0.1:0"), 69)):
            ended = self.serve(*words)
            self.assertEqual(ended.returncode, code, (words, ended.stderr))
            self.assertTrue(ended.stderr, words)
            self.assertEqual(ended.stdout, "", words)

    def syncs(self, *options, policy=""):
        """How often the service synced its journal while it answered three calls, one after the other."""
        server = Server(*options)
        (server.home / ".config" / "warder").mkdir(parents=True, exist_ok=True)
        (server.home / ".config" / "warder" / "warder.yaml").write_text(policy)
        with server:
            log = server.root / "strace"
            tracer = subprocess.Popen(["strace", "-f", "-y", "-e", "trace=fdatasync", "-o", str(log), "-p", str(server.process.pid)],
                                      stderr=subprocess.PIPE, text=True)
            if "attached" not in tracer.stderr.readline():
                self.skipTest("strace may not attach here")
            lines = Lines(server.socket)
            for i in range(3):
                self.assertEqual(lines.ask(server.call(f"ls {i}"))["behavior"], "allow")
            lines.close()
            tracer.terminate()
            tracer.communicate(timeout=PATIENCE)
            return len(re.findall(r"fdatasync\(\d+<[^>]*/journal/", log.read_text()))

    @unittest.skipUnless(shutil.which("strace"), "there is no strace")
    def test_when_a_record_is_synced(self):
        for options, policy, count in (((), "", 3), (("--record-sync", "always"), "recordSync: crash\n", 3),
                                       (("--record-sync", "crash"), "", 0),
                                       (("--record-sync", "crash"), "recordSync: always\n", 3)):
            self.assertEqual(self.syncs(*options, policy=policy), count, (options, policy))

    def test_where_it_listens_as_json(self):
        with tempfile.TemporaryDirectory() as home:
            process = subprocess.Popen([str(WARDER), "serve", "--json", "--listen", "127.0.0.1:0", "--data", home + "/data"],
                                       env=clean_env(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            said = json.loads(process.stdout.readline())
            process.terminate()
            _, err = process.communicate(timeout=PATIENCE)
            self.assertEqual((process.returncode, said["socket"]), (0, home + "/data/warder.sock"), err)
            self.assertRegex(said["listen"], r"^http://127\.0\.0\.1:\d+$")

    def test_loopback_over_ipv6(self):
        if not socket.has_ipv6:
            self.skipTest("no IPv6")
        try:
            socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        except OSError:
            self.skipTest("no ::1 here")
        with tempfile.TemporaryDirectory() as home:
            process = subprocess.Popen([str(WARDER), "serve", "--listen", "[::1]:0", "--data", home + "/data"],
                                       env=clean_env(home), stdout=subprocess.PIPE, text=True)
            port = int(process.stdout.readline().rsplit(":", 1)[1])
            with socket.create_connection(("::1", port)) as s:
                s.sendall(b"GET /healthz HTTP/1.1\r\nHost: [::1]:%d\r\n\r\n" % port)
                self.assertIn(b" 200 OK", s.recv(4096))
            process.terminate()
            self.assertEqual(process.wait(PATIENCE), 0)
            process.stdout.close()

    def test_tokens_may_be_made_before_the_first_start(self):
        server = Server()
        token = server.token("operator")
        with server:
            self.assertEqual(server.ask("GET", "/v1/rules", token=token).status, 200)

    def test_tls(self):
        import ssl
        made = subprocess.run(["openssl", "version"], capture_output=True) if any(
            os.access(f"{d}/openssl", os.X_OK) for d in os.environ["PATH"].split(":")) else None
        if not made or made.returncode:
            self.skipTest("there is no openssl to make a certificate with")
        with tempfile.TemporaryDirectory() as home:
            cert, key = home + "/cert.pem", home + "/key.pem"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                            "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", key, "-out",
                            cert], check=True, capture_output=True)
            process = subprocess.Popen([str(WARDER), "serve", "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key,
                                        "--data", home + "/data"], env=clean_env(home), stdout=subprocess.PIPE, text=True)
            first = process.stdout.readline()
            self.assertTrue(first.startswith("listening on https://"), first)
            port = int(first.rsplit(":", 1)[1])
            context = ssl.create_default_context(cafile=cert)
            import http.client
            for _ in range(3):
                connection = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=PATIENCE)
                connection.request("GET", "/healthz")
                self.assertEqual(connection.getresponse().read(), b'{"status":"ok"}')
                connection.close()
            context.maximum_version = ssl.TLSVersion.TLSv1_1
            with self.assertRaises((ssl.SSLError, ConnectionError)):
                context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="127.0.0.1")
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as s:
                try:
                    s.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
                    self.assertNotIn(b" 200 OK", s.recv(4096))
                except ConnectionError:
                    pass
            process.terminate()
            self.assertEqual(process.wait(PATIENCE), 0)
            process.stdout.close()


class Activation(unittest.TestCase):
    """As systemd starts it: with sockets that are open already, and somebody to tell how it goes."""

    def test_sockets_that_are_handed_over(self):
        with tempfile.TemporaryDirectory() as home:
            tcp = socket.create_server(("127.0.0.1", 0))
            local = socket.socket(socket.AF_UNIX)
            local.bind(home + "/w.sock")
            local.listen()
            told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            told.bind(home + "/notify")
            told.settimeout(PATIENCE)
            port = tcp.getsockname()[1]
            # The shell moves them to where systemd would put them, and its own number is then that of the service.
            process = subprocess.Popen(
                ["bash", "-c", f'exec {{a}}<&{tcp.fileno()} {{b}}<&{local.fileno()}; exec 3<&$a 4<&$b; '
                 f'export LISTEN_PID=$$ LISTEN_FDS=2; exec "$0" serve --data "$1"', str(WARDER), home + "/data"],
                env=clean_env(home) | {"NOTIFY_SOCKET": home + "/notify"}, pass_fds=(tcp.fileno(), local.fileno()),
                stdout=subprocess.PIPE, text=True)
            tcp.close()
            self.assertEqual(told.recv(4096), b"READY=1")
            self.assertEqual(process.stdout.readline(), f"listening on http://127.0.0.1:{port}\n")
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as s:
                s.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
                self.assertIn(b" 200 OK", s.recv(4096))
            lines = Lines(home + "/w.sock")
            self.assertEqual(lines.ask({"tool": "Bash", "input": {"command": "ls"}, "cwd": home})["behavior"], "allow")
            lines.close()
            process.send_signal(signal.SIGHUP)
            self.assertTrue(told.recv(4096).startswith(b"RELOADING=1\nMONOTONIC_USEC="))
            self.assertEqual(told.recv(4096), b"READY=1")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(told.recv(4096), b"STOPPING=1")
            self.assertEqual(process.wait(PATIENCE), 0)
            process.stdout.close()
            self.assertTrue(os.path.exists(home + "/w.sock"), "it is not ours to remove")
            for s in (local, told):
                s.close()

    def test_a_handed_over_socket_must_be_loopback_too(self):
        with tempfile.TemporaryDirectory() as home:
            tcp = socket.create_server(("0.0.0.0", 0))
            ended = subprocess.run(
                ["bash", "-c", f'exec {{a}}<&{tcp.fileno()}; exec 3<&$a; export LISTEN_PID=$$ LISTEN_FDS=1; '
                 f'exec "$0" serve --data "$1"', str(WARDER), home + "/data"],
                env=clean_env(home), pass_fds=(tcp.fileno(),), capture_output=True, text=True, timeout=PATIENCE)
            tcp.close()
            self.assertEqual(ended.returncode, 69)
            self.assertIn("loopback", ended.stderr)

    def test_sockets_of_another_process_are_left_alone(self):
        with tempfile.TemporaryDirectory() as home:
            process = subprocess.Popen([str(WARDER), "serve", "--listen", "127.0.0.1:0", "--data", home + "/data"],
                                       env=clean_env(home) | {"LISTEN_PID": "1", "LISTEN_FDS": "2"}, stdout=subprocess.PIPE, text=True)
            self.assertIn("127.0.0.1", process.stdout.readline())
            process.terminate()
            self.assertEqual(process.wait(PATIENCE), 0)
            process.stdout.close()


if __name__ == "__main__":
    main()
