#!/usr/bin/env python3
"""`warder mcp proxy` over HTTP: the Streamable HTTP transport of MCP, revision 2026-07-28, between a client and a server of our own."""

import base64
import http.client
import http.server
import json
import os
import queue
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

BUILD = Path(os.environ.get("WARDER_BUILD", "build/dev")).resolve()
PATIENCE = 60
REVISION = "2026-07-28"
META = "io.modelcontextprotocol/"


class Upstream(http.server.ThreadingHTTPServer):
    """An MCP server that remembers what reached it."""

    daemon_threads = True

    def __init__(self, tls=None):
        super().__init__(("127.0.0.1", 0), Handler)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.seen, self.go_on, self.gone = [], threading.Event(), queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def shutdown_request(self, request):
        if isinstance(request, ssl.SSLSocket):
            try:
                request.unwrap()  # TLS has an end of its own
            except (OSError, ValueError):
                pass
        super().shutdown_request(request)

    def handle_error(self, *_):
        pass  # handshakes that are not finished


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((message, dict(self.headers.items())))
        name = message.get("params", {}).get("name")
        if "id" not in message:
            self.send_response(202)
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif message["method"] == "tools/list":
            self.answer(message, {"tools": [{"name": "look", "annotations": {"readOnlyHint": True}}], "resultType": "complete"})
        elif name in ("stream", "endless", "torn"):
            self.stream(message, name)
        elif name == "plain":
            self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {}}).encode())
            self.close_connection = True
        elif name == "garbage":
            self.wfile.write(b"nonsense\r\n\r\n")
            self.close_connection = True
        elif name == "status":
            text = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {}}).encode()
            line = message["params"]["arguments"]["line"].encode()
            self.wfile.write(line + b"\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(text) + text)
            self.close_connection = True
        else:
            self.answer(message, {"content": [{"type": "text", "text": "ran"}], "isError": False, "resultType": "complete"})

    def answer(self, message, result):
        text = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Mcp-Session-Id", "session-1")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def chunk(self, text):
        self.wfile.write(f"{len(text):x}\r\n".encode() + text + b"\r\n")
        self.wfile.flush()

    def stream(self, message, name):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.chunk(b'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\n\n')
        if name == "torn":
            self.close_connection = True
            return
        if name == "endless":
            try:
                while True:
                    self.chunk(b": still here\n\n")
                    self.server.go_on.wait(0.05)
            except OSError:
                self.server.gone.put(True)
                self.close_connection = True
                return
        self.server.go_on.wait(PATIENCE)  # until the client has read the first event
        self.chunk(b"data: " + json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"resultType": "complete"}}).encode() + b"\n\n")
        self.wfile.write(b"0\r\n\r\n")


