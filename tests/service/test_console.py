#!/usr/bin/env python3
"""The console's side of the service: its files, signing in, and what another site could make a browser send."""

import base64
import json
import os
import pty
import socket
import sqlite3
import subprocess
import unittest

from wire import WARDER, Server, ServiceTest, WebSocket, skip_without_service

PAGE = {"Sec-Fetch-Site": "same-origin"}  # what a browser says of a request of our own page


def at_terminal(server, *words, env=None):
    """A command of a person: its standard input is a terminal."""
    master, slave = pty.openpty()
    try:
        return subprocess.run([str(WARDER), *words, "--data", str(server.data)], stdin=slave, env=server.env | (env or {}), capture_output=True,
                              text=True, cwd=server.project)
    finally:
        os.close(master)
        os.close(slave)


class Browser:
    """What a browser sends of its own accord: its cookies."""

    def __init__(self, server, proof, **more):
        self.server = server
        self.answer = server.ask("POST", "/v1/login", proof, role=None, **more)
        self.set = self.answer.headers["Set-Cookie"] or ""
        self.cookie = self.set.split(";")[0]

    def ask(self, method, path, body=None, headers=PAGE, **more):
        return self.server.ask(method, path, body, role=None, headers={"Cookie": self.cookie} | headers, **more)

    def listen(self, origin=True):
        own = {"Origin": f"http://127.0.0.1:{self.server.port}"} if origin else {}
        return WebSocket(self.server.port, None, headers={"Cookie": self.cookie} | own)


