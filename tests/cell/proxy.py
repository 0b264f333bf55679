#!/usr/bin/env python3
"""The proxy of a sandbox against real clients and servers: proxy.py DRIVER CELL.

Runs itself again in namespaces of its own: the proxy in one network, a server in another, names in a hosts file. curl and
Python's TLS are the clients; the server says what reached it.
"""
import contextlib
import http.server
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

HERE, THERE = "10.77.0.1", "10.77.0.2"
NAMES = {"allowed.example": THERE, "evil.example": THERE, "below.wide.example": THERE, "refused.example": "10.77.0.9",
         "loop.example": "127.0.0.1", "own.example": HERE, "metadata.example": "169.254.169.254"}
HOSTS = ["allowed.example", "allowed.example:2525", "*.wide.example", "refused.example", "loop.example", "own.example",
         "metadata.example", f"{THERE}:8080"]
PATIENCE = 20


# ---- the server, in its own network ----

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        text = f"{self.path} of {self.headers['Host']}; {self.headers.get('Connection')}\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(len(body)).encode())

    def log_message(self, *_):
        print("request", flush=True)


def greet_first():
    with socket.create_server(("", 2525)) as server:
        while True:
            client, _ = server.accept()
            with client:
                client.sendall(b"220 ready\r\n")
                client.sendall(client.recv(100).upper())


def serve(certificate):
    for port in (80, 8080, 443):
        server = http.server.ThreadingHTTPServer(("", port), Handler)
        if port == 443:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    threading.Thread(target=greet_first, daemon=True).start()
    print("ready", flush=True)
    sys.stdin.read()


# ---- the tests ----

def run(*command):
    subprocess.run(command, check=True, capture_output=True)


