"""Decide whether an agent's tool call may run.

    import warder

    if warder.check("Bash", {"command": "git status"}):
        run()

A decision is true if, and only if, the call may run; everything that fails raises ``WarderError``.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Optional

from ._engine import (
    Answer,
    Ask,
    AsyncAsk,
    Behavior,
    By,
    Decision,
    Engine,
    PermissionResultAllow,
    PermissionResultDeny,
    PolicyText,
    Question,
    Status,
    WarderError,
)
from ._library import library as _c

__all__ = [
    "Answer",
    "Ask",
    "AsyncAsk",
    "Behavior",
    "By",
    "Decision",
    "Engine",
    "PermissionResultAllow",
    "PermissionResultDeny",
    "PolicyText",
    "Question",
    "Status",
    "WarderError",
    "check",
]

__version__: str = _c.warder_version().decode()

_lock = threading.Lock()
_default: Optional[Engine] = None


def check(tool: str, input: Optional[Mapping[str, Any]] = None, **more: Any) -> Decision:
    """Judges one call by the policy of this user and directory, as ``Engine.check()``."""
    global _default
    with _lock:
        if _default is None:
            _default = Engine()
        engine = _default
    return engine.check(tool, input, **more)