class SigningIn(ServiceTest):
    def person(self, *words, **more):
        return at_terminal(self.server, "console", *words, **more)

    def code(self, *words):
        said = self.person("--json", *words)
        self.assertEqual(said.returncode, 0, said.stderr)
        return json.loads(said.stdout)["code"]

    def outlive(self, kind):
        """Time passes: all of this kind are too old."""
        database = sqlite3.connect(self.server.data / "state.sqlite", timeout=30)
        database.execute("UPDATE tokens SET expires_at = '2020-01-01T00:00:00.000Z' WHERE kind = ?", (kind,))
        database.commit()
        database.close()

    def test_a_code_is_good_once(self):
        said = self.person()
        self.assertRegex(said.stdout, rf"^http://127\.0\.0\.1:{self.server.port}/console/#login=wdc_[A-Za-z0-9_-]+\n$")
        code = said.stdout.strip().split("=", 1)[1]
        browser = Browser(self.server, {"code": code})
        self.assertEqual(browser.answer.status, 200, browser.answer.body)
        self.assertEqual(browser.ask("GET", "/v1/me").json["role"], "operator")
        self.assertNotIn(browser.cookie.split("=", 1)[1].encode(), browser.answer.body)
        self.assertEqual(Browser(self.server, {"code": code}).answer.status, 403)

    def test_a_code_is_no_token_and_a_session_is_no_header(self):
        code = self.code()
        self.assertEqual(self.server.ask("GET", "/v1/me", token=code).status, 401)
        self.assertEqual(Browser(self.server, {"token": code}).answer.status, 403)
        browser = Browser(self.server, {"code": code})
        secret = browser.cookie.split("=", 1)[1]
        self.assertEqual(self.server.ask("GET", "/v1/me", token=secret).status, 401)
        self.assertEqual(Browser(self.server, {"token": secret}).answer.status, 403)

    def test_a_code_that_is_late_is_worth_nothing(self):
        code = self.code()
        self.outlive("code")
        self.assertEqual(Browser(self.server, {"code": code}).answer.status, 403)

    def test_a_session_that_is_over_is_worth_nothing(self):
        browser = Browser(self.server, {"code": self.code()})
        self.assertEqual(browser.ask("GET", "/v1/me").status, 200)
        self.outlive("browser")
        self.assertEqual(browser.ask("GET", "/v1/me").status, 401)

    def test_only_a_person_gets_a_code(self):
        piped = self.server.command("console", "--data", str(self.server.data))
        self.assertNotEqual(piped.returncode, 0)
        self.assertIn("terminal", piped.stderr)
        inside = self.person(env={"CLAUDECODE": "1"})
        self.assertNotEqual(inside.returncode, 0)
        self.assertIn("inside", inside.stderr)
        self.assertEqual((piped.stdout, inside.stdout), ("", ""))

    def lasts(self, kind):
        """For how many seconds the newest of this kind is good."""
        database = sqlite3.connect(self.server.data / "state.sqlite", timeout=30)
        [(seconds,)] = database.execute("SELECT ROUND((julianday(expires_at) - julianday(created_at)) * 86400) FROM tokens WHERE kind = ?"
                                        " ORDER BY created_at DESC LIMIT 1", (kind,)).fetchall()
        database.close()
        return seconds

    def test_how_long_and_how_hard_to_guess(self):
        code = self.code()
        self.assertEqual(self.lasts("code"), 60)
        browser = Browser(self.server, {"code": code})
        self.assertEqual(self.lasts("browser"), 12 * 3600)
        self.assertNotIn("Max-Age", browser.set)  # and it ends with the browser, too
        for secret in (code, browser.cookie.split("=", 1)[1]):
            self.assertGreaterEqual(len(base64.urlsafe_b64decode(secret.split("_", 2)[2] + "=")) * 8, 256, secret)
        self.assertNotEqual(self.code(), self.code())
        Browser(self.server, {"code": self.code("--ttl", "30m")})
        self.assertEqual(self.lasts("browser"), 30 * 60)

    def test_times_that_are_none(self):
        for bad in ("0m", "12", "-1h", "1w", "h"):
            said = self.person("--ttl", bad)
            self.assertNotEqual(said.returncode, 0, bad)
            self.assertIn("--ttl", said.stderr)

    def test_the_role_and_the_name(self):
        browser = Browser(self.server, {"code": self.code("--role", "viewer", "--name", "op7")})
        me = browser.ask("GET", "/v1/me").json
        self.assertEqual((me["name"], me["role"]), ("op7", "viewer"))
        self.assertEqual(browser.ask("POST", "/v1/rules", {"pattern": "x", "type": "accept", "scope": "global"}).status, 403)
        self.assertEqual(Browser(self.server, {"token": self.server.token("worker")}).answer.status, 403)
        for bad in ({}, {"code": "x", "token": "y"}, {"code": 1}, [], {"code": ""}):
            self.assertIn(Browser(self.server, bad).answer.status, (400, 403), bad)

    def test_the_cookie(self):
        browser = Browser(self.server, {"token": self.server.token("operator")})
        self.assertEqual(browser.set.split(";")[0].split("=")[0], f"warder_{self.server.port}")
        for word in ("HttpOnly", "SameSite=Strict", "Path=/"):
            self.assertIn(word, browser.set)
        data = b"".join(file.read_bytes() for file in self.server.data.rglob("*") if file.is_file())
        secret = browser.cookie.partition("wds_")[2].encode()
        self.assertGreater(len(secret), 30)
        self.assertFalse(secret in data, "the secret of a session is on the disk")

    def test_a_get_does_nothing(self):
        code = self.code()
        self.assertEqual(self.server.ask("GET", "/v1/login", role=None).status, 405)
        self.assertEqual(self.server.ask("GET", f"/console/?login={code}", role=None).status, 400)
        review = self.server.check("mystery get")["review_id"]
        browser = Browser(self.server, {"code": code})
        self.assertEqual(browser.ask("GET", f"/v1/reviews/{review}?answer=approve").status, 400)
        self.assertEqual(browser.ask("GET", f"/v1/reviews/{review}").json["status"], "pending")

    def test_a_notice_leads_to_the_review(self):
        review = self.server.check("mystery notice")["review_id"]
        events = self.server.get("/v1/events?cursor=0&types=review")["events"]
        told = [event["review"] for event in events if event["review"]["id"] == review][0]
        self.assertEqual(told["url"], f"http://127.0.0.1:{self.server.port}/console/#/reviews/{review}")
        self.assertEqual((told["stakes"], told["headline"]), ("outside", "mystery is a program that Warder does not know"))

    def test_a_person_answers(self):
        browser = Browser(self.server, {"code": self.code("--name", "op7")})
        review = self.server.check("mystery answer")["review_id"]
        self.assertEqual(browser.ask("POST", f"/v1/reviews/{review}", {"answer": "deny"}).status, 200)
        self.assertIn("op7", browser.ask("GET", f"/v1/reviews/{review}").json["responded_by"])


