"""Engines and decisions. Whatever fails raises WarderError; nothing that failed can be taken for an allow."""

from __future__ import annotations

import asyncio
import ctypes
import enum
import importlib
import inspect
import json
import os
import select
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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


class By(enum.IntEnum):
    """Who decided, for the record."""

    PROGRAM = 0
    PERSON = 1
    TIMEOUT = 2  #: no one answered in time; with a deny


@dataclass(frozen=True)
class Question:
    """What a person, or a program in a person's place, is asked."""

    tool: str
    input: JSON
    verdict: Mapping[str, JSON]
    session: str = ""
    tool_use_id: str = ""
    cwd: str = ""
    #: Readable: the answer is no longer needed. -1 where the question is awaited, and cancelled, in a loop.
    cancel_fd: int = -1


@dataclass(frozen=True)
class Answer:
    """What was answered. An input that is changed is judged before it counts."""

    behavior: Behavior = Behavior.DENY
    message: Optional[str] = None
    updated_input: Optional[Mapping[str, JSON]] = None
    interrupt: bool = False
    remember: bool = False
    by: By = By.PROGRAM
    who: Optional[str] = None


#: May say nothing (None), yes or no, or more. If it raises, the call is denied, and the exception is reported as one that
#: no one caught: by ``threading.excepthook`` or the exception handler of the loop.
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

    def _ask(self, function: Callable[..., Any], *more: int) -> Any:
        with self._lock:
            return function(self._handle.pointer, *more)

    def _text(self, function: Callable[..., Optional[bytes]], *more: int) -> Optional[str]:
        text = self._ask(function, *more)
        return None if text is None else text.decode(errors="replace")

    def _say(self, function: Callable[..., Optional[bytes]], *more: int) -> str:
        text = self._text(function, *more)
        if text is None:
            raise WarderError(Status.NOMEM, "there is no memory to show the decision")
        return text

    def __bool__(self) -> bool:
        return self.allowed

    def __repr__(self) -> str:
        return f"<Decision {self.behavior.name.lower()} by {self.layer}: {self.reason}>"

    @property
    def behavior(self) -> Behavior:
        return Behavior(self._ask(library.warder_decision_behavior))

    @property
    def allowed(self) -> bool:
        return self.behavior is Behavior.ALLOW

    def as_dict(self) -> dict[str, JSON]:
        """All of it, as `warder check --json` prints it."""
        said: dict[str, JSON] = json.loads(self._say(library.warder_decision_json))
        return said

    @property
    def layer(self) -> str:
        return self._say(library.warder_decision_layer)

    @property
    def rule(self) -> Optional[str]:
        """The rule that decided, if one did."""
        return self._text(library.warder_decision_rule)

    @property
    def reason(self) -> str:
        """Why, for people."""
        return self._say(library.warder_decision_reason)

    @property
    def message(self) -> str:
        """Why, for the model."""
        return self._say(library.warder_decision_message)

    @property
    def interrupt(self) -> bool:
        """The agent's loop should end."""
        return bool(self._ask(library.warder_decision_interrupt))

    @property
    def cancelled(self) -> bool:
        """The question was cancelled: a deny that is no answer. The agent's turn should end."""
        return bool(self._ask(library.warder_decision_cancelled))

    @property
    def suggestions(self) -> tuple[str, ...]:
        """The rules that would clear an ask, the least ones first."""
        return tuple(self.as_dict().get("suggestions") or ())

    @property
    def updated_input(self) -> Optional[dict[str, JSON]]:
        """The input that was judged and shall run instead of the call's own; None: nothing was changed."""
        text = self._text(library.warder_decision_updated_input)
        return None if text is None else json.loads(text)

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
        session: Optional[str] = None,
        client: Optional[str] = None,
        sessions_in_memory: bool = False,
        pausable: bool = False,
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
            session=_bytes(session),
            client=_bytes(client),
            sessions_in_memory=sessions_in_memory,
            pausable=pausable,
        )
        pointer, error = ctypes.c_void_p(), c.Error()
        _raise(library.warder_engine_new(options, ctypes.byref(pointer), error), error)
        self._handle: Optional[_Handle] = _Handle(pointer, library.warder_engine_free)

    def close(self) -> None:
        """Checks from now on raise. Those under way are finished."""
        self._handle = None

    def __reduce__(self) -> Any:
        raise TypeError("an engine cannot be copied")

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

    def end_session(self, session: str, client: Optional[str] = None) -> None:
        """Forgets a session: what it was granted, and the rules that updates have added for it."""
        handle, error = self._held(), c.Error()
        _raise(library.warder_session_end(handle.pointer, _bytes(client), _bytes(session), error), error)

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
        """Brings a decision to its end: hooks, then everyone who can be asked. Without an answer it denies.

        ``ask`` is called on another thread. The deadline (seconds; 0: ten minutes) and KeyboardInterrupt end the wait for
        it; ``question.cancel_fd`` tells it so.
        """
        asker = _Asker(ask) if ask else None
        asking = _asking(client, deadline, client_runs_hooks, terminal=terminal, leave_ask=leave_ask)
        asking.can_use_tool = asker.function if asker else c.CanUseTool(0)
        self._wait(decision, asking, library.warder_resolve)
        return decision

    def prepare(
        self,
        decision: Decision,
        *,
        client: Optional[str] = None,
        deadline: float = 0,
        client_runs_hooks: bool = False,
    ) -> Optional[Question]:
        """``resolve()`` up to the question, for a caller that asks by itself. None: the decision is final."""
        self._wait(decision, _asking(client, deadline, client_runs_hooks), library.warder_prepare)
        return self._question(decision)

    def conclude(self, decision: Decision, answer: Union[None, bool, Answer] = None) -> Decision:
        """``resolve()`` from the answer on. Without one it denies."""
        self._conclude(decision, _answer(answer))
        return decision

    async def resolve_async(
        self,
        decision: Decision,
        ask: Union[Ask, AsyncAsk, None] = None,
        *,
        client: Optional[str] = None,
        deadline: float = 0,
        client_runs_hooks: bool = False,
    ) -> Decision:
        """``resolve()`` in a loop. No thread waits while ``ask`` is awaited; a cancelled task takes its question back.

        An ``ask`` that is not a coroutine function is called on a thread of its own.
        """
        asking = _asking(client, deadline, client_runs_hooks)
        until = time.monotonic() + asking.deadline_ms / 1000 if asking.deadline_ms else None
        stop = _Stop(asking)
        try:
            await _in_thread(self._run, decision, asking, library.warder_prepare, stop)
        except asyncio.CancelledError:
            stop()
            raise
        question = self._question(decision)
        if question is None:
            return decision
        said = _answer(None)
        try:
            said = await _ask_in_loop(ask, question, until)
        finally:  # also of a cancelled task: then there is no answer
            await asyncio.shield(_in_thread(self._conclude, decision, said))
        return decision

    def _run(self, decision: Decision, asking: c.Asking, function: Callable[..., int], stop: _Stop) -> None:
        error = c.Error()
        try:
            handle = self._held()
            with decision._lock:
                status = function(handle.pointer, decision._handle.pointer, asking, error)
        finally:
            stop.close()
        _raise(status, error)

    def _wait(self, decision: Decision, asking: c.Asking, function: Callable[..., int]) -> None:
        """On another thread: a call of the library cannot be interrupted, but the wait for it can."""
        stop, done, failed = _Stop(asking), threading.Event(), []

        def run() -> None:
            try:
                self._run(decision, asking, function, stop)
            except BaseException as e:
                failed.append(e)
            finally:
                done.set()

        thread = threading.Thread(target=run, daemon=True)
        try:
            thread.start()
            done.wait()
        except RuntimeError:  # there is no thread
            stop.close()
            raise
        except BaseException:
            stop()
            done.wait()
            raise
        if failed:
            raise failed[0]

    def _question(self, decision: Decision) -> Optional[Question]:
        q = c.Question(struct_size=ctypes.sizeof(c.Question))
        with decision._lock:
            if library.warder_question_of(decision._handle.pointer, q, None) != Status.OK:
                return None
            return _question(q)

    def _conclude(self, decision: Decision, answer: c.Answer) -> None:
        handle, error = self._held(), c.Error()
        with decision._lock:
            status = library.warder_conclude(handle.pointer, decision._handle.pointer, answer, error)
        _raise(status, error)

    # ---- the Claude Agent SDK ----

    def pre_tool_use(
        self,
        ask: Union[Ask, AsyncAsk, None] = None,
        *,
        session: Optional[str] = None,
        client: Optional[str] = None,
        deadline: float = 0,
        client_runs_hooks: bool = False,
    ) -> Callable[[Any, Optional[str], Any], Awaitable[dict[str, Any]]]:
        """A PreToolUse hook of the Claude Agent SDK, which sees every call::

            ClaudeAgentOptions(hooks={"PreToolUse": [HookMatcher(hooks=[engine.pre_tool_use(ask)], timeout=660)]})

        The timeout, in seconds, should be longer than the deadline. ``session``: in place of the SDK's; then ``client``
        must be given, too. Whatever fails denies.
        """
        if session is not None and not client:
            raise WarderError(Status.USAGE, "a session needs the name of its client")

        async def hook(event: Any, tool_use_id: Optional[str] = None, context: Any = None) -> dict[str, Any]:
            try:
                if event["hook_event_name"] != "PreToolUse":
                    raise WarderError(Status.USAGE, f"this hook is for PreToolUse, not {event['hook_event_name']}")
                mode = event.get("permission_mode")
                decision = self.check(
                    event["tool_name"],
                    event["tool_input"],
                    cwd=event.get("cwd"),
                    session=event.get("session_id") if session is None else session,
                    tool_use_id=tool_use_id or event.get("tool_use_id"),
                    mode=mode if mode in _STRICTER_MODES else None,
                )
                await self.resolve_async(
                    decision, ask, client=client or "sdk", deadline=deadline, client_runs_hooks=client_runs_hooks
                )
                return _hook_answer(decision)
            except Exception as e:  # a hook that raises is one that does not object
                return {"hookSpecificOutput": _hook_says("deny", f"not judged: {e!r}")}

        return hook

    def can_use_tool(
        self,
        ask: Union[Ask, AsyncAsk, None] = None,
        *,
        session: Optional[str] = None,
        client: Optional[str] = None,
        deadline: float = 0,
        client_runs_hooks: bool = False,
        results: Optional[tuple[Callable[..., Any], Callable[..., Any]]] = None,
    ) -> Callable[[str, Mapping[str, JSON], Any], Awaitable[Any]]:
        """The permission callback of the Claude Agent SDK: ``ClaudeAgentOptions(can_use_tool=engine.can_use_tool())``.

        The SDK puts to it only what its own rules would ask about, so most calls are never judged: use
        ``pre_tool_use()``. ``ask``, which may be async, is called for what Warder would ask a person. ``results`` are the
        classes of the two answers; they are the SDK's own where it is installed. Whatever fails denies.
        """
        if session is not None and not client:
            raise WarderError(Status.USAGE, "a session needs the name of its client")
        allow, deny = results or _results()

        async def judge(tool_name: str, input_data: Mapping[str, JSON], context: Any = None) -> Any:
            try:
                judged = json.loads(_dump(input_data))  # what runs is this, whatever happens to the object meanwhile
                decision = self.check(
                    tool_name, judged, session=session, tool_use_id=getattr(context, "tool_use_id", None)
                )
                await self.resolve_async(
                    decision, ask, client=client or "sdk", deadline=deadline, client_runs_hooks=client_runs_hooks
                )
                if decision.allowed:
                    changed = decision.updated_input
                    return allow(updated_input=judged if changed is None else changed)
                return deny(message=decision.message or decision.reason, interrupt=decision.interrupt)
            except Exception as e:  # a callback that raises may be read as one that does not object
                return deny(message=f"not judged: {e}", interrupt=False)

        return judge


