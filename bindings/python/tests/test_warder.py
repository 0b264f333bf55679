"""The Python package, run against an installed prefix (tests/bindings/python)."""

import asyncio
import ctypes
import gc
import inspect
import os
import select
import subprocess
import sys
import tempfile
import threading
import time
import typing
import unittest
from unittest import mock

import warder
from warder import _library as c
from warder import Answer, Behavior, By, Engine, PolicyText, Status, WarderError

POLICY = {"allow": ["Bash(frob on)"], "deny": ["Bash(frob off)"], "ask": ["Bash(frob ask)"]}


class Case(unittest.TestCase):
    def setUp(self) -> None:
        for name in ("threading.excepthook", "asyncio.base_events.BaseEventLoop.default_exception_handler"):
            quiet = mock.patch(name)  # what askers raise here is reported, and not printed
            quiet.start()
            self.addCleanup(quiet.stop)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.home = os.path.join(directory.name, "home")
        self.project = os.path.join(directory.name, "project")
        os.mkdir(self.home)
        os.mkdir(self.project)

    def engine(self, *texts: typing.Any, **more: typing.Any) -> Engine:
        return Engine(home=self.home, cwd=self.project, texts=texts or (POLICY,), **more)

    def bash(self, engine: Engine, command: str, **more: typing.Any) -> warder.Decision:
        return engine.check("Bash", {"command": command}, **more)


class Checking(Case):
    def test_verdicts(self) -> None:
        engine = self.engine()
        for command, behavior in [
            ("frob on", Behavior.ALLOW),
            ("frob off", Behavior.DENY),
            ("frob ask", Behavior.ASK),
            ("frob on; frob off", Behavior.DENY),
            ("git status", Behavior.ALLOW),
            ("nobody-knows-this", Behavior.ASK),
        ]:
            with self.subTest(command):
                decision = self.bash(engine, command)
                self.assertIs(decision.behavior, behavior)
                self.assertIs(bool(decision), behavior is Behavior.ALLOW)
                self.assertIs(decision.allowed, behavior is Behavior.ALLOW)

    def test_what_a_decision_says(self) -> None:
        decision = self.bash(self.engine(), "frob off", tool_use_id="t1", session="s1")
        self.assertEqual(decision.rule, "Bash(frob off)")
        self.assertEqual(decision.layer, "deny-rules")
        self.assertIn("policy.json:1", decision.reason)
        self.assertTrue(decision.message)
        self.assertFalse(decision.interrupt)
        self.assertIsNone(decision.updated_input)
        self.assertEqual(decision.id, "")
        self.assertEqual(decision.as_dict()["tool_use_id"], "t1")
        self.assertEqual(decision.explain()["profile"], "warder")
        self.assertIn("deny-rules", decision.explain_text())
        self.assertIn("\033[", decision.explain_text(colour=True))
        self.assertIn("deny by deny-rules", repr(decision))

    def test_suggestions(self) -> None:
        self.assertEqual(self.bash(self.engine(), "frob up").suggestions, ("Bash(frob up)",))

    def test_first_argument(self) -> None:
        self.assertTrue(self.engine().check_argument("Bash", "frob on"))
        with self.assertRaises(WarderError) as caught:
            self.engine().check_argument("NobodyKnowsThis", "x")
        self.assertIs(caught.exception.status, Status.USAGE)

    def test_what_is_no_call_denies(self) -> None:
        engine = self.engine()
        for call in ["", "{", "[]", '{"tool":"Bash"}', '{"tool":"Bash","input":{},"input":{}}', "\ud800", b"\xff"]:
            with self.subTest(call):
                self.assertIs(engine.check_json(call).behavior, Behavior.DENY)
        self.assertIs(self.bash(engine, "echo \ud800").behavior, Behavior.DENY)

    def test_what_is_no_json_raises(self) -> None:
        for value in [{"command": object()}, {"command": float("nan")}, {"command": {1, 2}}]:
            with self.assertRaises(WarderError):
                self.engine().check("Bash", value)

    def test_a_decision_outlives_its_engine(self) -> None:
        engine = self.engine()
        decision = self.bash(engine, "frob on")
        engine.close()
        del engine
        gc.collect()
        self.assertTrue(decision)
        self.assertIn("frob on", decision.explain_text())

    def test_a_closed_engine_raises(self) -> None:
        with self.engine() as engine:
            self.assertTrue(self.bash(engine, "frob on"))
        for use in [lambda: self.bash(engine, "ls"), engine.reload, lambda: engine.generation, engine.update]:
            with self.assertRaises(WarderError):
                use()

    def test_the_module_has_an_engine(self) -> None:
        code = 'import warder; print(bool(warder.check("Bash", {"command": "ls"})), warder.__version__)'
        environment = {**os.environ, "HOME": self.home}
        out = subprocess.run(
            [sys.executable, "-c", code], env=environment, cwd=self.project, capture_output=True, text=True
        )
        self.assertRegex(out.stdout, r"^True [0-9]+\.[0-9]+\.[0-9]+$", out.stderr)