class OtherSites(ServiceTest):
    def setUp(self):
        self.browser = Browser(self.server, {"token": self.server.token("operator")})
        self.review = self.server.check(f"mystery {self.id()}")["review_id"]

    def answer(self, **headers):
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        status = self.browser.ask("POST", f"/v1/reviews/{self.review}", {"answer": "approve"}, headers=sent).status
        self.assertEqual(self.server.get(f"/v1/reviews/{self.review}")["status"], "approved" if status == 200 else "pending")
        return status

    def test_what_they_can_make_a_browser_send_counts_for_nothing(self):
        port = self.server.port
        for headers, status in (({}, 401), ({"Sec_Fetch_Site": "none"}, 401), ({"Sec_Fetch_Site": "same-site"}, 403), ({"Sec_Fetch_Site": "cross-site"}, 403),
                                ({"Origin": "https://evil.example"}, 403), ({"Origin": f"http://127.0.0.1:{port + 1}"}, 403),
                                ({"Origin": f"http://localhost.evil.example:{port}"}, 403), ({"Origin": "null"}, 403),
                                ({"Origin": f"https://127.0.0.1:{port}"}, 403),
                                ({"Sec_Fetch_Site": "same-origin", "Content_Type": "text/plain"}, 401),
                                ({"Sec_Fetch_Site": "same-origin", "Content_Type": "application/x-www-form-urlencoded"}, 401),
                                ({"Sec_Fetch_Site": "same-origin", "Host": "rebound.example"}, 421)):
            self.assertEqual(self.answer(**headers), status, headers)
        self.assertEqual(self.answer(Origin=f"http://127.0.0.1:{port}"), 200)

    def test_a_cookie_and_a_token_are_refused(self):
        answer = self.server.ask("GET", "/v1/me", headers={"Cookie": self.browser.cookie} | PAGE)
        self.assertEqual(answer.status, 400)

    def test_two_cookies_of_our_name_are_none(self):
        self.browser.cookie += "; " + self.browser.cookie.split("=")[0] + "=wds_other"
        self.assertEqual(self.browser.ask("GET", "/v1/me").status, 401)

    def test_a_socket_needs_its_origin(self):
        evil = WebSocket(self.server.port, None, headers={"Cookie": self.browser.cookie, "Origin": "http://evil.example"})
        sockets = [self.browser.listen(origin=False), evil, self.browser.listen()]
        self.assertEqual([one.status for one in sockets], [401, 403, 101])
        for one in sockets:
            one.socket.close()

    def test_a_link_leads_to_the_page_and_to_nothing_else(self):
        link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
        self.assertIn(self.server.ask("GET", "/console/", role=None, headers=link).status, (200, 404))
        for path in ("/v1/me", "/", "/healthz", "/v1/decisions"):
            self.assertEqual(self.browser.ask("GET", path, headers=link).status, 403, path)
        self.assertEqual(self.server.ask("GET", "/console/", role=None, headers=link | {"Sec-Fetch-Mode": "no-cors"}).status, 403)
        self.assertEqual(self.browser.ask("POST", "/v1/logout", {}, headers=link).status, 403)