#: Modes of the agent's session that can only make a verdict stricter.
_STRICTER_MODES = ("plan", "dontAsk")


def _hook_says(behavior: str, reason: str) -> dict[str, Any]:
    return {"hookEventName": "PreToolUse", "permissionDecision": behavior, "permissionDecisionReason": reason}


def _hook_answer(decision: Decision) -> dict[str, Any]:
    if decision.allowed:
        said, changed = _hook_says("allow", decision.reason), decision.updated_input
        return {"hookSpecificOutput": said if changed is None else {**said, "updatedInput": changed}}
    why = decision.message or decision.reason
    stop = {"continue_": False, "stopReason": why} if decision.interrupt else {}
    return {**stop, "hookSpecificOutput": _hook_says("deny", why)}


# ---- asking ----


class _Stop:
    """Takes a question back, from any thread, for as long as the library asks."""

    def __init__(self, asking: c.Asking) -> None:
        self._lock = threading.Lock()
        self._fds: Optional[tuple[int, int]] = os.pipe()
        asking.cancel_fd = self._fds[0]

    def __call__(self) -> None:
        with self._lock:
            if self._fds:
                os.write(self._fds[1], b".")

    def close(self) -> None:
        with self._lock:
            for fd in self._fds or ():
                os.close(fd)
            self._fds = None