class Proxy(unittest.TestCase):
    more = ()
    rules = ("--allow", "mcp__files__look", "--allow", "mcp__files__stream", "--allow", "mcp__files__endless", "--allow", "mcp__files__torn",
             "--allow", "mcp__files__plain", "--allow", "mcp__files__garbage", "--allow", "mcp__files__status", "--allow", "mcp__files__w\u00e9ird", "--deny", "mcp__files__wipe",
             "--deny", "Read(//etc/**)")

    @classmethod
    def setUpClass(cls):
        cls.root = Path(tempfile.mkdtemp(prefix="warder-mcp-"))
        cls.upstream = Upstream()
        cls.process = cls.start(f"http://127.0.0.1:{cls.upstream.server_address[1]}/mcp")
        cls.port = cls.port_of(cls.process)

    @classmethod
    def start(cls, url, listen="127.0.0.1:0"):
        env = {"HOME": str(cls.root), "XDG_STATE_HOME": str(cls.root / "state"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        env |= {name: os.environ[name] for name in ("SSL_CERT_FILE",) if name in os.environ}
        return subprocess.Popen([str(BUILD / "warder"), "mcp", "proxy", "--home", str(cls.root), "--name", "files", "--listen", listen, "--url", url, *cls.more, *cls.rules],
                                env=env, cwd=cls.root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    @staticmethod
    def port_of(process):
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp$", line.strip())
        assert found, (line, process.stderr.read() if process.poll() is not None else "")
        return int(found.group(1))

    @classmethod
    def end(cls, process):
        process.terminate()
        process.wait(PATIENCE)
        process.stdout.close()
        process.stderr.close()

    @classmethod
    def tearDownClass(cls):
        cls.end(cls.process)
        cls.upstream.shutdown()
        cls.upstream.server_close()
        shutil.rmtree(cls.root, ignore_errors=True)

    def setUp(self):
        self.upstream.seen.clear()
        self.upstream.go_on.clear()

    def open(self, body, headers=None, method="POST", path="/mcp", port=None):
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=PATIENCE)
        sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"} | (headers or {})
        connection.request(method, path, body if isinstance(body, (str, bytes, type(None))) else json.dumps(body),
                           {name: value for name, value in sent.items() if value is not None})
        return connection, connection.getresponse()

    def ask(self, body, headers=None, status=200, **more):
        connection, response = self.open(body, headers, **more)
        text = response.read()
        connection.close()
        self.assertEqual(response.status, status, (body, headers, text))
        return json.loads(text) if text else None

    def modern(self, method, params=None, name=None, headers=None, **more):
        """A request as revision 2026-07-28 wants it."""
        body = {"jsonrpc": "2.0", "id": 7, "method": method,
                "params": {"_meta": {META + "protocolVersion": REVISION, META + "clientInfo": {"name": "t", "version": "1"}, META + "clientCapabilities": {}},
                           **(params or {})}}
        own = {"MCP-Protocol-Version": REVISION, "Mcp-Method": method}
        if name:
            own["Mcp-Name"] = name
        return self.ask(body, own | (headers or {}), **more)

    def call(self, tool, **more):
        return self.modern("tools/call", {"name": tool, "arguments": {"path": "x"}}, name=more.pop("name", tool), **more)

    def test_an_allowed_call_reaches_the_server(self):
        said = self.call("look", headers={"Authorization": "Bearer t", "Mcp-Param-Region": "eu", "Mcp-Session-Id": "s", "Cookie": "no", "X-Other": "no"})
        self.assertEqual((said["id"], said["result"]["content"][0]["text"]), (7, "ran"))
        (message, headers), = self.upstream.seen
        self.assertEqual((message["params"]["name"], message["params"]["arguments"]), ("look", {"path": "x"}))
        self.assertEqual((headers["Mcp-Method"], headers["Mcp-Name"], headers["MCP-Protocol-Version"]), ("tools/call", "look", REVISION))
        self.assertEqual((headers["Authorization"], headers["Mcp-Param-Region"], headers["Mcp-Session-Id"]), ("Bearer t", "eu", "s"))
        self.assertFalse({"Cookie", "X-Other"} & set(headers))

    def test_a_denied_call_does_not(self):
        for tool in ("wipe", "unheard-of"):  # the second one asks, and there is no one
            said = self.call(tool)
            self.assertEqual((said["id"], said["result"]["isError"], said["result"]["resultType"]), (7, True, "complete"))
        self.assertEqual(self.upstream.seen, [])

    def test_headers_that_say_something_else_than_the_body(self):
        for headers in ({"Mcp-Name": "wipe"}, {"Mcp-Name": None}, {"Mcp-Method": "ping"}, {"Mcp-Method": None}, {"MCP-Protocol-Version": "2025-06-18"},
                        {"MCP-Protocol-Version": None}, {"Mcp-Name": "=?base64?d2lwZQ==?="}, {"Mcp-Name": "=?base64?bG9vaw=?="}, {"Mcp-Name": "=?base64??="},
                        {"Mcp-Name": "=?base64?bG9vax==?="}):
            said = self.call("look", headers=headers, status=400)
            self.assertEqual(said["error"]["code"], -32020, headers)
        self.assertEqual(self.modern("ping", headers={"Mcp-Name": "look"}, status=400)["error"]["code"], -32020)
        self.assertEqual(self.upstream.seen, [])

    def test_names_in_base64(self):
        encoded = "=?base64?" + base64.b64encode("w\u00e9ird".encode()).decode() + "?="
        self.assertEqual(self.call("w\u00e9ird", name=encoded)["result"]["content"][0]["text"], "ran")
        self.assertEqual(self.call("look", name="=?base64?bG9vaw==?=")["result"]["content"][0]["text"], "ran")

    def test_earlier_revisions(self):
        for version in (None, "2025-11-25", "2025-06-18"):
            headers = {"MCP-Protocol-Version": version}
            said = self.ask({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}, headers)
            self.assertEqual(said["id"], 1)
            self.ask({"jsonrpc": "2.0", "method": "notifications/initialized"}, headers, status=202)
            said = self.ask({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "wipe", "arguments": {}}}, headers)
            self.assertTrue(said["result"]["isError"])
        connection, response = self.open({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        self.assertEqual(response.headers["Mcp-Session-Id"], "session-1")
        connection.close()
        self.assertNotIn("tools/call", [message["method"] for message, _ in self.upstream.seen])

    def test_what_is_no_message(self):
        for body in ("nonsense", "", "[]", '[{"jsonrpc":"2.0","id":1,"method":"tools/call"}]', '{"method":"ping","method":"tools/call","id":1}',
                     '{"jsonrpc":"2.0","id":1,"method":7}', '{"jsonrpc":"2.0","id":1,"Method":"tools/call","method":"ping"}',
                     '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"Name":"look","name":"look"}}'):
            self.assertLess(self.ask(body, status=400)["error"]["code"], -32000, body)
        self.assertEqual(self.modern("tools/run", status=404)["error"]["code"], -32601)
        self.ask({"jsonrpc": "2.0", "method": "tools/run"}, status=404)
        self.assertEqual(self.upstream.seen, [])

    def test_resources(self):
        for uri, reaches in (("file:///etc/passwd", False), ("file:///%65tc/passwd", False), ("notes://1", True), ("file://host/x", False)):
            self.upstream.seen.clear()
            self.modern("resources/read", {"uri": uri}, name=uri, status=200 if reaches else 400)
            self.assertEqual(bool(self.upstream.seen), reaches, uri)
            self.upstream.seen.clear()
            self.modern("subscriptions/listen", {"notifications": {"toolsListChanged": True, "resourceSubscriptions": ["notes://0", uri]}},
                        status=200 if reaches else 400)
            self.assertEqual(bool(self.upstream.seen), reaches, uri)
        self.upstream.seen.clear()
        for filter in ({"resourceSubscriptions": "file:///etc/passwd"}, {"resourceSubscriptions": [7]}, {"resourcesubscriptions": ["file:///etc/passwd"]}):
            self.modern("subscriptions/listen", {"notifications": filter}, status=400)
        self.assertEqual(self.upstream.seen, [])

    def test_pages_of_other_sites_and_other_paths(self):
        body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        port = self.port
        for status, more in ((403, {"headers": {"Origin": "http://evil.example"}}), (403, {"headers": {"Origin": "null"}}),
                             (421, {"headers": {"Host": "evil.example"}}), (421, {"headers": {"Host": f"127.0.0.1:{port + 1}"}}),
                             (404, {"path": "/other"}), (404, {"path": "/mcp?x"}), (405, {"method": "GET"}), (405, {"method": "DELETE"}),
                             (415, {"headers": {"Content-Type": "text/plain"}})):
            self.ask(body if status not in (405,) else None, status=status, **more)
        self.assertEqual(self.upstream.seen, [])
        for more in ({"Origin": f"http://127.0.0.1:{port}"}, {"Host": f"localhost:{port}"}):
            self.ask(body, headers=more)

    def raw(self, text):
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(text)
            answer = b""
            while True:
                more = connection.recv(65536)
                if not more:
                    return int(answer.split()[1]) if answer else None
                answer += more

    def test_heads_that_could_be_read_in_two_ways(self):
        body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
        host = f"Host: 127.0.0.1:{self.port}".encode()
        good = [b"POST /mcp HTTP/1.1", host, b"Content-Type: application/json", b"Content-Length: %d" % len(body)]
        self.assertEqual(self.raw(b"\r\n".join(good) + b"\r\n\r\n" + body), 200)
        for status, lines in ((400, good + [host]), (400, good + [b"Content-Length: 1"]), (411, good[:3] + [b"Transfer-Encoding: chunked"]),
                              (411, good + [b"Transfer-Encoding: chunked"]), (400, good + [b" folded: x"]), (400, good + [b"X : y"]), (400, good + [b"X"]),
                              (400, good + [b"X: a\nY: b"]), (400, good + [b"X: a\x01"]), (400, [b"POST  /mcp HTTP/1.1"] + good[1:]),
                              (400, [b"POST /mcp HTTP/1.0"] + good[1:]), (413, good[:3] + [b"Content-Length: 99999999999"]),
                              (413, good[:3] + [b"Content-Length: 1x"]), (411, good[:3]), (411, good + [b"Expect: 100-continue"]),
                              (400, good + [b"Mcp-Name: a", b"mcp-name: b"]), (400, good + [b"X-%d: y" % n for n in range(100)])):
            self.upstream.seen.clear()
            self.assertEqual(self.raw(b"\r\n".join(lines) + b"\r\n\r\n" + body), status, lines)
            self.assertEqual(self.upstream.seen, [], lines)

    def test_a_stream_comes_as_it_is_sent(self):
        connection, response = self.open({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "stream", "arguments": {}}})
        self.assertEqual(response.headers["Content-Type"], "text/event-stream")
        self.assertIn(b"notifications/progress", response.readline())
        self.upstream.go_on.set()
        self.assertEqual(json.loads(response.read().split(b"data: ")[1])["id"], 5)
        connection.close()

    def test_a_client_that_leaves_cancels(self):
        connection, response = self.open({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "endless", "arguments": {}}})
        response.readline()
        response.close()
        connection.close()
        self.assertTrue(self.upstream.gone.get(timeout=PATIENCE))

    def test_a_torn_answer_is_not_whole(self):
        connection, response = self.open({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "torn", "arguments": {}}})
        with self.assertRaises(http.client.IncompleteRead):
            response.read()
        connection.close()

    def test_servers_that_answer_otherwise(self):
        self.assertEqual(self.call("plain")["id"], 7)  # until the end of the connection
        self.call("garbage", status=502)
        alone = self.start("http://127.0.0.1:1/mcp")
        body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        self.ask(body, status=502, port=self.port_of(alone))
        self.end(alone)

    def test_first_lines_of_answers(self):
        def ask(line, status):
            with self.subTest(line=line):
                self.ask({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "status", "arguments": {"line": line}}}, status=status)
        for line, status in (("HTTP/1.1 200 OK", 200), ("HTTP/1.0 200 OK", 200), ("HTTP/1.1 200", 200), ("HTTP/1.1 200 ", 200), ("HTTP/1.1 404 X", 404),
                             ("HTTP/1.1 599 X", 599)):
            ask(line, status)
        for line in ("HTTP/2.0 200 OK", "HTTPS1.1 200 OK", "http/1.1 200 OK", "XXXX/1.1 200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1  200",
                     "HTTP/1.1\t200 OK", "HTTP/1.1 2x0 OK", "HTTP/1.1 20x OK", "HTTP/1.1 x00 OK", "HTTP/1.1 600 X", "HTTP/1.1 199 X", "HTTP/1.1 200x", "HTTP/1.1 20"):
            ask(line, 502)

    def test_what_it_does_not_listen_at(self):
        for listen, url in (("0.0.0.0:0", "http://127.0.0.1:1/mcp"), ("127.0.0.1:0", "ftp://127.0.0.1:1/mcp"), ("127.0.0.1:0", "https://"), ("127.0.0.1:0", "x")):
            refused = self.start(url, listen)
            self.assertEqual(refused.wait(PATIENCE), 64, (listen, url))
            self.end(refused)

    def test_calls_are_recorded(self):
        self.call("look")
        self.call("wipe")
        env = {"HOME": str(self.root), "XDG_STATE_HOME": str(self.root / "state"), "PATH": os.environ["PATH"]}
        said = subprocess.run([str(BUILD / "warder"), "log", "--json", "--home", str(self.root)], env=env, capture_output=True, text=True, check=True)
        found = {(entry["tool"], entry["behavior"]) for entry in json.loads(said.stdout)["decisions"]}
        self.assertTrue({("mcp__files__look", "allow"), ("mcp__files__wipe", "deny")} <= found, found)


