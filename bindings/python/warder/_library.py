"""libwarder by ctypes: where it lies, its structs and its functions, as warder.h has them."""

from __future__ import annotations

import ctypes
import glob
import os
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p

SONAME = "libwarder.so.0.1"


class Error(ctypes.Structure):
    _fields_ = [("status", c_int), ("line", c_uint32), ("column", c_uint32), ("message", ctypes.c_char * 232)]


class Rule(ctypes.Structure):
    _fields_ = [("behavior", c_int), ("text", c_char_p)]


class Text(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("format", c_char_p), ("text", c_char_p), ("len", c_size_t)]


class Options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("profile", c_char_p),
        ("mode", c_char_p),
        ("cwd", c_char_p),
        ("home", c_char_p),
        ("project", c_char_p),
        ("plan_file", c_char_p),
        ("policies", POINTER(c_char_p)),
        ("policy_count", c_size_t),
        ("rules", POINTER(Rule)),
        ("rule_count", c_size_t),
        ("headless", c_int),
        ("auto_allow", c_int),
        ("texts", POINTER(Text)),
        ("text_count", c_size_t),
        ("record", c_int),
        ("data", c_char_p),
        ("sync", c_int),
        ("retention_days", c_uint32),
        ("session", c_char_p),
        ("client", c_char_p),
        ("no_fault_guard", c_int),
        ("sessions_in_memory", c_int),
        ("pausable", c_int),
        ("contain", c_int),
        ("tier", c_char_p),
        ("save", c_int),
    ]


class Question(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("tool", c_char_p),
        ("session", c_char_p),
        ("tool_use_id", c_char_p),
        ("cwd", c_char_p),
        ("input", c_char_p),
        ("verdict", c_char_p),
        ("cancel_fd", c_int),
    ]


class Answer(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("given", c_int),
        ("behavior", c_int),
        ("message", c_char_p),
        ("updated_input", c_char_p),
        ("interrupt", c_int),
        ("remember", c_int),
        ("by", c_int),
        ("who", c_char_p),
        ("reserved", c_uint64 * 8),
    ]


CanUseTool = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Question), POINTER(Answer))
Observe = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)


class Asking(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("can_use_tool", CanUseTool),
        ("context", c_void_p),
        ("observe", Observe),
        ("client", c_char_p),
        ("deadline_ms", c_uint32),
        ("terminal", c_int),
        ("leave_ask", c_int),
        ("client_runs_hooks", c_int),
        ("lines", c_int),
        ("cancel_fd", c_int),
    ]


# name, what it returns, what it takes
_FUNCTIONS = (
    ("engine_new", c_int, (POINTER(Options), POINTER(c_void_p), POINTER(Error))),
    ("engine_free", None, (c_void_p,)),
    ("engine_reload", c_int, (c_void_p, POINTER(Error))),
    ("engine_update", c_int, (c_void_p, c_char_p, c_size_t, POINTER(Error))),
    ("session_end", c_int, (c_void_p, c_char_p, c_char_p, POINTER(Error))),
    ("engine_generation", c_uint64, (c_void_p,)),
    ("check_json", c_int, (c_void_p, c_char_p, c_size_t, POINTER(c_void_p), POINTER(Error))),
    ("check_argument", c_int, (c_void_p, c_char_p, c_char_p, POINTER(c_void_p), POINTER(Error))),
    ("decision_free", None, (c_void_p,)),
    ("decision_behavior", c_int, (c_void_p,)),
    ("decision_layer", c_char_p, (c_void_p,)),
    ("decision_rule", c_char_p, (c_void_p,)),
    ("decision_reason", c_char_p, (c_void_p,)),
    ("decision_message", c_char_p, (c_void_p,)),
    ("decision_interrupt", c_int, (c_void_p,)),
    ("decision_cancelled", c_int, (c_void_p,)),
    ("decision_json", c_char_p, (c_void_p,)),
    ("decision_explain_json", c_char_p, (c_void_p,)),
    ("decision_explain_text", c_char_p, (c_void_p, c_int)),
    ("decision_id", c_char_p, (c_void_p,)),
    ("decision_name", c_char_p, (c_void_p,)),
    ("decision_updated_input", c_char_p, (c_void_p,)),
    ("resolve", c_int, (c_void_p, c_void_p, POINTER(Asking), POINTER(Error))),
    ("prepare", c_int, (c_void_p, c_void_p, POINTER(Asking), POINTER(Error))),
    ("question_of", c_int, (c_void_p, POINTER(Question), POINTER(Error))),
    ("conclude", c_int, (c_void_p, c_void_p, POINTER(Answer), POINTER(Error))),
    ("version", c_char_p, ()),
)


def _candidates() -> list[str]:
    """The library of the prefix that this package is installed in, then the system's."""
    lib = os.path.abspath(__file__)
    for _ in range(4):  # lib/python3/dist-packages/warder/_library.py
        lib = os.path.dirname(lib)
    places = [lib, *sorted(glob.glob(os.path.join(lib, "*-linux-*"))), lib + "64"]
    return [*(os.path.join(place, SONAME) for place in places), SONAME]


def _load() -> ctypes.CDLL:
    for name in _candidates():
        if name == SONAME or os.path.exists(name):
            library = ctypes.CDLL(name)
            break
    for name, result, arguments in _FUNCTIONS:
        function = getattr(library, "warder_" + name)
        function.restype = result
        function.argtypes = arguments
    return library


library = _load()