def _asking(client: Optional[str], deadline: float, client_runs_hooks: bool, **more: bool) -> c.Asking:
    if isinstance(deadline, bool) or not isinstance(deadline, (int, float)):
        raise WarderError(Status.USAGE, f"deadline cannot be {deadline!r}")
    return c.Asking(
        struct_size=ctypes.sizeof(c.Asking),
        client=_bytes(client),
        deadline_ms=_whole("deadline", deadline * 1000),
        client_runs_hooks=client_runs_hooks,
        **more,
    )


def _question(q: c.Question) -> Question:
    return Question(
        tool=q.tool.decode(errors="replace"),
        input=json.loads(q.input),
        verdict=json.loads(q.verdict),
        session=q.session.decode(errors="replace"),
        tool_use_id=q.tool_use_id.decode(errors="replace"),
        cwd=os.fsdecode(q.cwd),
        cancel_fd=q.cancel_fd,
    )


def _answer(said: Any) -> c.Answer:
    a = c.Answer(struct_size=ctypes.sizeof(c.Answer))
    if said is None:
        return a
    if isinstance(said, bool):
        said = Answer(Behavior.ALLOW if said else Behavior.DENY)
    if not isinstance(said, Answer):
        raise TypeError(f"an answer is None, a bool or an Answer, not {said!r}")
    a.given, a.behavior, a.by = 1, int(Behavior(said.behavior)), int(By(said.by))
    a.message, a.who = _bytes(said.message), _bytes(said.who)
    a.updated_input = None if said.updated_input is None else _dump(said.updated_input)
    a.interrupt, a.remember = bool(said.interrupt), bool(said.remember)
    return a


