"""Runs texts under an audit hook: python3 -I audit.py DIRECTORY < texts, each ended by a NUL byte.

One line for each: "ok", or what it did that a harmless text does not. Each gets its own process, two seconds and
an empty directory; how it ends (most texts fail) does not matter."""

import os
import resource
import sys

# What reading, computing and printing may do.
HARMLESS = {
    "array.__new__", "builtins.id", "code.__new__", "compile", "cpython._PySys_ClearAuditHooks", "exec", "glob.glob",
    "glob.glob/2", "import", "marshal.load", "marshal.loads", "object.__getattr__", "os.listdir", "os.scandir", "os.walk",
    "pathlib.Path.glob", "pathlib.Path.rglob", "sys._current_frames", "sys._getframe", "sys._getframemodulename",
    "time.sleep", "sys.excepthook", "sys.unraisablehook", "cpython.run_command", "cpython.run_stdin",
}
LIBRARY = os.path.dirname(os.__file__)
seen = None
written = ()


def hook(event, args):
    global seen
    if seen is None or seen:
        return
    if event == "open":
        path, mode, flags = args
        writes = (flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)) if isinstance(flags, int) else set(mode or "") & set("wax+")
        name = os.fsdecode(path) if isinstance(path, (str, bytes)) else path
        if writes and not (isinstance(name, str) and (name in written or "__pycache__" in name)):
            seen = "opens %r to write" % (path,)
    elif event == "exec":
        # module code comes from the library; the text's own code object was created before
        where = getattr(args[0], "co_filename", "?")
        if not where.startswith((LIBRARY, "<frozen", "<string>")) and "site-packages" not in where and "dist-packages" not in where:
            seen = "runs " + where
    elif event not in HARMLESS:
        seen = "%s %r" % (event, args)


def run(text, paths, out):
    global seen, written
    resource.setrlimit(resource.RLIMIT_CPU, (2, 2))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    sys.argv = ["-c", "first"]
    written = paths
    try:
        code = compile(text, "<string>", "exec")
        seen = ""
        exec(code, {"__name__": "__main__", "__builtins__": __builtins__})
    except BaseException:
        pass
    said, seen = seen, None
    os.write(out, (said or "ok").replace("\n", " ").encode("utf-8", "replace")[:500])
    os._exit(0)


def one(text, paths):
    into, out = os.pipe()
    data, feed = os.pipe()
    os.write(feed, b'{"a": [1, 2, {"b": "c"}]}\n{"Action": "pass"}\n')
    os.close(feed)
    child = os.fork()
    if child == 0:
        os.dup2(data, 0)
        os.close(into)
        run(text, paths, out)
    os.close(out)
    os.close(data)
    said = os.read(into, 1000)
    os.close(into)
    os.waitpid(child, 0)
    return said.decode() or "ok"  # stopped: too slow or too large


def main():
    sys.addaudithook(hook)
    os.chdir(sys.argv[1])
    for name in sys.argv[2:]:  # once, before the forks
        try:
            __import__(name)
        except ImportError:
            pass
    for record in sys.stdin.buffer.read().split(b"\0")[:-1]:
        head, _, text = record.partition(b"\n")
        paths = tuple(p.decode() for p in head.split(b"\t") if p)
        print(one(text.decode(), paths), flush=True)


main()
