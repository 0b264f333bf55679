#!/usr/bin/env python3
"""Clients that break the rules of HTTP, JSON lines and WebSocket, or take their time: others are served meanwhile."""

import os
import json
import socket
import threading
import unittest

from pathlib import Path

from wire import Lines, Server, ServiceTest, WebSocket, main


class Hostile(ServiceTest):
    def connect(self):
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=60)

    def head(self, role="operator"):
        return f"Host: 127.0.0.1:{self.server.port}\r\nAuthorization: Bearer {self.server.token(role)}\r\n".encode()

    def ends(self, request):
        """Everything the server sends until it closes; it must close."""
        with self.connect() as s:
            try:
                s.sendall(request)
                s.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            said = b""
            try:
                while piece := s.recv(65536):
                    said += piece
            except ConnectionError:
                pass
            return said

    def others_are_served(self):
        self.assertEqual(self.server.check("ls")["behavior"], "allow")
        lines = Lines(self.server.socket)
        self.assertEqual(lines.ask(self.server.call("ls"))["behavior"], "allow")
        lines.close()

    def test_malformed_http(self):
        json_body = b"Content-Type: application/json\r\n"
        post = b"POST /v1/check HTTP/1.1\r\n" + self.head("worker") + json_body
        cases = {
            "empty lines": b"\r\n" * 1000,
            "no method": b"GARBAGE\r\n\r\n",
            "HTTP/1.0": b"GET /healthz HTTP/1.0\r\n" + self.head() + b"\r\n",
            "HTTP/9.9": b"GET /healthz HTTP/9.9\r\n" + self.head() + b"\r\n",
            "bare line feeds": b"GET /healthz HTTP/1.1\n" + self.head().replace(b"\r", b"") + b"\n",
            "one bare line feed": b"GET /healthz HTTP/1.1\r\nX: y\nZ: z\r\n" + self.head() + b"\r\n",
            "a folded line": b"GET /healthz HTTP/1.1\r\n" + self.head() + b"X: y\r\n z\r\n\r\n",
            "a blank before the colon": b"GET /healthz HTTP/1.1\r\n" + self.head() + b"X : y\r\n\r\n",
            "a header without name": b"GET /healthz HTTP/1.1\r\n" + self.head() + b": y\r\n\r\n",
            "a NUL in a header": b"GET /healthz HTTP/1.1\r\n" + self.head() + b"X: y\0z\r\n\r\n",
            "a carriage return in a header": b"GET /healthz HTTP/1.1\r\n" + self.head() + b"X: y\rz\r\n\r\n",
            "two tokens": b"GET /healthz HTTP/1.1\r\n" + self.head() + b"authorization: Bearer x\r\n\r\n",
            "an empty line first": b"\r\nGET /healthz HTTP/1.1\r\n" + self.head() + b"\r\n",
            "no path": b"GET\r\n\r\n",
            "a TLS greeting": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            "all bytes": bytes(range(256)) * 64,
            "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "an upgrade to HTTP/2": b"GET / HTTP/1.1\r\n" + self.head() + b"Connection: Upgrade, HTTP2-Settings\r\n"
                                    b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n",
            "two lengths": post + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x",
            "a negative length": post + b"Content-Length: -2\r\n\r\n{}",
            "a length that is none": post + b"Content-Length: 2x\r\n\r\n{}",
            "a huge length": post + b"Content-Length: 99999999999999999999999\r\n\r\n{}",
            "no length": post + b"\r\n{}",
            "chunks": post + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            "chunks and a length": post + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
            "a body where there is none": b"GET /v1/rules HTTP/1.1\r\n" + self.head() + b"Content-Length: 5\r\n\r\nhello",
            "half a body": post + b"Content-Length: 200\r\n\r\n{",
            "a name of 100 kB": b"GET /v1/rules HTTP/1.1\r\n" + self.head() + b"X" * 100000 + b": y\r\n\r\n",
            "a header of 100 kB": b"GET /v1/rules HTTP/1.1\r\n" + self.head() + b"X: " + b"y" * 100000 + b"\r\n\r\n",
            "a known header of 100 kB": b"GET /v1/rules HTTP/1.1\r\n" + self.head() + b"Cookie: " + b"y" * 100000 + b"\r\n\r\n",
            "a token of 100 kB": b"GET /v1/rules HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer " % self.server.port +
                                 b"y" * 100000 + b"\r\n\r\n",
            "10,000 headers": b"GET /v1/rules HTTP/1.1\r\n" + self.head() + b"".join(b"X%d: y\r\n" % i for i in range(10000)) + b"\r\n",
            "a path of 100 kB": b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n" + self.head() + b"\r\n",
        }
        for name, request in cases.items():
            with self.subTest(name):
                said = self.ends(request)
                if said:
                    self.assertRegex(said, rb"^HTTP/1\.1 [45]\d\d ")
                    self.assertIn(b"content-type: application/problem+json", said)
                self.assertNotIn(b'"behavior":"allow"', said)
                self.others_are_served()

    def test_the_limit_of_headers(self):
        line = b"GET /healthz HTTP/1.1\r\n" + self.head()
        for extra, wanted in ((0, b"200"), (1, b"431")):
            request = line + b"X: " + b"y" * (8192 - len(line) - len(b"X: \r\n\r\n") + extra) + b"\r\n\r\n"
            self.assertEqual(len(request), 8192 + extra)
            self.assertEqual(self.ends(request).split(b" ")[1], wanted)

    def test_expect(self):
        body = json.dumps(self.server.call("ls")).encode()
        with self.connect() as s:
            s.sendall(b"POST /v1/check HTTP/1.1\r\n" + self.head("worker") + b"Content-Type: application/json\r\n"
                      b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body))
            self.assertEqual(s.recv(65536), b"HTTP/1.1 100 Continue\r\n\r\n")
            s.sendall(body)
            self.assertIn(b" 200 OK", s.recv(65536))

    def test_a_second_request_is_not_smuggled_in(self):
        inner = b"GET /v1/rules HTTP/1.1\r\n" + self.head() + b"\r\n"
        for framing in (b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", b"Transfer-Encoding: chunked\r\n", b"",
                        b"Content-Length: 2\r\nContent-Length: %d\r\n" % (len(inner) + 2)):
            said = self.ends(b"POST /v1/check HTTP/1.1\r\n" + self.head("worker") + b"Content-Type: application/json\r\n" +
                             framing + b"\r\n{}" + inner)
            self.assertNotIn(b'"rules"', said, framing)

    def test_pipelined_requests(self):
        body = json.dumps(self.server.call("ls")).encode()
        one = b"POST /v1/check HTTP/1.1\r\n" + self.head("worker") + \
              b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        with self.connect() as s:
            s.sendall(one * 20)
            said = b""
            while said.count(b'"behavior":"allow"') < 20:
                piece = s.recv(65536)
                self.assertTrue(piece, said[-300:])
                said += piece
        self.assertEqual(said.count(b"HTTP/1.1 200 OK"), 20)

    def test_one_byte_a_time(self):
        """A request that arrives byte by byte is served, and delays no other."""
        body = json.dumps(self.server.call("ls")).encode()
        request = b"POST /v1/check HTTP/1.1\r\n" + self.head("worker") + \
                  b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        with self.connect() as s:
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for i in range(len(request)):
                s.sendall(request[i:i + 1])
                if i % 100 == 0:
                    self.others_are_served()
            self.assertIn(b" 200 OK", s.recv(65536))

    def test_many_unfinished_requests(self):
        slow = []
        for i in range(300):
            s = self.connect()
            s.sendall((b"POST /v1/check HTTP/1.1\r\n" + self.head("worker"))[:10 + i])
            slow.append(s)
        half = socket.socket(socket.AF_UNIX)
        half.connect(str(self.server.socket))
        half.sendall(b'{"tool": "Bash", ')
        self.others_are_served()
        for s in slow + [half]:
            s.close()
        self.others_are_served()

    def test_bad_frames(self):
        token = self.server.token("operator")
        frames = {
            "not masked": b"\x81\x05hello",
            "a text": b"\x81\x85aaaahello",
            "reserved bits": b"\xf1\x85aaaahello",
            "an unknown opcode": b"\x83\x80aaaa",
            "a long ping": b"\x89\xfe\x00\x80aaaa" + b"x" * 128,
            "a ping in pieces": b"\x09\x80aaaa",
            "no start": b"\x80\x85aaaahello",
            "a length of 2^63": b"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xffaaaa" + b"x" * 5000,
            "close with one byte": b"\x88\x81aaaax",
            "not UTF-8": b"\x81\x82aaaa\x9e\x9e",
        }
        for name, frame in frames.items():
            with self.subTest(name):
                opened = WebSocket(self.server.port, token)
                self.assertEqual(opened.status, 101)
                opened.message()
                opened.socket.sendall(frame)
                opened.socket.shutdown(socket.SHUT_WR)
                try:
                    self.assertIsNone(opened.message())
                except ConnectionError:
                    pass
                opened.close()
                self.others_are_served()

    def test_half_a_handshake(self):
        for lines in (b"Upgrade: websocket\r\n", b"Upgrade: websocket\r\nConnection: Upgrade\r\n",
                      b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 12\r\nSec-WebSocket-Key: AAAA\r\n",
                      b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + b"A" * 3000 + b"\r\n"):
            said = self.ends(b"GET /v1/events HTTP/1.1\r\n" + self.head() + lines + b"\r\n")
            self.assertNotIn(b"101 Switching", said)
        self.others_are_served()

    def test_lines(self):
        lines = Lines(self.server.socket)
        for bad in (b"nonsense\n", b"{\n", b"\x00\x01\xff\n", b"[]\n", b'{"tool": "Bash", "tool": "Read"}\n', b"[" * 5000 + b"\n"):
            lines.socket.sendall(bad)
            self.assertEqual(lines.receive()["behavior"], "deny", bad[:40])
        lines.socket.sendall(b"\n \n\n" + json.dumps(self.server.call("ls")).encode() + b"\r\n")
        self.assertEqual(lines.receive()["behavior"], "allow")
        lines.close()

    def test_the_limit_of_a_line(self):
        call = self.server.call("ls")
        room = 1000000 - len(json.dumps(call | {"context": {"task_description": ""}}))
        lines = Lines(self.server.socket)
        self.assertEqual(lines.ask(call | {"context": {"task_description": "a" * room}})["behavior"], "allow")
        lines.socket.settimeout(60)
        try:
            lines.socket.sendall(b"a" * 1200000)
        except ConnectionError:
            pass
        self.assertEqual(lines.receive()["behavior"], "deny")
        try:
            self.assertIsNone(lines.receive())
        except ConnectionError:
            pass
        lines.close()
        self.others_are_served()

    def test_answers_come_in_the_order_of_the_lines(self):
        lines = Lines(self.server.socket)
        commands = [f"ls {i}" if i % 3 else f"curl http://{i}.example" for i in range(300)]
        sender = threading.Thread(target=lambda: [lines.send(self.server.call(c)) for c in commands])
        sender.start()
        said = [lines.receive()["behavior"] for _ in commands]
        sender.join()
        self.assertEqual(said, ["allow" if i % 3 else "deny" for i in range(300)])
        lines.close()

    def test_a_last_line_without_a_line_feed(self):
        lines = Lines(self.server.socket)
        lines.socket.sendall(json.dumps(self.server.call("ls")).encode())
        lines.socket.shutdown(socket.SHUT_WR)
        self.assertEqual(lines.receive()["behavior"], "allow")
        self.assertIsNone(lines.receive())
        lines.close()

    def test_a_client_that_never_reads(self):
        deaf = socket.socket(socket.AF_UNIX)
        deaf.connect(str(self.server.socket))
        deaf.setblocking(False)
        line = json.dumps(self.server.call("ls")).encode() + b"\n"
        refused = 0
        while refused < 50:
            try:
                deaf.send(line)
            except BlockingIOError:
                refused += 1
                self.others_are_served()
        deaf.close()
        self.others_are_served()

    def test_a_client_that_leaves(self):
        for i in range(20):
            lines = Lines(self.server.socket)
            lines.send(self.server.call(f"make gone-{i}", wait=600))
            lines.close()
            with self.connect() as s:
                body = json.dumps(self.server.call(f"make off-{i}", wait=600)).encode()
                s.sendall(b"POST /v1/check HTTP/1.1\r\n" + self.head("worker") +
                          b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        self.others_are_served()
        # The reviews continue without them; the answers wait for the next try.
        review = self.server.next_review("make off-7")
        self.assertEqual(self.server.answer(review["id"], "approve").status, 200)
        self.assertEqual(self.server.check("make off-7")["behavior"], "allow")

    def test_a_slow_reader_is_dropped_and_catches_up(self):
        slow = WebSocket(self.server.port, self.server.token("viewer"), path="/v1/events?types=decision")
        cursor = slow.message()["cursor"]
        slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        calm = WebSocket(self.server.port, self.server.token("viewer"))
        calm.message()
        writers = [threading.Thread(target=self.write_many, args=(700,)) for _ in range(3)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        # A listener that does not want decisions is not behind because of them.
        review = self.server.check("make calm")["review_id"]
        self.assertEqual(calm.message()["review"]["id"], review)
        calm.close()
        try:
            while True:
                opcode, _, payload = slow.frame()
                if opcode == 8:
                    self.assertEqual(int.from_bytes(payload[:2], "big"), 1013)
                    break
        except ConnectionError:
            self.fail("it was not told why")
        again = WebSocket(self.server.port, self.server.token("viewer"), path=f"/v1/events?types=decision&cursor={cursor}")
        page = again.message()
        self.assertTrue(page["missed"] or page["events"])
        again.close()

    def write_many(self, count):
        lines = Lines(self.server.socket)
        line = json.dumps(self.server.call("ls")).encode() + b"\n"
        for _ in range(count // 50):
            lines.socket.sendall(line * 50)
            for _ in range(50):
                lines.file.readline()
        lines.close()


class FewDescriptors(unittest.TestCase):
    def test_idle_connections_leave_room_for_the_unix_socket(self):
        server = Server()
        server.descriptors = 256
        with server:
            idle = [socket.create_connection(("127.0.0.1", server.port), timeout=60) for _ in range(300)]
            try:
                for _ in range(24):  # each is a hook of its own
                    lines = Lines(server.socket)
                    self.assertEqual(lines.ask(server.call("bun test"))["behavior"], "allow")
                    idle.append(lines)
                # What was over the limit is closed, not kept waiting.
                self.assertEqual(idle[299].recv(1), b"")
            finally:
                for connection in idle:
                    connection.close()


def spent(server):
    """Processor seconds of the service: what others do to the machine does not count."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class LargeCalls(ServiceTest):
    """One worker's large call does not hold up the others."""

    def shapes(self, size):
        def many(form):
            count = size // len(form % 99999)
            return "".join(form % i for i in range(count))
        return {
            "operands": "cat" + many(" f%d"), "the same": "cat" + " a" * (size // 2), "unknown": "mystery" + many(" w%d"),
            "absolute": "mystery" + many(" /opt/%d"), "options": "ls" + many(" -a%d"), "copies": "cp" + many(" f%d") + " d",
            "commands": "true" + ";ls" * (size // 3), "redirections": "ls" + many(" >f%d"), "searches": "find" + many(" d%d") + " -delete",
            "substitutions": "echo" + " $(ls)" * (size // 6), "one word": "cat " + "a" * size, "climbs": "cat " + "../" * (size // 3),
            "code": "python3 -c '" + many("a%d=1;") + "'", "patterns": "cat" + many(" *%d"), "assignments": "true" + many(";v%d=x"),
        }

    def test_cost_is_bounded(self):
        slow = int(os.environ.get("WARDER_SLOW", "1"))  # sanitizers
        for size in (4000, 60000, 950000):
            for name, command in self.shapes(size).items():
                with self.subTest(name, size=size):
                    before = spent(self.server)
                    answer = self.server.ask("POST", "/v1/dry-run", self.server.call(command), role="worker")
                    self.assertEqual(answer.status, 200)
                    self.assertLess(spent(self.server) - before, 1.5 * slow)
        self.assertEqual(self.server.check("ls")["behavior"], "allow")


class Crowd(ServiceTest):
    def test_a_thousand_websockets(self):
        token = self.server.token("viewer")
        crowd = [WebSocket(self.server.port, token) for _ in range(1000)]
        for one in crowd:
            self.assertEqual(one.message()["events"], [])
        review = self.server.check("make noise")["review_id"]
        for one in crowd:
            self.assertEqual(one.message()["review"]["id"], review)
        for one in crowd:
            one.close()
        self.assertEqual(self.server.check("ls")["behavior"], "allow")


if __name__ == "__main__":
    main()