class Annotated(unittest.TestCase):
    """Nothing is said of a tool but what its server says, and the policy believes it."""

    def test_what_the_server_says_of_its_tools_is_heard(self):
        proxy = type("Believing", (Proxy,), {"rules": ()})
        proxy.root = Path(tempfile.mkdtemp(prefix="warder-mcp-"))
        (proxy.root / "w.yaml").write_text("readOnlyServers: [files]\n")
        proxy.rules = ("--policy", str(proxy.root / "w.yaml"))
        proxy.upstream = Upstream()
        proxy.process = proxy.start(f"http://127.0.0.1:{proxy.upstream.server_address[1]}/mcp")
        proxy.port = proxy.port_of(proxy.process)
        client = proxy("call")
        self.assertTrue(client.call("look")["result"]["isError"])
        self.assertEqual(client.modern("tools/list")["result"]["tools"][0]["name"], "look")
        self.assertFalse(client.call("look")["result"]["isError"])
        proxy.tearDownClass()


class Authority:
    """A certificate authority of our own, made by openssl(1)."""

    def __init__(self, root):
        self.root = root
        self.made("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=our authority", "-keyout", "ca.key", "-out", "ca.pem")

    def made(self, *words):
        subprocess.run(["openssl", *words], cwd=self.root, check=True, capture_output=True)

    def server(self, name, subject, days="30", own=False):
        """TLS of a server whose certificate is for this name: ours, or its own alone."""
        extra = Path(self.root / f"{name}.ext")
        extra.write_text(f"subjectAltName={subject}\nbasicConstraints=CA:FALSE\n")
        self.made("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        signer = ["-signkey", f"{name}.key"] if own else ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"]
        self.made("x509", "-req", "-in", f"{name}.csr", *signer, "-days", days, "-extfile", extra.name, "-out", f"{name}.pem")
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(self.root / f"{name}.pem", self.root / f"{name}.key")
        return tls