class Policies(Case):
    def test_from_files_and_memory(self) -> None:
        path = os.path.join(self.home, "p.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write("deny = ['Bash(frob on)']\n")
        self.assertFalse(self.bash(Engine(home=self.home, cwd=self.project, policies=[path]), "frob on"))
        self.assertTrue(self.bash(self.engine("allow: ['Bash(frob up)']"), "frob up"))
        self.assertTrue(self.bash(self.engine(PolicyText("x", '{"accept": ["frob*"]}', "guild")), "frob up"))
        self.assertTrue(self.bash(self.engine({}, rules=[(Behavior.ALLOW, "Bash(frob up)")]), "frob up"))

    def test_errors(self) -> None:
        for options in [
            {"profile": "none"},
            {"mode": "none"},
            {"policies": ["/nonexistent/policy.yaml"]},
            {"rules": [(Behavior.ALLOW, "Bash(")]},
            {"profile": "a\0b"},
            {"retention_days": 1, "record": True},
        ]:
            with self.subTest(options), self.assertRaises(WarderError):
                self.engine(**options)
        with self.assertRaises(WarderError):
            self.engine(PolicyText("x", "{}", "no such format"))

    def test_an_empty_list_is_a_list(self) -> None:
        with tempfile.TemporaryDirectory() as home:
            place = os.path.join(home, ".config", "warder")
            os.makedirs(place, 0o700)
            with open(os.path.join(place, "warder.yaml"), "w") as f:
                f.write("allow: ['Bash(frob up)']\n")

            def says(**options: object) -> str:
                engine = Engine(home=home, cwd="/nonexistent", **options)  # type: ignore[arg-type]
                return engine.check("Bash", {"command": "frob up"}).behavior.name

            self.assertEqual(says(), "ALLOW")
            self.assertEqual(says(policies=None, texts=None, rules=[]), "ALLOW")
            self.assertEqual(says(policies=[]), "ASK")
            self.assertEqual(says(texts=()), "ASK")

    def test_one_text_is_no_list(self) -> None:
        for options in (
            {"texts": "allow: [Bash]"},
            {"texts": {"allow": ["Bash"]}},
            {"texts": PolicyText("p.yaml", "")},
            {"texts": [7]},
            {"texts": 7},
            {"policies": "/nonexistent"},
            {"policies": b"/nonexistent"},
            {"rules": "Bash"},
            {"rules": [("allow", "Bash")]},
            {"rules": [Behavior.ALLOW]},
            {"retention_days": -1, "record": True},
            {"retention_days": 5, "record": True},
            {"retention_days": 40},
        ):
            with self.subTest(options), self.assertRaises(WarderError) as raised:
                Engine(**options)  # type: ignore[arg-type]
            self.assertIs(raised.exception.status, Status.USAGE)

    def test_a_broken_policy_denies(self) -> None:
        decision = self.bash(self.engine("deny: ["), "ls")
        self.assertIs(decision.behavior, Behavior.DENY)
        self.assertEqual(decision.layer, "policy")

    def test_updates(self) -> None:
        engine = self.engine()
        self.assertEqual(engine.generation, 1)
        engine.update({"type": "addRules", "rules": ["Bash(frob up)"], "behavior": "allow"})
        self.assertTrue(self.bash(engine, "frob up"))
        with self.assertRaises(WarderError) as caught:
            engine.update({"type": "removeRules", "rules": ["Bash(frob up)"]}, {"type": "setMode", "mode": "none"})
        self.assertIs(caught.exception.status, Status.SYNTAX)
        self.assertEqual(caught.exception.line, 1)
        self.assertTrue(self.bash(engine, "frob up"))
        self.assertEqual(engine.generation, 2)

    def test_reload(self) -> None:
        path = os.path.join(self.home, "p.yaml")

        def write(text: str) -> None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

        write("allow: ['Bash(frob up)']\n")
        engine = Engine(home=self.home, cwd=self.project, policies=[path])
        write("deny: [\n")
        with self.assertRaises(WarderError) as caught:
            engine.reload()
        self.assertIn("p.yaml", caught.exception.message)
        self.assertTrue(self.bash(engine, "frob up"))
        write("deny: ['Bash']\n")
        engine.reload()
        self.assertFalse(self.bash(engine, "frob up"))

    def test_threads(self) -> None:
        engine, wrong = self.engine({}), []
        rule = {"rules": ["Bash(frob up)"]}

        def check() -> None:
            for _ in range(200):
                if self.bash(engine, "frob up").behavior is Behavior.DENY:
                    wrong.append("deny")

        threads = [threading.Thread(target=check) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            engine.update({"type": "addRules", "behavior": "allow", **rule})
            engine.update({"type": "removeRules", **rule})
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Asking(Case):
    def ask(self, answer: typing.Any, command: str = "frob ask", **more: typing.Any) -> warder.Decision:
        engine = self.engine()
        return engine.resolve(self.bash(engine, command), answer, **more)

    def test_answers(self) -> None:
        for answer, allowed in [
            (lambda q: True, True),
            (lambda q: Answer(Behavior.ALLOW), True),
            (lambda q: False, False),
            (lambda q: Answer(), False),
            (lambda q: Answer(Behavior.ASK), False),
            (lambda q: None, False),
            (lambda q: 1 / 0, False),
            (lambda q: "yes", False),
            (lambda q: Answer(Behavior.ALLOW, updated_input={"command": "frob off"}), False),
            (lambda q: Answer(Behavior.ALLOW, updated_input={"command": object()}), False),
            (None, False),
        ]:
            with self.subTest(inspect.getsource(answer).strip() if answer else "nobody"):
                decision = self.ask(answer)
                self.assertIs(decision.allowed, allowed)
                self.assertIsNot(decision.behavior, Behavior.ASK)

    def test_nobody_is_asked_what_is_decided(self) -> None:
        asked = mock.Mock(return_value=True)
        self.assertFalse(self.ask(asked, "frob off"))
        self.assertTrue(self.ask(asked, "frob on"))
        asked.assert_not_called()

    def test_the_question(self) -> None:
        seen = []
        self.ask(lambda q: seen.append(q))
        self.assertEqual(seen[0].tool, "Bash")
        self.assertEqual(seen[0].input, {"command": "frob ask"})
        self.assertEqual(seen[0].verdict["behavior"], "ask")
        self.assertEqual(seen[0].cwd, self.project)

    def test_a_rewritten_input(self) -> None:
        decision = self.ask(lambda q: Answer(Behavior.ALLOW, updated_input={"command": "frob on"}))
        self.assertTrue(decision)
        self.assertEqual(decision.updated_input, {"command": "frob on"})

    def test_a_message_and_an_interrupt(self) -> None:
        decision = self.ask(lambda q: Answer(message="not today", interrupt=True))
        self.assertIn("not today", decision.message)
        self.assertTrue(decision.interrupt)

    def test_left_to_the_caller(self) -> None:
        self.assertIs(self.ask(None, leave_ask=True).behavior, Behavior.ASK)


    def test_who_decided(self) -> None:
        for answer, name in (
            (Answer(Behavior.ALLOW, by=By.PERSON, who="ada"), "human-accept"),
            (Answer(by=By.PERSON), "human-deny"),
            (Answer(by=By.TIMEOUT), "timeout-deny"),
            (True, "auto-accept"),
        ):
            with self.subTest(answer):
                self.assertEqual(self.ask(lambda q: answer).name, name)

    def test_what_cannot_be_used_is_said(self) -> None:
        def fails(question: warder.Question) -> bool:
            raise ZeroDivisionError("of mine")

        for ask, says in (
            (fails, "it failed: ZeroDivisionError"),
            (lambda q: "allow", "it failed: TypeError"),
            (lambda q: {"behavior": "allow"}, "it failed: TypeError"),
            (lambda q: Behavior.ALLOW, "it failed: TypeError"),
            (lambda q: Answer(Behavior.ASK), "neither allow nor deny"),
            (lambda q: Answer(Behavior.ALLOW, interrupt=True), "stops the agent"),
            (lambda q: Answer(Behavior.ALLOW, remember=True), "has no session"),
        ):
            reported: list[typing.Any] = []
            with self.subTest(says), mock.patch("threading.excepthook", reported.append):
                decision = self.ask(ask)
                self.assertIs(decision.behavior, Behavior.DENY)
                self.assertIn("could not be used: ", decision.reason)
                self.assertIn(says, decision.reason)
                self.assertEqual(len(reported), int("failed" in says))
                if ask is fails:
                    self.assertEqual(str(reported[0].exc_value), "of mine")

    def test_an_asker_that_does_not_listen_keeps_no_one_waiting(self) -> None:
        began = time.monotonic()
        self.assertEqual(self.ask(lambda q: time.sleep(20), deadline=0.2).name, "timeout-deny")
        self.assertLess(time.monotonic() - began, 10)

    def test_an_asker_that_listens(self) -> None:
        heard = threading.Event()

        def ask(question: warder.Question) -> None:
            select.select([question.cancel_fd], [], [])
            heard.set()

        deadline = 0.05
        while not heard.wait(1):
            self.assertFalse(self.ask(ask, deadline=deadline))
            deadline *= 2

    def test_ctrl_c(self) -> None:
        code = (
            "import threading, time, os, signal, warder\n"
            f"e = warder.Engine(home={self.home!r}, cwd={self.project!r}, texts=[{{'ask': ['Bash']}}])\n"
            "def ask(q):\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(30)\n"
            "d = e.check('Bash', {'command': 'x'})\n"
            "try:\n    e.resolve(d, ask)\nexcept KeyboardInterrupt:\n    print('interrupted', d.reason, flush=True)\n"
        )
        began = time.monotonic()
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        self.assertEqual(out.stdout, "interrupted the question was taken back\n", out.stderr)
        self.assertLess(time.monotonic() - began, 20)

    def test_in_two_steps(self) -> None:
        engine = self.engine()
        decision = self.bash(engine, "frob ask", tool_use_id="t1")
        question = engine.prepare(decision)
        assert question is not None
        self.assertEqual((question.tool, question.tool_use_id, question.cancel_fd), ("Bash", "t1", -1))
        self.assertTrue(engine.conclude(decision, Answer(Behavior.ALLOW, by=By.PERSON)))
        self.assertEqual(decision.name, "human-accept")
        with self.assertRaises(WarderError):
            engine.conclude(decision, True)
        self.assertFalse(decision)
        self.assertIsNone(engine.prepare(self.bash(engine, "frob on")))
        decision = self.bash(engine, "frob ask")
        engine.prepare(decision)
        self.assertFalse(engine.conclude(decision))
        with self.assertRaises(TypeError):
            engine.conclude(decision, "yes")  # type: ignore[arg-type]

    def test_a_session_needs_its_client(self) -> None:
        engine = self.engine()
        with self.assertRaises(WarderError) as raised:
            engine.resolve(self.bash(engine, "frob up", session="s1"), lambda q: True)
        self.assertIn("client", raised.exception.message)
        for make in (engine.can_use_tool, engine.pre_tool_use):
            with self.assertRaises(WarderError):
                make(session="s1")
        own = self.engine(client="test")
        remember = Answer(Behavior.ALLOW, remember=True)
        self.assertTrue(own.resolve(self.bash(own, "frob up", session="s1"), lambda q: remember))
        self.assertTrue(own.resolve(self.bash(own, "frob up", session="s1")))
        self.assertFalse(own.resolve(self.bash(own, "frob up", session="s2")))
        self.assertFalse(own.resolve(self.bash(own, "frob up", session="s1"), client="other"))
        own.end_session("s1")
        self.assertFalse(own.resolve(self.bash(own, "frob up", session="s1")))
        own.update({"type": "addRules", "rules": ["Bash(frob up)"], "behavior": "allow", "session": "s3"})
        self.assertTrue(own.resolve(self.bash(own, "frob up", session="s3")))
        self.assertFalse(own.resolve(self.bash(own, "frob up", session="s4")))
        with self.assertRaises(WarderError):
            own.end_session("")

    def test_sessions_of_an_engine(self) -> None:
        own = self.engine(client="memory", sessions_in_memory=True)
        other = self.engine(client="memory")
        yes = Answer(Behavior.ALLOW, remember=True)
        self.assertTrue(own.resolve(self.bash(own, "frob up", session="m1"), lambda q: yes))
        self.assertTrue(own.resolve(self.bash(own, "frob up", session="m1")))
        self.assertFalse(other.resolve(self.bash(other, "frob up", session="m1")))
        own.update({"type": "setMode", "mode": "plan", "session": "m1", "destination": "session"})
        path = {"file_path": os.path.join(self.project, "x"), "content": ""}
        self.assertIs(own.check("Write", path, session="m1").behavior, Behavior.DENY)
        self.assertIs(own.check("Write", path, session="m2").behavior, Behavior.ASK)

    def test_wrong_deadlines(self) -> None:
        for deadline in (-1, float("nan"), 1e12, "9", True):
            with self.subTest(deadline), self.assertRaises(WarderError):
                self.ask(lambda q: True, deadline=deadline)


class PreToolUse(Case):
    def event(self, command: str, **more: typing.Any) -> dict[str, typing.Any]:
        return {
            "hook_event_name": "PreToolUse",
            "session_id": "u-1",
            "cwd": self.project,
            "tool_name": "Bash",
            "tool_input": {"command": command},
            **more,
        }

    def use(self, command: str, ask: typing.Any = None, **more: typing.Any) -> dict[str, typing.Any]:
        said = asyncio.run(self.engine().pre_tool_use(ask)(self.event(command, **more), "t1", None))
        self.assertEqual(said["hookSpecificOutput"]["hookEventName"], "PreToolUse")
        return said

    def says(self, *arguments: typing.Any, **more: typing.Any) -> str:
        return str(self.use(*arguments, **more)["hookSpecificOutput"]["permissionDecision"])

    def test_allow_deny_ask(self) -> None:
        async def yes(question: warder.Question) -> bool:
            return True

        self.assertEqual(self.says("frob on"), "allow")
        self.assertEqual(self.says("frob off"), "deny")
        self.assertEqual(self.says("frob ask"), "deny")
        self.assertEqual(self.says("frob ask", yes), "allow")
        self.assertEqual(self.says("frob ask", lambda q: True), "allow")
        changed = self.use("frob ask", lambda q: Answer(Behavior.ALLOW, updated_input={"command": "frob on"}))
        self.assertEqual(changed["hookSpecificOutput"]["updatedInput"], {"command": "frob on"})
        self.assertNotIn("updatedInput", self.use("frob on")["hookSpecificOutput"])
        stopped = self.use("frob ask", lambda q: Answer(message="enough", interrupt=True))
        self.assertEqual((stopped["continue_"], stopped["stopReason"]), (False, "enough"))

    def test_a_mode_makes_it_stricter_only(self) -> None:
        self.assertEqual(self.says("frob ask", lambda q: True, permission_mode="dontAsk"), "deny")
        self.assertEqual(self.says("frob ask", permission_mode="bypassPermissions"), "deny")

    def test_what_fails_denies(self) -> None:
        for event in (
            None,
            {},
            self.event("frob on", hook_event_name="PostToolUse"),
            self.event("frob on", tool_input="frob on"),
            self.event("frob on", tool_name=None),
            self.event("frob on", cwd=object()),
        ):
            with self.subTest(event):
                said = asyncio.run(self.engine().pre_tool_use()(event, None, None))
                self.assertEqual(said["hookSpecificOutput"]["permissionDecision"], "deny")

    def test_fifty_questions_at_once(self) -> None:
        """With an asker that needs the loop's own threads, which are few."""
        engine = self.engine()

        async def ask(question: warder.Question) -> bool:
            return await asyncio.to_thread(lambda: time.sleep(0.01) is None)

        async def all_of_them() -> list[typing.Any]:
            hook = engine.pre_tool_use(ask, deadline=20)
            return await asyncio.gather(*(hook(self.event("frob ask"), f"t{i}", None) for i in range(50)))

        began = time.monotonic()
        said = [s["hookSpecificOutput"]["permissionDecision"] for s in asyncio.run(all_of_them())]
        self.assertEqual(said, ["allow"] * 50)
        self.assertLess(time.monotonic() - began, 15)

    def test_a_cancelled_task_takes_its_question_back(self) -> None:
        engine = self.engine()
        decision = self.bash(engine, "frob ask")
        ended = []

        async def ask(question: warder.Question) -> bool:
            try:
                await asyncio.sleep(60)
            finally:
                ended.append(True)
            return True

        async def cancel() -> None:
            task = asyncio.ensure_future(engine.resolve_async(decision, ask))
            while engine._question(decision) is None:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.01)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        asyncio.run(cancel())
        self.assertFalse(decision)
        self.assertEqual(ended, [True])

    def test_what_an_async_asker_raises_is_reported(self) -> None:
        engine = self.engine()
        decision = self.bash(engine, "frob ask")
        heard: list[typing.Any] = []

        async def fails(question: warder.Question) -> bool:
            raise ZeroDivisionError("of mine")

        async def run() -> None:
            asyncio.get_running_loop().set_exception_handler(lambda _, context: heard.append(context["exception"]))
            await engine.resolve_async(decision, fails)

        asyncio.run(run())
        self.assertEqual(str(heard[0]), "of mine")
        self.assertIn("could not be used: it failed: ZeroDivisionError", decision.reason)


class CanUseTool(Case):
    def call(self, command: str, ask: typing.Any = None, **more: typing.Any) -> typing.Any:
        judge = self.engine().can_use_tool(ask, **more)
        return asyncio.run(judge("Bash", {"command": command}, None))

    def test_allow_and_deny(self) -> None:
        allowed = self.call("frob on")
        self.assertEqual(allowed.behavior, "allow")
        self.assertEqual(allowed.updated_input, {"command": "frob on"})
        denied = self.call("frob off")
        self.assertEqual(denied.behavior, "deny")
        self.assertIn("frob off", denied.message)
        self.assertFalse(denied.interrupt)

    def test_asking_with_and_without_async(self) -> None:
        async def yes(question: warder.Question) -> bool:
            await asyncio.sleep(0)
            return question.input == {"command": "frob ask"}

        async def fails(question: warder.Question) -> bool:
            raise RuntimeError

        self.assertEqual(self.call("frob ask", yes).behavior, "allow")
        self.assertEqual(self.call("frob ask", lambda q: True).behavior, "allow")
        self.assertEqual(self.call("frob ask", lambda q: False).behavior, "deny")
        self.assertEqual(self.call("frob ask", fails).behavior, "deny")
        self.assertEqual(self.call("frob ask").behavior, "deny")

    def test_the_deadline_denies_and_cancels(self) -> None:
        cancelled = []

        async def never(question: warder.Question) -> bool:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.append(True)
                raise
            return True

        deadline = 0.05
        while not cancelled:  # on a busy machine it may pass before anybody is asked
            self.assertEqual(self.call("frob ask", never, deadline=deadline).behavior, "deny")
            deadline *= 2

    def test_what_fails_denies(self) -> None:
        engine = self.engine()
        judge = engine.can_use_tool()
        for tool, input in [("Bash", {"command": object()}), ("Bash", None), ("Bash", "x"), ("", {}), (7, {})]:
            with self.subTest((tool, input)):
                self.assertEqual(asyncio.run(judge(tool, input, None)).behavior, "deny")
        engine.close()
        self.assertEqual(asyncio.run(judge("Bash", {"command": "frob on"}, None)).behavior, "deny")

    def test_the_sdk_gets_its_own_classes(self) -> None:
        class Allow:
            def __init__(self, **more: typing.Any) -> None:
                self.more = more

        sdk = mock.Mock(PermissionResultAllow=Allow, PermissionResultDeny=Allow)
        with mock.patch.dict(sys.modules, {"claude_agent_sdk": sdk}):
            self.assertIsInstance(self.call("frob on"), Allow)


class Package(unittest.TestCase):
    def test_it_is_typed(self) -> None:
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(warder.__file__), "py.typed")))
        for name in warder.__all__:
            thing = getattr(warder, name)
            functions = [thing] if inspect.isfunction(thing) else []
            if inspect.isclass(thing):
                functions = [f for n, f in vars(thing).items() if inspect.isfunction(f) and not n.startswith("_")]
            for function in functions:
                self.assertIn("return", function.__annotations__, f"{name}: {function}")

    def test_structs_are_those_of_the_header(self) -> None:
        """The compiler says where each member lies. Structs with a struct_size may have grown since."""
        fixed = {"error": c.Error, "rule": c.Rule, "text": c.Text}
        growing = {"options": c.Options, "asking": c.Asking, "question": c.Question, "answer": c.Answer}
        wanted, asked = [], []
        for name, struct in {**fixed, **growing}.items():
            for field, *_ in struct._fields_:
                asked.append(f"offsetof(warder_{name}, {field})")
                wanted.append(getattr(struct, field).offset)
        for name, struct in fixed.items():
            asked.append(f"sizeof(warder_{name})")
            wanted.append(ctypes.sizeof(struct))
        prints = " ".join(f'printf("%zu\\n", {size});' for size in asked)
        source = f"#include <stdio.h>\n#include <warder.h>\nint main(void) {{ {prints} return 0; }}\n"
        with tempfile.TemporaryDirectory() as directory:
            program = os.path.join(directory, "sizes")
            flags = ["-I", os.environ["WARDER_INCLUDE"], "-x", "c", "-", "-o", program]
            subprocess.run(["cc", *flags], input=source, text=True, check=True)
            said = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual([int(n) for n in said], wanted)


if __name__ == "__main__":
    unittest.main()
