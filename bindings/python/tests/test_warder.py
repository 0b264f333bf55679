"""The Python package, run against an installed prefix (tests/bindings/python)."""

import asyncio
import ctypes
import gc
import inspect
import os
import subprocess
import sys
import tempfile
import threading
import typing
import unittest
from unittest import mock

import warder
from warder import _library as c
from warder import Answer, Behavior, Engine, PolicyText, Status, WarderError

POLICY = {"allow": ["Bash(frob on)"], "deny": ["Bash(frob off)"], "ask": ["Bash(frob ask)"]}


class Case(unittest.TestCase):
    def setUp(self) -> None:
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