def _failure(e: BaseException) -> c.Answer:
    """Asking failed. The name of the exception goes into the reason; all of it is reported elsewhere."""
    return c.Answer(struct_size=ctypes.sizeof(c.Answer), given=-1, message=type(e).__name__.encode(errors="replace"))


class _Asker:
    """A Python function as the library's callback."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._kept: Optional[c.Answer] = None  # its strings live until the library has copied them
        self.function = c.CanUseTool(self._call)

    def _call(self, _context: Any, question: Any, answer: Any) -> int:
        # On a thread of its own: one that does not heed cancel_fd keeps no one waiting.
        said: list[c.Answer] = []
        done, write = os.pipe()
        asked = _question(question.contents)
        own = os.dup(asked.cancel_fd)  # the library's goes when the question ends, and a late asker may look at it
        thread = threading.Thread(target=self._put, args=(asked, own, said, write), daemon=True)
        thread.start()
        waiting = select.poll()
        for fd in (done, asked.cancel_fd):
            waiting.register(fd, select.POLLIN)
        waiting.poll()
        os.close(done)
        if said:
            self._kept = said[0]
            size = answer.contents.struct_size
            ctypes.pointer(answer.contents)[0] = said[0]
            answer.contents.struct_size = size
        return 0

    def _put(self, question: Question, cancel_fd: int, said: list[c.Answer], done: int) -> None:
        try:
            said.append(_answer(self._ask(replace(question, cancel_fd=cancel_fd))))
        except Exception as e:
            said.append(_failure(e))
            threading.excepthook(threading.ExceptHookArgs((type(e), e, e.__traceback__, threading.current_thread())))
        finally:
            os.close(done)  # which is readable at the other end
            os.close(cancel_fd)


async def _in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """On a thread of its own. Those of the loop's executor are few, and ``ask`` may need one of them."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def give(result: Any, error: Optional[BaseException]) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)

    def run() -> None:
        result, error = None, None
        try:
            result = function(*arguments)
        except BaseException as e:
            error = e
        try:
            loop.call_soon_threadsafe(give, result, error)
        except RuntimeError:
            pass  # the loop has ended, and no one waits

    threading.Thread(target=run, daemon=True).start()
    return await future


async def _put_in_loop(ask: Union[Ask, AsyncAsk], question: Question) -> Union[None, bool, Answer]:
    said = ask(question) if inspect.iscoroutinefunction(ask) else await _in_thread(ask, question)
    return await said if isinstance(said, Awaitable) else said


async def _ask_in_loop(ask: Union[Ask, AsyncAsk, None], question: Question, until: Optional[float]) -> c.Answer:
    if ask is None:
        return _answer(None)
    left = _DEADLINE if until is None else max(0, until - time.monotonic())
    task = asyncio.ensure_future(_put_in_loop(ask, question))
    try:
        await asyncio.wait([task], timeout=left)
        if not task.done():
            return _answer(Answer(by=By.TIMEOUT))
        return _answer(task.result())
    except Exception as e:
        asyncio.get_running_loop().call_exception_handler({"message": "an answer could not be used", "exception": e})
        return _failure(e)
    finally:
        task.cancel()


_DEADLINE = 600  # seconds: WARDER_DEADLINE_MS


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