class Ending(ServiceTest):
    def opened(self, role="operator"):
        token = self.server.token(role, "--name", self.id())
        browser = Browser(self.server, {"token": token})
        listener = browser.listen()
        listener.message()
        return token, browser, listener

    def ends(self, listener):
        with self.assertRaises(ConnectionError):
            while True:
                kind, _, _ = listener.frame()
                if kind == 8:
                    raise ConnectionError
        listener.socket.close()

    def test_a_session_that_is_ended_is_over_at_once(self):
        _, browser, listener = self.opened()
        self.assertEqual(self.server.ask("DELETE", f"/v1/sessions/browser/{browser.answer.json['id']}").status, 200)
        self.ends(listener)
        self.assertEqual(browser.ask("GET", "/v1/me").status, 401)

    def test_so_is_that_of_a_token_that_is_revoked(self):
        token, browser, listener = self.opened()
        self.server.command("token", "revoke", token.split("_")[1], "--data", str(self.server.data))
        self.ends(listener)
        self.assertEqual(browser.ask("GET", "/v1/me").status, 401)
        self.assertEqual(Browser(self.server, {"token": token}).answer.status, 403)

    def test_the_list_says_which_is_its_own(self):
        _, browser, listener = self.opened()
        listed = browser.ask("GET", "/v1/sessions/browser").json
        self.assertEqual(listed["current"], browser.answer.json["id"])
        self.assertIn(browser.answer.json["id"], [one["id"] for one in listed["sessions"]])
        self.assertNotIn("current", self.server.get("/v1/sessions/browser"))
        listener.socket.close()

    def test_a_token_is_revoked_by_the_api_with_all_its_sessions(self):
        token, browser, listener = self.opened()
        other = Browser(self.server, {"token": token})
        self.assertIn(token.split("_")[1], [t["id"] for t in self.server.get("/v1/tokens")["tokens"] if not t["revoked_at"]])
        self.assertNotIn(token.split("_")[2].encode(), self.server.ask("GET", "/v1/tokens").body)
        self.assertEqual(browser.ask("DELETE", f"/v1/tokens/{token.split('_')[1]}", headers=PAGE | {"Content-Type": "application/json"}).status, 200)
        self.ends(listener)
        for one in (browser, other):
            self.assertEqual(one.ask("GET", "/v1/me").status, 401)
        self.assertEqual(self.server.ask("GET", "/v1/me", token=token).status, 401)
        self.assertEqual(self.server.ask("DELETE", f"/v1/tokens/{token.split('_')[1]}").status, 404)
        [record] = [t for t in self.server.get("/v1/tokens")["tokens"] if t["id"] == token.split("_")[1]]
        self.assertTrue(record["revoked_at"])

    def test_who_may_not_revoke(self):
        token, browser, listener = self.opened("viewer")
        for method, path in (("GET", "/v1/tokens"), ("DELETE", f"/v1/tokens/{token.split('_')[1]}"), ("GET", "/v1/sessions/browser"),
                             ("DELETE", f"/v1/sessions/browser/{browser.answer.json['id']}"), ("DELETE", "/v1/sessions/s-1")):
            self.assertEqual(browser.ask(method, path, headers=PAGE | {"Content-Type": "application/json"}).status, 403, path)
            self.assertEqual(self.server.ask(method, path, role="worker").status, 403, path)
        self.assertEqual(browser.ask("GET", "/v1/me").status, 200)
        listener.socket.close()

    def test_logging_out(self):
        _, browser, listener = self.opened()
        out = browser.ask("POST", "/v1/logout", {})
        self.assertEqual(out.status, 200, out.body)
        self.assertIn("Max-Age=0", out.headers["Set-Cookie"])
        self.ends(listener)
        self.assertEqual(browser.ask("GET", "/v1/me").status, 401)

    def test_a_token_cannot_be_ended_as_a_session(self):
        token = self.server.token("viewer")
        self.assertEqual(self.server.ask("DELETE", f"/v1/sessions/browser/{token.split('_')[1]}").status, 404)
        self.assertEqual(self.server.ask("GET", "/v1/me", token=token).status, 200)

    def test_it_survives_a_restart(self):
        _, browser, listener = self.opened()
        listener.socket.close()
        self.server.stop()
        port = self.server.port
        self.server.start()
        browser.cookie = browser.cookie.replace(f"warder_{port}", f"warder_{self.server.port}")
        self.assertEqual(browser.ask("GET", "/v1/me").status, 200)


class OneDecision(ServiceTest):
    def test_it_is_found_by_its_id(self):
        made = self.server.check("ls")
        one = self.server.get(f"/v1/decisions/{made['decision_id']}")
        self.assertEqual((one["decision"]["id"], one["run"]), (made["decision_id"], None))
        self.assertEqual(self.server.ask("GET", "/v1/decisions/d_nowhere").status, 404)
        self.assertEqual(self.server.ask("GET", f"/v1/decisions/{made['decision_id']}", role="worker").status, 403)

    def test_a_session_that_is_not_known(self):
        self.assertEqual(self.server.ask("DELETE", "/v1/sessions/never").status, 404)
        self.server.check("ls", session="s-9")
        self.assertEqual(self.server.ask("DELETE", "/v1/sessions/s-9").status, 200)