@unittest.skipUnless(shutil.which("openssl"), "SKIPPED: openssl(1) is missing")
class ProxyToHttps(Proxy):
    """The same by TLS."""

    @classmethod
    def setUpClass(cls):
        cls.root = Path(tempfile.mkdtemp(prefix="warder-mcp-"))
        cls.authority = Authority(cls.root)
        cls.more = ("--ca", str(cls.root / "ca.pem"))
        cls.upstream = Upstream(cls.authority.server("good", "IP:127.0.0.1,DNS:localhost"))
        cls.process = cls.start(f"https://127.0.0.1:{cls.upstream.server_address[1]}/mcp")
        cls.port = cls.port_of(cls.process)

    def refused(self, tls, host="127.0.0.1", more=None):
        """What the client is told; and no byte of the call has reached the server."""
        upstream, kept = Upstream(tls), (type(self).more, self.port)
        if more is not None:
            type(self).more = more
        process = self.start(f"https://{host}:{upstream.server_address[1]}/mcp")
        try:
            self.port = self.port_of(process)
            said = self.ask({"jsonrpc": "2.0", "id": 1, "method": "ping"}, status=502)
            self.assertEqual(upstream.seen, [])
            return said["error"]["message"]
        finally:
            type(self).more, self.port = kept
            self.end(process)
            upstream.shutdown()
            upstream.server_close()

    def test_certificates_that_are_not_good(self):
        server = self.authority.server
        self.assertIn("IP address mismatch", self.refused(server("other", "DNS:other.example")))
        self.assertIn("hostname mismatch", self.refused(server("wrong", "IP:127.0.0.1"), host="localhost"))
        self.assertIn("expired", self.refused(server("old", "IP:127.0.0.1", days="-1")))
        self.assertIn("self-signed", self.refused(server("own", "IP:127.0.0.1", own=True)))
        self.assertIn("not valid", self.refused(server("unknown", "IP:127.0.0.1"), more=()))
        self.assertIn("no TLS", self.refused(None))
        self.assertIn("--ca", self.refused(server("again", "IP:127.0.0.1"), more=("--ca", "/nowhere.pem")))

    def test_the_environment_is_not_trusted(self):
        os.environ["SSL_CERT_FILE"] = str(self.root / "ca.pem")
        try:
            self.assertIn("not valid", self.refused(self.authority.server("named", "IP:127.0.0.1"), more=()))
        finally:
            del os.environ["SSL_CERT_FILE"]

    def test_a_name(self):
        process, port = self.start(f"https://localhost:{self.upstream.server_address[1]}/mcp"), self.port
        try:
            self.port = self.port_of(process)
            self.assertEqual(self.call("look")["id"], 7)
        finally:
            self.port = port
            self.end(process)


if __name__ == "__main__":
    unittest.main(verbosity=2)