def build_networks(root):
    (root / "hosts").write_text("127.0.0.1 localhost\n" + "".join(f"{a} {n}\n" for n, a in NAMES.items()))
    run("mount", "--bind", str(root / "hosts"), "/etc/hosts")
    run("ip", "link", "set", "lo", "up")
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test", "-days", "2",
        "-keyout", str(root / "key"), "-out", str(root / "cert"))
    (root / "both").write_text((root / "key").read_text() + (root / "cert").read_text())
    server = subprocess.Popen(["unshare", "-n", sys.executable, "-B", __file__, "--serve", str(root / "both")],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdout.readline() == "ready\n"
    run("ip", "link", "add", "here", "type", "veth", "peer", "name", "there", "netns", str(server.pid))
    run("ip", "addr", "add", f"{HERE}/24", "dev", "here")
    run("ip", "link", "set", "here", "up")
    for words in (["addr", "add", f"{THERE}/24", "dev", "there"], ["link", "set", "there", "up"]):
        run("nsenter", "-n", "-t", str(server.pid), "ip", *words)
    return server


class Proxy(unittest.TestCase):
    def setUp(self):
        self.process = subprocess.Popen([DRIVER, *HOSTS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={"PROXY_REFUSE": "10.77.0.8/31"})
        self.port = int(self.process.stdout.readline())

    def tearDown(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def curl(self, url, *more, scheme="http"):
        ran = subprocess.run(["curl", "-sk", "--max-time", str(PATIENCE), "-w", "%{http_connect} %{http_code}", "-x",
                              f"{scheme}://127.0.0.1:{self.port}", *more, url], capture_output=True, text=True)
        return ran.returncode, ran.stdout

    def note(self):
        return self.process.stdout.readline().strip()

    @contextlib.contextmanager
    def connected(self, first=b""):
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as s:
            s.sendall(first)
            yield s

    def test_plain_requests(self):
        self.assertEqual(self.curl("http://allowed.example/a?b"), (0, "/a?b of allowed.example; close\n000 200"))
        self.assertRegex(self.note(), r"^connected allowed.example:80 0 \d+$")
        self.assertEqual(self.curl("http://below.wide.example/", "-H", "Host: evil.example")[1],
                         "/ of below.wide.example; close\n000 200")
        self.note()
        self.assertEqual(self.curl(f"http://{THERE}:8080/")[1], f"/ of {THERE}:8080; close\n000 200")
        self.note()
        self.assertEqual(self.curl("http://allowed.example/", "--data-binary", "x" * 100000), (0, "100000000 200"))

    def test_tunnels(self):
        self.assertEqual(self.curl("https://allowed.example/a"), (0, "/a of allowed.example; None\n200 200"))
        self.assertRegex(self.note(), r"^connected allowed.example:443 [1-9]\d+ [1-9]\d+$")
        for scheme in ("socks5h", "socks5"):
            code, said = self.curl("https://allowed.example/a", scheme=scheme)
            self.assertEqual((code, said[-3:]) if scheme == "socks5h" else code,
                             (0, "200") if scheme == "socks5h" else 97, "an address alone is not listed")
            self.note()

    def test_what_is_not_listed(self):
        for url, connect in (("http://evil.example/", "000 403"), ("https://evil.example/", "403 000"),
                             ("https://allowed.example:8443/", "403 000"), ("https://wide.example/", "403 000"),
                             (f"http://{THERE}/", "000 403"), ("https://allowed.example.evil.example/", "403 000")):
            said = self.curl(url)[1]
            self.assertTrue(said.endswith(connect), (url, said))
            self.assertRegex(self.note(), "^not in sandbox.network.hosts ")
        self.assertEqual(self.curl("https://evil.example/", scheme="socks5h")[0], 97)

    def test_names_that_lead_back(self):
        for name in ("loop", "own", "metadata", "refused"):
            self.assertTrue(self.curl(f"https://{name}.example/")[1].endswith("403 000"), name)
            self.assertEqual(self.note(), f"the name leads to an address that is refused {name}.example:443 0 0")

    def test_tls_names_the_host_of_the_tunnel(self):
        code, _ = self.curl("https://evil.example/", "--connect-to", "evil.example:443:allowed.example:443")
        self.assertNotEqual(code, 0)
        self.assertRegex(self.note(), "^TLS names another server allowed.example:443 0 0$")

    def hello(self, name):
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = ssl.create_default_context()
        tls = context.wrap_bio(incoming, outgoing, server_hostname=name)
        with self.assertRaises(ssl.SSLWantReadError):
            tls.do_handshake()
        return outgoing.read()

    def in_pieces(self, hello, size):
        """The same message in more records."""
        body = hello[5:]
        return b"".join(hello[:3] + len(body[i:i + size]).to_bytes(2, "big") + body[i:i + size] for i in range(0, len(body), size))

    def send_hello(self, hello):
        with self.connected(b"CONNECT allowed.example:443 HTTP/1.1\r\n\r\n") as s:
            self.assertTrue(s.recv(1000).startswith(b"HTTP/1.1 200 "))
            for byte in hello:
                s.sendall(bytes([byte]))
            with contextlib.suppress(ConnectionResetError):
                return s.recv(1)
        return b""

    def test_a_hello_in_many_pieces(self):
        for size in (1, 7, 20000):
            self.assertEqual(self.send_hello(self.in_pieces(self.hello("allowed.example"), size)), b"\x16")
            self.assertRegex(self.note(), "^connected ")
            for name in ("evil.example", "xallowed.example", "allowed.example.evil.example"):
                self.assertEqual(self.send_hello(self.in_pieces(self.hello(name), size)), b"")
                self.assertRegex(self.note(), "^TLS names another server ")

    def test_a_server_that_speaks_first(self):
        with self.connected(b"CONNECT allowed.example:2525 HTTP/1.1\r\n\r\n") as s:
            got = b""
            while b"220 ready" not in got:
                got += s.recv(1000)
            s.sendall(b"hello")
            self.assertEqual(s.recv(1000), b"HELLO")

    def test_nonsense(self):
        for text in (b"GET / HTTP/1.1\r\nHost: allowed.example\r\n\r\n", b"a" * 16384, b"\x04\x01\0\x50\x0a\x4d\0\x02\0",
                     b"CONNECT allowed.example:443 HTTP/1.1\nX: y\r\n\r\n"):
            with self.connected(text) as s:
                self.assertIn(s.recv(12), (b"HTTP/1.1 400", b""))
        with self.connected(b"\x05\x01\x02") as s:
            self.assertEqual(s.recv(2), b"\x05\xff")
        with self.connected(b"\x05\x01\0\x05\x03\0\x01\0\0\0\0\0\x35") as s:  # UDP
            got = b""  # in pieces: a socket with a timeout waits for one alone
            while len(got) < 4 and (piece := s.recv(4 - len(got))):
                got += piece
            self.assertEqual(got, b"\x05\0\x05\x01")

    def test_many_at_once(self):
        with contextlib.ExitStack() as stack:
            for _ in range(300):
                stack.enter_context(self.connected())
            self.assertIsNone(self.process.poll())
        for _ in range(200):
            if self.curl("http://allowed.example/")[0] == 0:
                return
        self.fail("it serves no one after the flood")


def is_cell(path):
    with contextlib.suppress(OSError):
        return os.readlink(path) == CELL
    return False


class InCell(unittest.TestCase):
    """The same, as programs of a cell meet it."""

    def cell(self, command, hosts=("allowed.example",), **more):
        with tempfile.TemporaryDirectory() as work:
            report = Path(work) / "report"
            plan = {"version": 1, "program": "/bin/bash", "words": ["bash", "-c", command], "directory": "/",
                    "write": [], "hosts": list(hosts), "report": str(report),
                    "set": ["https_proxy=http://127.0.0.1:3128", "http_proxy=http://127.0.0.1:3128"]} | more
            with open(Path(work) / "plan", "w+") as f:
                json.dump(plan, f)
                f.flush()
                f.seek(0)
                ran = subprocess.run([CELL, "--plan", str(f.fileno())], pass_fds=[f.fileno()], capture_output=True,
                                     text=True, timeout=PATIENCE)
            told = json.loads(report.read_text()) if report.exists() else None
        return ran, told

    def test_an_allowed_host(self):
        ran, told = self.cell("curl -sk https://allowed.example/a && curl -s http://allowed.example/b")
        self.assertEqual((ran.returncode, ran.stdout), (0, "/a of allowed.example; None\n/b of allowed.example; close\n"),
                         ran.stderr)
        self.assertEqual([(c["host"], c["port"]) for c in told["connections"]],
                         [("allowed.example", 443), ("allowed.example", 80)])
        self.assertGreater(told["connections"][0]["sent"], 100)

    def test_another_host(self):
        ran, told = self.cell("curl -sk https://evil.example/")
        self.assertEqual(ran.returncode, 56)
        self.assertIn("connect to evil.example:443 (not in sandbox.network.hosts)", ran.stderr)
        self.assertEqual(told["refused"], [{"kind": "connect", "what": "evil.example:443 (not in sandbox.network.hosts)"}])

    def test_around_the_proxy(self):
        for there in (f"{THERE}/80", f"{HERE}/{self.port}", f"127.0.0.1/{self.port}"):
            ran, _ = self.cell(f"exec 3<>/dev/tcp/{there} && echo reached >&3")
            self.assertNotEqual(ran.returncode, 0, there)
        self.listener.setblocking(False)
        with self.assertRaises(BlockingIOError):
            self.listener.accept()

    def test_without_hosts_there_is_no_proxy(self):
        ran, _ = self.cell("curl -s http://allowed.example/", hosts=())
        self.assertEqual(ran.returncode, 7)

    def test_a_plan_with_no_host_runs_nothing(self):
        for hosts, more in ((["*"], {}), (["allowed.example"], {"refused_addresses": ["x"]})):
            ran, _ = self.cell("echo ran", hosts=hosts, **more)
            self.assertEqual((ran.returncode, ran.stdout), (125, ""))

    def test_a_program_that_knows_no_proxy(self):
        """It asks for the address of a name, and connects to that."""
        ran, told = self.cell("curl --noproxy '*' -sk https://allowed.example/a && curl --noproxy '*' -s http://allowed.example/b &&"
                              f"curl --noproxy '*' -s http://{THERE}:8080/c", hosts=("allowed.example", f"{THERE}:8080"), hide=["/etc/hosts"])
        self.assertEqual((ran.returncode, ran.stdout), (0, "/a of allowed.example; None\n/b of allowed.example; None\n"
                                                        f"/c of {THERE}:8080; None\n"), ran.stderr)
        self.assertEqual([(c["host"], c["port"]) for c in told["connections"]],
                         [("allowed.example", 443), ("allowed.example", 80), (THERE, 8080)])

    def test_names_that_are_not_listed_are_not_found(self):
        for name, hosts in (("evil.example", ("allowed.example",)), ("wide.example", ("*.wide.example",)),
                            ("allowed.example", ("*.example.org",))):
            ran, told = self.cell(f"curl --noproxy '*' -s http://{name}/", hosts=hosts, hide=["/etc/hosts"])
            self.assertEqual(ran.returncode, 6, (name, ran.stderr))
            self.assertIn({"kind": "connect", "what": f"{name}:443 (not in sandbox.network.hosts)"}, told["refused"])

    def test_an_address_of_no_name_and_another_port(self):
        for there in ("198.18.0.99:443", "198.18.0.1:81", f"{THERE}:80"):
            ran, _ = self.cell(f"curl --noproxy '*' -sk -m 5 http://{there}/", hosts=(f"{THERE}:8080", "allowed.example"))
            self.assertNotEqual(ran.returncode, 0, there)

    def test_hosts_that_cannot_be_caught(self):
        ran, _ = self.cell("curl -s http://allowed.example/a", hosts=("allowed.example", "allowed.example:3128", "0.0.0.0:80",
                                                                     "224.0.0.1:443", "127.0.0.1:22"))
        self.assertEqual((ran.returncode, ran.stdout), (0, "/a of allowed.example; close\n"), ran.stderr)

    def test_tls_of_a_caught_connection_names_its_host(self):
        ran, told = self.cell("curl --noproxy '*' -sk https://evil.example/ --connect-to evil.example:443:allowed.example:443",
                              hide=["/etc/hosts"])
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("TLS names another server", told["refused"][0]["what"])

    def test_a_host_that_is_refused_by_name(self):
        ran, told = self.cell("curl -s http://below.wide.example/", hosts=("*.wide.example",), refused_hosts=["below.wide.example"])
        self.assertEqual(told["refused"], [{"kind": "connect", "what": "below.wide.example:80 (not in sandbox.network.hosts)"}])

    def test_a_server_of_this_machine(self):
        threading.Thread(target=self.answer, args=(2,), daemon=True).start()
        for hosts in ((), ("allowed.example",)):
            ran, _ = self.cell(f"exec 3<>/dev/tcp/127.0.0.1/{self.port}; echo hello >&3; cat <&3", hosts=hosts,
                               loopback=[str(self.port)])
            self.assertEqual((ran.returncode, ran.stdout), (0, "HELLO\n"), ran.stderr)
        ran, _ = self.cell(f"exec 3<>/dev/tcp/127.0.0.1/{self.port}", loopback=[str(self.port + 1)])
        self.assertNotEqual(ran.returncode, 0)

    def answer(self, times):
        for _ in range(times):
            client, _ = self.listener.accept()
            with client:
                client.sendall(client.recv(100).upper())

    def test_a_published_port(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        script = f"import socket; s = socket.create_server(('127.0.0.1', {port})); c, _ = s.accept(); c.sendall(c.recv(9).upper())"
        reached = []
        threading.Thread(target=self.knock, args=(port, reached), daemon=True).start()
        ran, _ = self.cell(f"timeout {PATIENCE} {sys.executable} -c \"{script}\"", hosts=(), publish=[f"{port}-{port}"])
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        for _ in range(PATIENCE * 10):
            if reached:
                break
            time.sleep(0.1)
        self.assertEqual(reached, [b"HELLO"])
        ran, _ = self.cell(f"timeout 2 {sys.executable} -c \"{script}\"", hosts=())
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))

    def knock(self, port, reached):
        for _ in range(PATIENCE * 20):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 2) as s:
                s.sendall(b"hello")
                got = s.recv(9)
                if got:
                    reached.append(got)
                    return
            time.sleep(0.05)

    def test_what_stays_behind_keeps_its_network(self):
        with tempfile.TemporaryDirectory() as work:
            ran, _ = self.cell(f"(sleep 1; curl -s http://allowed.example/late > {work}/got; mv {work}/got {work}/done) &",
                               background=True, write=[work])
            self.assertEqual(ran.returncode, 0)
            for _ in range(PATIENCE * 10):
                if os.path.exists(work + "/done"):
                    break
                time.sleep(0.1)
            self.assertEqual(Path(work, "done").read_text(), "/late of allowed.example; close\n")

    def test_the_proxy_ends_with_its_cell(self):
        self.cell("true")
        for _ in range(PATIENCE * 10):
            if not any(path.parent.name.isdigit() and is_cell(path) for path in Path("/proc").glob("*/exe")):
                return
            time.sleep(0.1)
        self.fail("a process of the cell is left")

    def setUp(self):
        self.listener = socket.create_server(("", 0))
        self.port = self.listener.getsockname()[1]

    def tearDown(self):
        self.listener.close()


def main():
    global DRIVER, CELL
    if sys.argv[1] == "--serve":
        return serve(sys.argv[2])
    if sys.argv[1] != "--inside":
        missing = [p for p in ("curl", "openssl", "ip", "unshare", "nsenter") if not shutil.which(p)]
        again = ["unshare", "-rmn", sys.executable, "-B", __file__, "--inside", *map(os.path.abspath, sys.argv[1:3]), *sys.argv[3:]]
        if missing or subprocess.run(["unshare", "-rmn", "true"], capture_output=True).returncode != 0:
            print("skipped:", ", ".join(missing) or "no namespaces of one's own")
            return sys.exit(77)
        return sys.exit(subprocess.run(again).returncode)
    DRIVER, CELL = sys.argv[2:4]
    with tempfile.TemporaryDirectory() as root:
        server = build_networks(Path(root))
        result = unittest.main(argv=sys.argv[:1] + sys.argv[4:], exit=False).result
        server.kill()
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