class PublicUrl(unittest.TestCase):
    def test_a_proxy_in_front(self):
        with Server("--public-url", "https://box.example.net") as server:
            host = {"Host": "box.example.net"}
            browser = Browser(server, {"token": server.token("operator")}, headers=host)
            self.assertTrue(browser.set.startswith("__Host-warder="), browser.set)
            self.assertIn("; Secure", browser.set)
            for origin, status in (("https://box.example.net", 200), ("http://box.example.net", 403), ("https://other.example.net", 403)):
                self.assertEqual(browser.ask("GET", "/v1/me", headers=host | {"Origin": origin}).status, status, origin)
            self.assertEqual(browser.ask("GET", "/v1/me", headers=host | PAGE).status, 200)
            self.assertEqual(browser.ask("GET", "/v1/me").status, 401)  # not over the plain address
            said = at_terminal(server, "console")
            self.assertTrue(said.stdout.startswith("https://box.example.net/console/#login="), said.stdout)
        for bad in ("box.example.net", "https://", "https://a/b", "ftp://x", "https://u@x"):
            said = Server().command("serve", "--listen", "127.0.0.1:0", "--public-url", bad)
            self.assertNotEqual(said.returncode, 0, bad)
            self.assertIn("--public-url", said.stderr)


class Files(ServiceTest):
    def test_the_headers(self):
        answer = self.server.ask("GET", "/console/", role=None)
        if answer.status == 404:
            self.assertIn(b"no console", answer.body)
            self.skipTest("this build has no console")
        policy = answer.headers["Content-Security-Policy"]
        for word in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
                     "form-action 'none'", "base-uri 'none'"):
            self.assertIn(word, policy)
        for name, value in (("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
                            ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-cache")):
            self.assertEqual(answer.headers[name], value)
        features = dict(one.strip().split("=", 1) for one in answer.headers["Permissions-Policy"].split(","))
        self.assertEqual(set(features.values()), {"()"}, features)
        self.assertGreaterEqual(set(features), {"camera", "microphone", "geolocation"})
        again = self.server.ask("GET", "/console/", role=None, headers={"If-None-Match": answer.headers["ETag"]})
        self.assertEqual((again.status, again.body), (304, b""))
        for name in set(part.split('"')[0] for mark in ('src="', 'href="') for part in answer.body.decode().split(mark)[1:]):
            file = self.server.ask("GET", f"/console/{name.rsplit('/', 1)[-1]}", role=None)
            self.assertEqual(file.status, 200, name)
            self.assertEqual("immutable" in file.headers["Cache-Control"], name.endswith((".js", ".css")), name)

    def test_header_games(self):
        browser = Browser(self.server, {"token": self.server.token("operator")})
        own = f"http://127.0.0.1:{self.server.port}"
        cookie, site = f"Cookie: {browser.cookie}", "Sec-Fetch-Site: same-origin"
        for lines, status in (([cookie, site], 200), ([cookie, cookie, site], 400), (["Cookie: a=b", cookie, site], 400),
                              ([cookie, "Sec-Fetch-Site: cross-site", site], 400), ([cookie, site, "Sec-Fetch-Site: cross-site"], 400),
                              ([cookie, f"Origin: {own}", "Origin: http://evil.example"], 400), ([cookie, site, "Host: evil.example"], 400),
                              ([cookie, f"Origin: {own}", "Sec-Fetch-Site: cross-site"], 403), ([cookie, "Sec-Fetch-Site: Same-Origin"], 403),
                              ([cookie, "Sec-Fetch-Site: same-origin, cross-site"], 403), ([cookie, f"Origin: {own}/"], 403),
                              ([cookie, f"Origin: {own}.evil.example"], 403), ([cookie, f"Origin: http://x@{own[7:]}"], 403), ([cookie, "Origin:"], 403),
                              ([cookie + "\0", site], 400), ([cookie.upper(), site], 401), ([cookie[:-4] + "AAAA", site], 401),
                              ([cookie, "X-Forwarded-Proto: https", "X-Forwarded-Host: evil.example", "Origin: https://evil.example"], 403),
                              ([f"Authorization: Bearer {browser.cookie.split('=', 1)[1]}"], 401)):
            with socket.create_connection(("127.0.0.1", self.server.port), 30) as one:
                one.sendall("\r\n".join(["GET /v1/me HTTP/1.1", f"Host: 127.0.0.1:{self.server.port}", *lines, "", ""]).encode())
                self.assertEqual(int(one.recv(4096).split(b" ")[1]), status, lines)

    def test_what_is_no_file(self):
        for path in ("/console/none.js", "/console/..", "/console/a/b", "/console/%2e%2e"):
            self.assertIn(self.server.ask("GET", path, role=None).status, (400, 401, 404), path)
        self.assertEqual(self.server.ask("POST", "/console/", {}, role=None).status, 405)


if __name__ == "__main__":
    skip_without_service()
    unittest.main(verbosity=2)
