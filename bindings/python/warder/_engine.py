"""Engines and decisions. Whatever fails raises WarderError; nothing that failed can be taken for an allow."""

from __future__ import annotations

import asyncio
import ctypes
import enum
import importlib
import json
import os
import select
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional, Union

from . import _library as c
from ._library import library

JSON = Any  # what json.loads() gives
Path = Union[str, "os.PathLike[str]"]


class Behavior(enum.IntEnum):
    """Deny is zero on purpose."""

    DENY = 0
    ASK = 1
    ALLOW = 2


class Status(enum.IntEnum):
    OK = 0
    SYNTAX = 1
    LIMIT = 2
    IO = 3
    UNSAFE = 4
    NOMEM = 5
    USAGE = 6


class WarderError(Exception):
    """Something could not be done; a call that was to be judged was not, and must not run."""

    def __init__(self, status: int, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(f"{line}:{column}: {message}" if line else message)
        self.status = Status(status)
        self.message = message
        self.line = line
        self.column = column


class PolicyText(NamedTuple):
    """A policy in memory. The end of the name says what it is: .json, .toml or .yaml."""

    name: str
    text: str
    format: Optional[str] = None


@dataclass(frozen=True)
class Question:
    """What a person, or whoever stands for one, is asked."""

    tool: str
    input: JSON
    verdict: Mapping[str, JSON]
    session: str = ""
    tool_use_id: str = ""
    cwd: str = ""


@dataclass(frozen=True)
class Answer:
    """What was answered. An input that is changed is judged before it counts."""

    behavior: Behavior = Behavior.DENY
    message: Optional[str] = None
    updated_input: Optional[Mapping[str, JSON]] = None
    interrupt: bool = False
    remember: bool = False


#: May say nothing (None), yes or no, or more. An exception says nothing.
Ask = Callable[[Question], Union[None, bool, Answer]]
AsyncAsk = Callable[[Question], Awaitable[Union[None, bool, Answer]]]


def _bytes(text: Optional[Path]) -> Optional[bytes]:
    if text is None:
        return None
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise WarderError(Status.USAGE, "a string contains a NUL")
    return encoded


def _dump(value: JSON) -> bytes:
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as e:
        raise WarderError(Status.USAGE, f"this is no JSON: {e}") from e


def _raise(status: int, error: c.Error) -> None:
    if status != Status.OK:
        raise WarderError(status, error.message.decode(errors="replace"), error.line, error.column)


class _Handle:
    """An object of the library, freed when nobody can use it any more: also not a thread that is in a call."""

    def __init__(self, pointer: ctypes.c_void_p, free: Callable[[ctypes.c_void_p], None]) -> None:
        self.pointer = pointer
        self._free = free

    def __del__(self) -> None:
        self._free(self.pointer)


class Decision:
    """What Warder said of one call. It is true if, and only if, the call may run."""

    def __init__(self, pointer: ctypes.c_void_p) -> None:
        self._handle = _Handle(pointer, library.warder_decision_free)
        self._lock = threading.Lock()  # a decision belongs to one thread at a time

    def _say(self, function: Callable[..., Optional[bytes]], *more: int) -> str:
        with self._lock:
            text = function(self._handle.pointer, *more)
        return "" if text is None else text.decode(errors="replace")

    def __bool__(self) -> bool:
        return self.allowed

    def __repr__(self) -> str:
        return f"<Decision {self.behavior.name.lower()} by {self.layer}: {self.reason}>"

    @property
    def behavior(self) -> Behavior:
        # A decision that cannot be shown denies from then on, so the text is made first.
        self._say(library.warder_decision_json)
        with self._lock:
            return Behavior(library.warder_decision_behavior(self._handle.pointer))

    @property
    def allowed(self) -> bool:
        return self.behavior is Behavior.ALLOW

    def as_dict(self) -> dict[str, JSON]:
        """All of it, as `warder check --json` prints it."""
        said: dict[str, JSON] = json.loads(self._say(library.warder_decision_json))
        return said

    def _get(self, key: str) -> JSON:
        return self.as_dict().get(key)

    @property
    def layer(self) -> str:
        return self._get("layer") or ""

    @property
    def rule(self) -> Optional[str]:
        """The rule that decided, if one did."""
        rule: Optional[str] = self._get("rule")
        return rule

    @property
    def reason(self) -> str:
        """Why, for people."""
        return self._get("reason") or ""

    @property
    def message(self) -> str:
        """Why, for the model."""
        return self._get("message") or ""

    @property
    def interrupt(self) -> bool:
        """The agent's loop should end."""
        return bool(self._get("interrupt"))

    @property
    def suggestions(self) -> tuple[str, ...]:
        """The rules that would clear an ask, the least ones first."""
        return tuple(self._get("suggestions") or ())

    @property
    def updated_input(self) -> Optional[dict[str, JSON]]:
        """The input that was judged and shall run instead of the call's own; None: nothing was changed."""
        text = self._say(library.warder_decision_updated_input)
        return json.loads(text) if text else None

    @property
    def id(self) -> str:
        """What the record calls it; empty when it was not recorded."""
        return self._say(library.warder_decision_id)

    @property
    def name(self) -> str:
        return self._say(library.warder_decision_name)

    def explain(self) -> dict[str, JSON]:
        """The trace: every action, what each layer said, and what would make it allowed."""
        trace: dict[str, JSON] = json.loads(self._say(library.warder_decision_explain_json))
        return trace

    def explain_text(self, colour: bool = False) -> str:
        return self._say(library.warder_decision_explain_text, int(colour))


def _list(name: str, given: Any) -> list[Any]:
    """A str is a sequence of letters, and a mapping one of keys: neither is what was meant."""
    if isinstance(given, (str, bytes, os.PathLike, Mapping, PolicyText)):
        raise WarderError(Status.USAGE, f"{name} must be a list: [{given!r}]")
    try:
        return list(given)
    except TypeError as e:
        raise WarderError(Status.USAGE, f"{name} must be a list") from e


def _rule(rule: Any) -> c.Rule:
    try:
        behavior, text = rule
        return c.Rule(int(Behavior(behavior)), _bytes(text))
    except (TypeError, ValueError) as e:
        raise WarderError(Status.USAGE, f"a rule is a Behavior and a text, not {rule!r}") from e


def _whole(name: str, number: float, most: int = 0xFFFFFFFF) -> int:
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not 0 <= number <= most:
        raise WarderError(Status.USAGE, f"{name} cannot be {number!r}")
    return int(number)


def _policy_text(policy: Union[str, Mapping[str, JSON], PolicyText]) -> PolicyText:
    if isinstance(policy, PolicyText):
        return policy
    if isinstance(policy, str):
        return PolicyText("policy.yaml", policy)
    if not isinstance(policy, Mapping):
        raise WarderError(Status.USAGE, f"a policy text is a str, a mapping or a PolicyText, not {policy!r}")
    return PolicyText("policy.json", _dump(policy).decode())


class Engine:
    """A policy that calls are put to, from any number of threads.

    Without ``policies`` (files) and ``texts`` (policies in memory) the policy is searched for as the command does. A list
    that is given is all there is, also an empty one: then the built-in rules and ``rules`` count alone.
    """

    def __init__(
        self,
        *,
        profile: Optional[str] = None,
        mode: Optional[str] = None,
        cwd: Optional[Path] = None,
        home: Optional[Path] = None,
        project: Optional[Path] = None,
        plan_file: Optional[Path] = None,
        policies: Optional[Sequence[Path]] = None,
        texts: Optional[Sequence[Union[str, Mapping[str, JSON], PolicyText]]] = None,
        rules: Sequence[tuple[Behavior, str]] = (),
        headless: bool = False,
        auto_allow: bool = False,
        record: bool = False,
        data: Optional[Path] = None,
        sync: bool = False,
        retention_days: int = 0,
    ) -> None:
        files = [] if policies is None else [_bytes(p) for p in _list("policies", policies)]
        given = [] if texts is None else [_policy_text(t) for t in _list("texts", texts)]
        encoded = [t.text.encode() for t in given]
        # One element at least: the pointer says that there is a list, and must not be NULL then.
        names = (ctypes.c_char_p * max(1, len(files)))(*files)
        rows = [_rule(r) for r in _list("rules", rules)]
        memory = (c.Text * max(1, len(given)))(
            *[c.Text(_bytes(t.name), _bytes(t.format), e, len(e)) for t, e in zip(given, encoded)]
        )
        options = c.Options(
            struct_size=ctypes.sizeof(c.Options),
            profile=_bytes(profile),
            mode=_bytes(mode),
            cwd=_bytes(cwd),
            home=_bytes(home),
            project=_bytes(project),
            plan_file=_bytes(plan_file),
            policies=None if policies is None else names,
            policy_count=len(files),
            rules=(c.Rule * len(rows))(*rows),
            rule_count=len(rows),
            headless=headless,
            auto_allow=auto_allow,
            texts=None if texts is None else memory,
            text_count=len(given),
            record=record,
            data=_bytes(data),
            sync=sync,
            retention_days=_whole("retention_days", retention_days),
        )
        pointer, error = ctypes.c_void_p(), c.Error()
        _raise(library.warder_engine_new(options, ctypes.byref(pointer), error), error)
        self._handle: Optional[_Handle] = _Handle(pointer, library.warder_engine_free)

    def close(self) -> None:
        """Checks from now on raise. Those under way are finished."""
        self._handle = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _held(self) -> _Handle:
        handle = self._handle
        if handle is None:
            raise WarderError(Status.USAGE, "the engine is closed")
        return handle

    # ---- checking ----

    def check(
        self,
        tool: str,
        input: Optional[Mapping[str, JSON]] = None,
        *,
        cwd: Optional[Path] = None,
        project: Optional[Path] = None,
        session: Optional[str] = None,
        mode: Optional[str] = None,
        tool_use_id: Optional[str] = None,
        annotations: Optional[Mapping[str, bool]] = None,
    ) -> Decision:
        """Judges one call. Reads the policy, writes nothing, asks nobody."""
        call: dict[str, JSON] = {"tool": tool, "input": {} if input is None else input}
        more = {
            "cwd": cwd and os.fspath(cwd),
            "project": project and os.fspath(project),
            "session": session,
            "mode": mode,
            "tool_use_id": tool_use_id,
            "annotations": annotations,
        }
        call.update({key: value for key, value in more.items() if value is not None})
        return self.check_json(_dump(call))

    def check_json(self, call: Union[str, bytes]) -> Decision:
        """One call as JSON. What is no call at all is a decision, too: it denies."""
        handle = self._held()
        text = call.encode(errors="surrogatepass") if isinstance(call, str) else call
        pointer, error = ctypes.c_void_p(), c.Error()
        _raise(library.warder_check_json(handle.pointer, text, len(text), ctypes.byref(pointer), error), error)
        return Decision(pointer)

    def check_argument(self, tool: str, argument: str) -> Decision:
        """The tool's first argument alone, as `warder check TOOL ARG`."""
        handle = self._held()
        pointer, error = ctypes.c_void_p(), c.Error()
        status = library.warder_check_argument(
            handle.pointer, _bytes(tool), _bytes(argument), ctypes.byref(pointer), error
        )
        _raise(status, error)
        return Decision(pointer)

    # ---- the policy ----

    def update(self, *updates: Mapping[str, JSON]) -> None:
        """Changes rules, mode or directories of this engine, all updates at once or none."""
        handle, text, error = self._held(), _dump(updates), c.Error()
        _raise(library.warder_engine_update(handle.pointer, text, len(text), error), error)

    def reload(self) -> None:
        """Reads the sources again. Raises where a file is broken: then what held before holds on."""
        handle, error = self._held(), c.Error()
        _raise(library.warder_engine_reload(handle.pointer, error), error)

    @property
    def generation(self) -> int:
        handle = self._held()
        return int(library.warder_engine_generation(handle.pointer))

    # ---- asking ----

    def resolve(
        self,
        decision: Decision,
        ask: Optional[Ask] = None,
        *,
        client: Optional[str] = None,
        deadline: float = 0,
        terminal: bool = False,
        leave_ask: bool = False,
        client_runs_hooks: bool = False,
    ) -> Decision:
        """Brings a decision to its end: hooks, then whoever can be asked. Without an answer it denies.

        ``ask`` is called on another thread.
        """
        handle = self._held()
        asker = _Asker(ask) if ask else None
        asking = c.Asking(
            struct_size=ctypes.sizeof(c.Asking),
            can_use_tool=asker.function if asker else c.CanUseTool(0),
            client=_bytes(client),
            deadline_ms=_whole("deadline", deadline * 1000),
            terminal=terminal,
            leave_ask=leave_ask,
            client_runs_hooks=client_runs_hooks,
        )
        error = c.Error()
        with decision._lock:
            status = library.warder_resolve(handle.pointer, decision._handle.pointer, asking, error)
        _raise(status, error)
        return decision

    def can_use_tool(
        self,
        ask: Union[Ask, AsyncAsk, None] = None,
        *,
        session: Optional[str] = None,
        deadline: float = 0,
        results: Optional[tuple[Callable[..., Any], Callable[..., Any]]] = None,
    ) -> Callable[[str, Mapping[str, JSON], Any], Awaitable[Any]]:
        """The permission callback of the Claude Agent SDK: ``ClaudeAgentOptions(can_use_tool=engine.can_use_tool())``.

        ``ask``, which may be async, is called for what Warder would ask a person. ``results`` are the classes of the
        two answers; they are the SDK's own where it is installed. Whatever fails denies.
        """
        allow, deny = results or _results()

        async def judge(tool_name: str, input_data: Mapping[str, JSON], context: Any = None) -> Any:
            try:
                asker = _in_loop(ask, asyncio.get_running_loop()) if ask else None
                judged = json.loads(_dump(input_data))  # what runs is this, whatever happens to the object meanwhile
                decision = self.check(
                    tool_name, judged, session=session, tool_use_id=getattr(context, "tool_use_id", None)
                )
                await asyncio.to_thread(self.resolve, decision, asker, client="sdk", deadline=deadline)
                if decision.allowed:
                    changed = decision.updated_input
                    return allow(updated_input=judged if changed is None else changed)
                return deny(message=decision.message or decision.reason, interrupt=decision.interrupt)
            except Exception as e:  # a callback that raises may be read as one that does not object
                return deny(message=f"not judged: {e}", interrupt=False)

        return judge


class _Asker:
    """A Python function as the library's callback."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._kept: list[Optional[bytes]] = []
        self.function = c.CanUseTool(self._call)

    def _call(self, _context: Any, question: Any, answer: Any) -> int:
        q = question.contents
        try:
            said = self._ask(
                _CancellableQuestion(
                    tool=q.tool.decode(errors="replace"),
                    input=json.loads(q.input),
                    verdict=json.loads(q.verdict),
                    session=q.session.decode(errors="replace"),
                    tool_use_id=q.tool_use_id.decode(errors="replace"),
                    cwd=os.fsdecode(q.cwd),
                    cancel_fd=q.cancel_fd,
                )
            )
            if said is None:
                return 0
            if isinstance(said, bool):
                said = Answer(Behavior.ALLOW if said else Behavior.DENY)
            changed = None if said.updated_input is None else _dump(said.updated_input)
            self._kept = [_bytes(said.message), changed]
            a = answer.contents
            a.message, a.updated_input = self._kept
            a.interrupt, a.remember = bool(said.interrupt), bool(said.remember)
            a.behavior = int(Behavior(said.behavior))
            a.given = 1
            return 0
        except Exception:  # whoever cannot answer says nothing, and nothing denies
            return 1


@dataclass(frozen=True)
class _CancellableQuestion(Question):
    cancel_fd: int = -1  # readable: nobody waits for the answer any more


def _in_loop(ask: Union[Ask, AsyncAsk], loop: asyncio.AbstractEventLoop) -> Ask:
    """As a function that blocks a thread: what it only promises is awaited in the loop."""

    def blocking(question: Question) -> Union[None, bool, Answer]:
        said = ask(question)
        return _await(said, loop, question) if isinstance(said, Awaitable) else said

    return blocking


def _await(
    promise: Awaitable[Union[None, bool, Answer]], loop: asyncio.AbstractEventLoop, question: Question
) -> Union[None, bool, Answer]:
    async def wait() -> Union[None, bool, Answer]:
        return await promise

    done, write = os.pipe()
    try:
        future = asyncio.run_coroutine_threadsafe(wait(), loop)
        future.add_done_callback(lambda _: os.write(write, b"."))
        fd = getattr(question, "cancel_fd", -1)
        ready = select.select([done] + ([fd] if fd >= 0 else []), [], [])[0]
        if done not in ready:
            future.cancel()
            select.select([done], [], [])  # the callback above has written: nobody uses the pipe any more
        return None if future.cancelled() else future.result()
    finally:
        os.close(done)
        os.close(write)


@dataclass
class PermissionResultAllow:
    """As the SDK's, for those who have none."""

    updated_input: Optional[Mapping[str, JSON]] = None
    updated_permissions: Optional[list[Any]] = None
    behavior: str = "allow"


@dataclass
class PermissionResultDeny:
    message: str = ""
    interrupt: bool = False
    behavior: str = "deny"


def _results() -> tuple[Callable[..., Any], Callable[..., Any]]:
    try:
        sdk = importlib.import_module("claude_agent_sdk")
    except ImportError:
        return PermissionResultAllow, PermissionResultDeny
    return sdk.PermissionResultAllow, sdk.PermissionResultDeny
