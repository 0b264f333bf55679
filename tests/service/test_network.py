#!/usr/bin/env python3
"""Access: every route with every role, pages of other sites, rebound names, malformed paths."""

import email.utils
import json
import socket
import threading
import time
import unittest

from wire import BUILD, Lines, Server, ServiceTest, WebSocket, main, shutil, subprocess, wait_until

ROUTES = json.loads(subprocess.run([str(BUILD / "warder-serve"), "--routes"], capture_output=True, check=True).stdout) \
    if (BUILD / "warder-serve").exists() else []
ROLES = ("worker", "viewer", "operator")


def raw(port, request, patience=20):
    """The answer to these bytes, until the server closes or has answered once."""
    with socket.create_connection(("127.0.0.1", port), timeout=patience) as s:
        try:
            s.sendall(request)
        except ConnectionError:
            return b""
        said = b""
        try:
            while not complete(said):
                piece = s.recv(65536)
                if not piece:
                    break
                said += piece
        except ConnectionError:
            pass
        return said


def complete(said):
    head, mark, body = said.partition(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return bool(mark) and len(body) >= int(line.split(b":")[1])
    return False


def status(said):
    """0: the connection was closed without an answer."""
    return int(said.split(b" ", 2)[1]) if said else 0


class Routes(ServiceTest):
    """The table, as `warder-serve --routes` prints it."""

    def ask(self, route, role, **more):
        body = "{}" if route["body_max"] else None
        return self.server.ask(route["method"], route["path"].replace("{id}", "nothing-like-this"), body, role=role, **more)

    def test_each_role_gets_what_it_may(self):
        self.assertGreaterEqual(len(ROUTES), 16)
        for route in ROUTES:
            for role in ROLES:
                with self.subTest(route=route["method"] + " " + route["path"], role=role):
                    got = self.ask(route, role).status
                    if "anybody" in route["roles"] or role in route["roles"]:
                        self.assertNotIn(got, (401, 403))
                    else:
                        # Not 404: this role may not know whether it exists.
                        self.assertEqual(got, 403)

    def test_without_a_token_and_with_an_unknown_one(self):
        for route in ROUTES:
            with self.subTest(route=route["method"] + " " + route["path"]):
                nobody = self.ask(route, None)
                stranger = self.ask(route, None, token="wdr_0000000000000000_" + "A" * 43)
                self.assertEqual(stranger.status, 401)
                if "anybody" in route["roles"]:
                    # A login without a proof is not right, nor an answer without its link; a build may be without the console.
                    expected = {"/v1/login": (400,), "/v1/links/look": (400,), "/v1/links/answer": (400,), "/console/": (200, 404), "/console/{id}": (404,)}.get(route["path"], (200,))
                    self.assertIn(nobody.status, expected)
                    continue
                for answer in (nobody, stranger):
                    self.assertEqual(answer.status, 401)
                    self.assertEqual(answer.headers["WWW-Authenticate"], "Bearer")
                    self.assertEqual(answer.headers["Content-Type"], "application/problem+json")
                    self.assertEqual(answer.json["status"], 401)

    def test_tokens_of_every_length(self):
        for length in (1, 63, 64, 126, 127, 128, 129, 1000, 5000):
            for token in ("A" * length, self.server.token("operator") + "A" * length):
                self.assertEqual(self.server.ask("GET", "/v1/rules", role=None, token=token).status, 401, length)
        self.assertEqual(self.server.ask("GET", "/v1/rules").status, 200)

    def test_unknown_paths(self):
        self.assertEqual(self.server.ask("GET", "/v1/nothing", role=None).status, 401)
        answer = self.server.ask("GET", "/v1/nothing")
        self.assertEqual(answer.status, 404)
        self.assertEqual(set(answer.json), {"type", "title", "status", "detail"})

    def test_an_unsupported_method(self):
        answer = self.server.ask("PUT", "/v1/rules", "{}")
        self.assertEqual((answer.status, answer.headers["Allow"]), (405, "GET, HEAD, POST"))
        self.assertEqual(self.server.ask("PUT", "/v1/rules", "{}", role="worker").status, 403)
        for method in ("OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "X"):
            got = raw(self.server.port, f"{method} /v1/rules HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                      f"Authorization: Bearer {self.server.token('operator')}\r\n\r\n".encode())
            self.assertEqual(status(got), 405, method)
            self.assertNotIn(b"access-control", got.lower())

    def test_head_is_get_without_a_body(self):
        for path, role in (("/healthz", None), ("/v1/rules", "viewer"), ("/v1/nothing", "viewer"), ("/v1/rules", None)):
            whole, head = (self.server.ask(method, path, role=role) for method in ("GET", "HEAD"))
            self.assertEqual((head.status, head.body), (whole.status, b""), path)
            self.assertEqual(head.headers["Content-Length"], str(len(whole.body)), path)
        self.assertEqual(self.server.ask("HEAD", "/v1/check").status, 405)
        # Nothing follows the head: the next answer on the connection begins where it ends.
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as s, s.makefile("rb") as answers:
            host = f"Host: 127.0.0.1:{self.server.port}\r\n"
            s.sendall(f"HEAD /healthz HTTP/1.1\r\n{host}\r\nGET /healthz HTTP/1.1\r\n{host}Connection: close\r\n\r\n".encode())
            self.assertEqual(answers.read().split(b"\r\n\r\n")[1][:15], b"HTTP/1.1 200 OK")

    def test_answers_say_when_they_were_made(self):
        before = int(time.time())
        for path in ("/healthz", "/v1/nothing"):
            made = email.utils.parsedate_to_datetime(self.server.ask("GET", path).headers["Date"]).timestamp()
            self.assertTrue(before - 1 <= made <= time.time() + 1, path)

    def test_an_unknown_parameter(self):
        for query in ("projct=x", "limit=1&limit=2", "limit=x", "limit=-1", "limit=99999999999999999999", "limit=0",
                      "=", "&".join(f"p{i}=1" for i in range(40)), "text=" + "a" * 2000):
            self.assertEqual(self.server.ask("GET", "/v1/decisions?" + query).status, 400, query)
        for query in ("cursor=x", "wait=x", "types=x", "types=", "limit=x"):
            self.assertEqual(self.server.ask("GET", "/v1/events?" + query).status, 400, query)

    def test_queries_that_wait_keep_what_was_asked(self):
        """They wait together for the thread of the queries, when the requests that asked them are long read and gone."""
        for number in range(4):
            self.server.check(f"ls kept-{number}")
        token, records = self.server.token("viewer"), sorted(decision["record"] for decision in self.server.decisions("limit=1000"))
        asked = [(f"after={number}", [following]) for number, following in zip(records[:5], records[1:6])] * 6
        asked += [(f"worker=w-{number}", records[-1:] if number == 1 else []) for number in range(20)]
        connections = [socket.create_connection(("127.0.0.1", self.server.port), timeout=20) for _ in asked]
        for (query, _), connection in zip(asked, connections):
            connection.sendall(f"GET /v1/decisions?{query}&limit=1 HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                               f"Authorization: Bearer {token}\r\nConnection: close\r\n\r\n".encode())
        for (query, expected), connection in zip(asked, connections):
            with connection, connection.makefile("rb") as answer:
                head, _, body = answer.read().partition(b"\r\n\r\n")
            self.assertEqual(int(head.split()[1]), 200, body)
            self.assertEqual([decision["record"] for decision in json.loads(body)["decisions"]], expected, query)

    def test_a_body_must_be_json_and_say_so(self):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx", ""):
            answer = self.server.ask("POST", "/v1/check", "{}", role="worker", headers={"Content-Type": kind})
            self.assertEqual((answer.status, answer.json["behavior"]), (415, "deny"), kind)
        for kind in ("application/json; charset=utf-8", "Application/JSON"):
            self.assertEqual(self.server.ask("POST", "/v1/check", "{}", role="worker", headers={"Content-Type": kind}).status, 200)

    def test_a_malformed_call_is_denied(self):
        for body in ("", "{", "[]", "nonsense", '{"tool": "Bash", "tool": "Read"}', '{"tool": "\ud800"}', "\x00",
                     "[" * 5000, '{"tool": 1}', "{}" * 2):
            answer = self.server.ask("POST", "/v1/check", body.encode("utf-8", "surrogatepass"), role="worker")
            self.assertIn(answer.status, (200, 400), body[:40])
            self.assertEqual(answer.json["behavior"], "deny", body[:40])

    def test_malformed_json_elsewhere(self):
        for path in ("/v1/rules", "/v1/rules/audit", "/v1/updates", "/v1/reviews/nothing", "/v1/dry-run"):
            for body in ("", "{", '"x"', "\x00", '{"answer": 1}', "[" * 5000, '{"a": 1, "a": 2}'):
                answer = self.server.ask("POST", path, body)
                if path == "/v1/dry-run" and answer.status == 200:
                    self.assertEqual(answer.json["behavior"], "deny")
                else:
                    self.assertIn(answer.status, (400, 404), (path, body[:20], answer.body))
                    self.assertEqual(answer.headers["Content-Type"], "application/problem+json")

    def test_the_limit_of_a_body(self):
        call = self.server.call("ls")
        room = 1000000 - len(json.dumps(call | {"context": {"task_description": ""}}))
        for extra, wanted in ((0, 200), (1, 413)):
            body = json.dumps(call | {"context": {"task_description": "a" * (room + extra)}})
            self.assertEqual(len(body), 1000000 + extra)
            self.assertEqual(self.server.ask("POST", "/v1/check", body, role="worker").status, wanted)
        for size, wanted in ((65536, 400), (65537, 413)):
            self.assertEqual(self.server.ask("POST", "/v1/rules", "x" * size).status, wanted)

    def test_health_says_little_to_strangers(self):
        self.assertEqual(self.server.ask("GET", "/healthz", role=None).json, {"status": "ok"})
        self.assertEqual(self.server.ask("GET", "/healthz", role="worker").json, {"status": "ok"})
        self.assertIn("generation", self.server.get("/healthz", role="viewer"))

    def test_metrics(self):
        self.server.check("ls")
        answer = self.server.ask("GET", "/metrics", role="viewer")
        self.assertEqual(answer.status, 200)
        self.assertTrue(answer.headers["Content-Type"].startswith("text/plain; version=0.0.4"))
        self.assertRegex(answer.body.decode(), r'warder_decisions_total\{[^}]*auto-accept[^}]*\} [1-9]')

    def test_answers_are_not_cached_or_sniffed(self):
        for path in ("/", "/healthz", "/v1/rules", "/v1/nothing"):
            headers = self.server.ask("GET", path).headers
            self.assertEqual((headers["Cache-Control"], headers["X-Content-Type-Options"]), ("no-store", "nosniff"))
            self.assertIsNone(headers["Set-Cookie"])
            self.assertIsNone(headers["Access-Control-Allow-Origin"])

    def test_a_token_that_is_revoked(self):
        made = self.server.command("token", "create", "--role", "viewer", "--data", str(self.server.data)).stdout.strip()
        self.assertEqual(self.server.ask("GET", "/v1/rules", token=made).status, 200)
        self.server.command("token", "revoke", made.split("_")[1], "--data", str(self.server.data))
        self.assertEqual(self.server.ask("GET", "/v1/rules", token=made).status, 401)

    def test_a_revocation_ends_what_is_open(self):
        def make(role):
            return self.server.command("token", "create", "--role", role, "--data", str(self.server.data)).stdout.strip()

        def revoke(token):
            self.assertEqual(self.server.command("token", "revoke", token.split("_")[1], "--data", str(self.server.data)).returncode, 0)

        viewer, worker, stays = make("viewer"), make("worker"), WebSocket(self.server.port, self.server.token("viewer"))
        hears, said = WebSocket(self.server.port, viewer), []
        self.assertEqual((hears.message()["events"], stays.message()["events"]), ([], []))
        waits = threading.Thread(target=lambda: said.append(self.server.ask("POST", "/v1/check", self.server.call("mystery-revoked", wait=60), token=worker)))
        waits.start()
        review = self.server.next_review("mystery-revoked")
        self.assertEqual(stays.event(lambda e: e["type"] == "review")["review"]["id"], review["id"])
        self.assertEqual(hears.event(lambda e: e["type"] == "review")["review"]["id"], review["id"])
        cursor = self.server.get("/v1/events")["cursor"]
        polls = threading.Thread(target=lambda: said.append(self.server.ask("GET", f"/v1/events?wait=60&cursor={cursor}", token=viewer)))
        polls.start()
        revoke(viewer)
        revoke(worker)
        self.assertEqual(self.server.answer(review["id"], "approve").status, 200)
        self.assertEqual(stays.event(lambda e: e["type"] == "review")["review"]["status"], "approved")
        self.assertIsNone(hears.message(), "it heard of what happened after the revocation")
        waits.join()
        polls.join()
        self.assertEqual([a.status for a in said], [401, 401])
        self.assertEqual([a.json.get("behavior") for a in said if "behavior" in a.json], ["deny"])
        hears.close(), stays.close()

    def test_trust_is_noticed(self):
        with Server(profile="warder") as server:
            (server.project / ".warder").mkdir()
            (server.project / ".warder" / "warder.yaml").write_text('allow: ["Bash(mystery:*)"]\n')
            call = server.call("mystery x") | {"project": str(server.project)}

            def judged():
                token = server.token("worker", "--project", str(server.project))
                return server.ask("POST", "/v1/dry-run", call, token=token).json["behavior"]

            self.assertEqual(judged(), "ask")
            for command, verdict in (("trust", "allow"), ("untrust", "ask"), ("trust", "allow")):
                done = server.command(command, "--yes", str(server.project)) if command == "trust" else server.command(command, str(server.project))
                self.assertEqual(done.returncode, 0, done.stderr)
                wait_until(f"the service to notice {command}", lambda: judged() == verdict)

    def test_options_of_the_program_itself(self):
        """`warder serve` writes --listen=X; a person who starts the program may write --listen X."""
        with Server() as server:
            pass
        words = [str(BUILD / "warder-serve"), "--listen", "127.0.0.1:0", "--data", str(server.root / "d"), "--socket", str(server.root / "s")]
        server.root.mkdir(mode=0o700)
        with subprocess.Popen(words, env=server.env, stdout=subprocess.PIPE, text=True) as run:
            self.assertIn("127.0.0.1:", run.stdout.readline())
            run.terminate()
        shutil.rmtree(server.root)
        refused = subprocess.run([str(BUILD / "warder-serve"), "--listen"], capture_output=True, text=True, check=False)
        self.assertEqual((refused.returncode, "--listen: needs a value" in refused.stderr), (64, True))

    def test_the_api_description_is_the_table(self):
        described = openapi()
        self.assertEqual({(r["method"], r["path"]) for r in ROUTES}, set(described))
        for route in ROUTES:
            there = described[(route["method"], route["path"])]
            self.assertEqual(there["roles"], set(route["roles"]), route["path"])
            self.assertEqual(there["query"], set(route["query"]), route["path"])
            self.assertEqual(there["body"], route["body_max"] > 0, route["path"])
            self.assertEqual(there["summary"], route["summary"], route["path"])


def openapi():
    """The routes in docs/openapi.yaml, read by their indentation, without a YAML library."""
    found, path, method, inside = {}, None, None, None
    for line in open("docs/openapi.yaml", encoding="utf-8"):
        text, depth = line.strip(), len(line) - len(line.lstrip())
        if not text or text.startswith("#"):
            continue
        if depth == 0:
            inside = text
        elif inside != "paths:":
            continue
        elif depth == 2:
            path = text.rstrip(":")
        elif depth == 4 and text.rstrip(":") in ("get", "post", "put", "delete"):
            method = (text.rstrip(":").upper(), path)
            found[method] = {"roles": set(), "query": set(), "body": False, "summary": None}
        elif depth == 6 and text.startswith("summary:"):
            found[method]["summary"] = text.split(":", 1)[1].strip()
        elif depth == 6 and text.startswith("x-roles:"):
            found[method]["roles"] = set(text.split("[")[1].rstrip("]").replace(" ", "").split(","))
        elif depth == 6 and text.startswith("requestBody:"):
            found[method]["body"] = True
        elif text.startswith("- { name:") and "in: query" in text:
            found[method]["query"].add(text.split("name:")[1].split(",")[0].strip())
    return found


class Gate(ServiceTest):
    """What a page of another site can make a browser send."""

    def get(self, *headers, path="/v1/rules", role="operator"):
        sent = [f"GET {path} HTTP/1.1", *headers, "Connection: close"]
        if role:
            sent.append(f"Authorization: Bearer {self.server.token(role)}")
        return status(raw(self.server.port, ("\r\n".join(sent) + "\r\n\r\n").encode()))

    def test_host(self):
        port = self.server.port
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", f"[::1]:{port}"):
            self.assertEqual(self.get(f"Host: {host}"), 200, host)
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "localhost", f"127.0.0.1:{port + 1}",
                     f"127.0.0.1.evil.example:{port}", f"localhost.:{port}", f"x@127.0.0.1:{port}", f"0.0.0.0:{port}",
                     f"127.0.0.1:{port} ,evil", "x" * 300, ""):
            for path in ("/v1/rules", "/healthz", "/"):
                self.assertEqual(self.get(f"Host: {host}", path=path), 421, host)
        self.assertEqual(self.get(), 421)
        self.assertEqual(self.get(f"Host: 127.0.0.1:{port}", "Host: evil.example"), 400)

    def test_origin(self):
        host = f"Host: 127.0.0.1:{self.server.port}"
        for origin in (f"http://127.0.0.1:{self.server.port}", f"http://localhost:{self.server.port}"):
            self.assertEqual(self.get(host, f"Origin: {origin}"), 200, origin)
        for origin in ("null", "http://evil.example", "http://127.0.0.1", f"https://127.0.0.1:{self.server.port}",
                       f"http://127.0.0.1:{self.server.port}.evil.example", f"http://127.0.0.1:{self.server.port + 1}",
                       f"http://evil.example:{self.server.port}", "file://", "http://" + "a" * 400):
            self.assertEqual(self.get(host, f"Origin: {origin}"), 403, origin)
            self.assertEqual(self.get(host, f"Origin: {origin}", path="/healthz", role=None), 403, origin)

    def test_a_page_that_sends_no_origin(self):
        host = f"Host: 127.0.0.1:{self.server.port}"
        for site in ("cross-site", "same-site", "x"):
            self.assertEqual(self.get(host, f"Sec-Fetch-Site: {site}"), 403, site)
        for site in ("same-origin", "none"):
            self.assertEqual(self.get(host, f"Sec-Fetch-Site: {site}"), 200, site)

    def test_a_form_of_another_page(self):
        answer = self.server.ask("POST", "/v1/rules", "pattern=x", headers={
            "Origin": "http://evil.example", "Content-Type": "application/x-www-form-urlencoded"})
        self.assertEqual(answer.status, 403)

    def test_websocket(self):
        port, operator = self.server.port, self.server.token("operator")
        for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
            self.assertEqual(WebSocket(port, operator, headers=headers).status, 403)
        self.assertEqual(WebSocket(port, None).status, 401)
        self.assertEqual(WebSocket(port, "wdr_x").status, 401)
        self.assertEqual(WebSocket(port, self.server.token("worker")).status, 403)
        self.assertEqual(WebSocket(port, operator, path="/v1/nothing").status, 404)
        self.assertEqual(WebSocket(port, operator, path="/v1/rules").status, 400)
        self.assertEqual(WebSocket(port, operator, path="/v1/events?types=x").status, 400)
        for token, headers in ((operator, {}), (self.server.token("viewer"), {}),
                               (operator, {"Origin": f"http://127.0.0.1:{port}"}),
                               (None, {"Sec-WebSocket-Protocol": f"warder, bearer.{operator}"}),
                               (None, {"Sec-WebSocket-Protocol": f"bearer.{operator}"})):
            opened = WebSocket(port, token, headers=headers)
            self.assertEqual(opened.status, 101)
            self.assertEqual(opened.message()["events"], [])
            opened.close()

    def test_a_cookie_is_not_a_token(self):
        self.assertEqual(self.get(f"Host: 127.0.0.1:{self.server.port}", f"Cookie: token={self.server.token('operator')}",
                                  role=None), 401)

    def test_malformed_paths(self):
        """Nothing is decoded or resolved: a path that is not exactly in the table does not exist."""
        tricks = ("/v1/check/../rules", "/v1/check/%2e%2e/rules", "//v1//rules", "/v1%2frules", "/v1/%72ules",
                  "/v1/./rules", "/v1/rules/", "/v1/rules/.", "/v1/rules/..", "/v1/rules;x", "/v1/rules%20", "/v1/rules%09",
                  "/v1/rules%00", "/v1/rules%00.json", "/v1/rules\\", "/V1/RULES", "/v1/rules#x", "v1/rules", "*", "",
                  "http://127.0.0.1/v1/rules", f"http://127.0.0.1:{self.server.port}/v1/rules", "/v1/rules%", "/v1/rules%zz",
                  "/v1/rules\x01", "/v1/rules\xff", "/v1/rules\x00", "/v1/reviews/../rules", "/v1/rules/x/../../updates",
                  "/..", "/../../../etc/passwd", "/v1/rules/a/b", "/v1/rules/a%2fb", "/v1/rules/.a", "/v1/rules/a b",
                  "/v1/rules/a+b", "/v1/rules/" + "a" * 129, "/" * 3000, "/v1/rules ", " /v1/rules", "/v1\t/rules")
        host = f"Host: 127.0.0.1:{self.server.port}"
        for role in ("worker", "operator"):
            for path in tricks:
                sent = f"GET {path} HTTP/1.1\r\n{host}\r\nAuthorization: Bearer {self.server.token(role)}\r\n\r\n"
                self.assertIn(status(raw(self.server.port, sent.encode("latin-1"))), (400, 404), (role, path))

    def test_values_may_be_encoded(self):
        self.server.check("ls 'a b'")
        found = self.server.decisions("text=" + "%27a+b%27")
        self.assertEqual([d["command"] for d in found], ["ls 'a b'"])
        for query in ("text=%", "text=%2", "text=%zz", "text=%00", "text=%0a", "te%00xt=a"):
            self.assertEqual(self.server.ask("GET", "/v1/decisions?" + query).status, 400, query)


class Replay(ServiceTest):
    def test_an_approval_counts_once(self):
        review = self.server.check("make one")["review_id"]
        first = self.server.answer(review, "approve")
        self.assertEqual(first.status, 200, first.body)
        for answer in ("approve", "deny", "promote"):
            self.assertEqual(self.server.answer(review, answer).status, 409)
        self.assertEqual(self.server.check("make one")["behavior"], "allow")
        self.assertEqual(self.server.check("make one")["behavior"], "ask")

    def test_who_may_see_a_review(self):
        review = self.server.check("make two")["review_id"]
        other = self.server.command("token", "create", "--role", "worker", "--name", "other", "--data",
                                    str(self.server.data)).stdout.strip()
        self.assertEqual(self.server.ask("GET", f"/v1/reviews/{review}", role="worker").status, 200)
        self.assertIn(self.server.ask("GET", f"/v1/reviews/{review}", token=other).status, (403, 404))
        self.assertEqual(self.server.ask("POST", f"/v1/reviews/{review}", '{"answer": "approve"}', role="worker").status, 403)
        self.assertEqual(self.server.ask("POST", f"/v1/reviews/{review}", '{"answer": "approve"}', role="viewer").status, 403)

    def test_the_socket_gives_no_more_than_a_worker(self):
        lines = Lines(self.server.socket)
        review = self.server.check("make three")["review_id"]
        for said in ({"answer": "approve", "id": review}, {"role": "operator", **self.server.call("make three")}):
            self.assertNotEqual(lines.ask(said)["behavior"], "allow")
        lines.close()


if __name__ == "__main__":
    main()
