"""Recreates the directories that recorded sessions mention, so that verdicts can check them.

The sessions ran on other machines. Without any directories, a linked worktree could not be distinguished from any other
directory. So what the sessions themselves prove is recreated, empty, in a separate root:

 - the homes and the directories that calls were made in exist;
 - each session's project is a git repository (its calls use git there);
 - what `git worktree add PATH` names is a linked worktree of the repository it was called in, and so is what
   `workmux add NAME` creates, in workmux's documented place: PROJECT__worktrees/NAME;
 - a directory that calls were made in, next to such a worktree, is another one;
 - a project DIR/.worktrees/NAME, with DIR a project too, is a linked worktree of DIR;
 - wherever else git was used (`git -C DIR`, `cd DIR && git`, or the directory of the call) there is another repository, as
   `git clone` leaves one.

With --scripts, also what they prove about the projects' own scripts (class Scripts below). REPLAY sends the calls of a
session to Warder one by one, as its client would have, so that it knows what they built.

Nothing else exists: no other files of the projects, no settings in a home, an empty /tmp. The root is a mount namespace
with the machine's programs in it; if the kernel does not allow that, the caller does without and says so.
"""
import hashlib, json, os, re, shlex, subprocess, sys, tempfile, time

WORKTREE = re.compile(r"git (?:-C (?P<at>\S+) )?worktree add (?P<rest>[^&|;\n<>]*)")
WORKMUX = re.compile(r"workmux add (?P<rest>[^&|;\n<>]*)")
USED = re.compile(r"(?:git -C |(?:^|[;&(]\s*)cd )(?P<dir>[^\s;&|]+)")
CLONED = """[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
[remote "origin"]
	url = https://example.com/it.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main
"""
HELPER = """
import json, os, subprocess, sys
out = []
for argv, text in json.load(sys.stdin):
    r = subprocess.run(argv, input=text, text=True, capture_output=True, cwd="/", env={"PATH": os.environ["PATH"]})
    out.append((r.returncode, r.stdout, r.stderr))
json.dump(out, sys.stdout)
"""

# Sessions, one by one: each call is explained as it would be judged now, and then sent to the hook, which updates the
# session file as usual; so is the event of a call that ran. What an allowed call builds, according to the explanation, exists from then on, as a file that
# starts like a compiled program. Nothing is left for the next session.
REPLAY = """
import json, os, subprocess, sys
job = json.load(sys.stdin)
def warder(argv, call, env):
    done = subprocess.run(["/.program", *argv], input=json.dumps(call), text=True, capture_output=True, cwd="/",
                          env={"PATH": os.environ["PATH"], **env})
    return done.stdout
out = []
for session in job:
    said, made = {}, []
    os.makedirs(os.path.dirname(session["file"]), mode=0o700, exist_ok=True)
    with open(session["file"], "w", opener=lambda p, f: os.open(p, f, 0o600)) as f:
        json.dump(session["begins"], f)
    env = {"HOME": session["home"], "CLAUDE_PROJECT_DIR": session["begins"]["workspace"], "CLAUDE_CODE_SESSION_ATTENDED": "1"}
    for step in session["steps"]:
        builds = []
        if step["call"]:
            said[step["place"]] = json.loads(warder(["explain", "--jsonl", "--home", session["home"], "--mode", job[0]["mode"]],
                                                    step["call"], env))
            builds = said[step["place"]]["builds"]
        hook = ["hook", "--home", session["home"], "--client", "claude"]
        warder(hook, step["event"], env)
        if step["ran"]:
            warder([*hook, "--ran"], {**step["event"], "hook_event_name": "PostToolUse", "tool_response": {}}, env)
        for path in builds:
            if path.endswith("/"):
                continue  # nobody knows the names
            try:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                if os.path.lexists(path):
                    os.remove(path)
                with open(path, "wb", opener=lambda p, f: os.open(p, f, 0o755)) as f:
                    f.write(b"\\x7fELF")
                made.append(path)
            except OSError:
                pass  # among the machine's own files nothing is made
    for path in set(made):
        os.remove(path)
    out.append(said)
json.dump(out, sys.stdout)
"""


def words(text):
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return []


def operands(rest, valued):
    """The words that are neither options nor values of options."""
    found, skip = [], False
    for w in words(rest):
        if skip or w.startswith("-"):
            skip = not skip and w in valued
            continue
        found.append(w)
    return found


def value(rest, option):
    w = words(rest)
    return w[w.index(option) + 1] if option in w[:-1] else None


def absolute(path, cwd, home):
    path = home + path[1:] if path.startswith("~/") else path
    return os.path.normpath(os.path.join(cwd, path)) if "$" not in path and path else None


def worktrees(command, cwd, home):
    """(directory of the repository, worktree) for each one that the command creates."""
    moved = re.match(r"cd ([^\s&;|]+) &&", command)
    cwd = absolute(moved[1], cwd, home) or cwd if moved else cwd
    for m in WORKTREE.finditer(command):
        paths = operands(m["rest"], ("-b", "-B", "--reason"))
        if paths and absolute(paths[0], cwd, home):
            yield absolute(m["at"] or cwd, cwd, home), absolute(paths[0], cwd, home)
    for m in WORKMUX.finditer(command):
        valued = ("--base", "--name", "-P", "--prompt-file", "-a", "--agent", "--pr", "--target-name", "--branch", "-p")
        name = value(m["rest"], "--name") or "".join(operands(m["rest"], valued)[:1]).replace("/", "-")
        if name:
            yield cwd, f"{cwd}__worktrees/{name}"


def used(command, cwd, home):
    """Directories in which the command uses git."""
    if re.search(r"\bgit\b", command):
        yield cwd
        for m in USED.finditer(command):
            yield absolute(m["dir"].strip("'\""), cwd, home)


SOURCES = (".bash", ".cjs", ".cts", ".js", ".mjs", ".mts", ".py", ".rb", ".sh", ".ts", ".tsx")
WRITING = re.compile(r"<<|>|\b(tee|patch|chmod|touch|cp|mv|ln|curl|wget|tar|unzip)\b|sed -i|perl -|(python3?|node|bun|ruby) -")
CLIENT, SESSION = "measured", "began before all calls"


class Scripts:
    """Scripts that existed before their session started, as far as the sessions prove it.

    A session runs a file of its project by its path or by an interpreter, and no earlier call of it has written that
    file: neither a tool that edits, nor a redirection or a program that is known to write it (as Warder explains the
    command), nor any command that names it and could write in a way that nobody sees. Then the file was there, and
    `old` says of the call that it runs only such files. Names without the ending of a source file may be what a build
    made, and do not count. Of git it is assumed that it left the file alone when it changed branches.
    """
    def __init__(self, records, calls, about, verdicts):
        self.files, self.old = set(), [False] * len(calls)
        place = {(a["session"], a["seq"]): i for i, a in enumerate(about)}
        written, texts = {}, {}
        for r in records:
            edited, commands = written.setdefault(r["session"], set()), texts.setdefault(r["session"], [])
            i = place.get((r["session"], r["seq"]))
            if i is None:
                edited |= self.edits(r)
                continue
            command, project = str(calls[i]["input"]["command"]), calls[i]["project"]
            edited |= self.writes(verdicts[i])
            runs = set(self.runs(verdicts[i]))
            if runs and all(self.is_there(f, project, edited, commands) for f in runs):
                self.old[i] = True
                self.files |= runs
            commands.append(command)

    @staticmethod
    def edits(record):
        """Names of the files that an editing tool may have written; an older agent's only gives what it opened."""
        given = record["input"]
        if not isinstance(given, dict):
            return set()
        names = [given.get(k) for k in ("file_path", "path", "notebook_path")] if record["tool"] not in ("Read", "Grep", "Glob") else []
        names += given.get("files") or []
        names += words(given.get("aci") or "")
        return {os.path.basename(n) for n in names if isinstance(n, str)}

    @staticmethod
    def writes(verdict):
        return {os.path.basename(p["path"]) for a in verdict["actions"] for p in a["paths"]
                if p["certain"] and set(p["access"]) & {"write", "delete"}}

    @staticmethod
    def runs(verdict):
        for a in verdict["actions"]:
            found = [p["path"] for p in a["paths"] if "run" in p["access"]]
            program = (a["form"] or "").split(" ")[0]
            if not found and "/" in program and not a["program_known"]:
                found = [os.path.normpath(os.path.join(a["cwd"] or "/", program))]
            yield from found

    @staticmethod
    def is_there(path, project, edited, commands):
        name = os.path.basename(path)
        return (path.startswith(project + "/") and path.endswith(SOURCES) and name not in edited and
                not any(name in c and WRITING.search(c) for c in commands))


class Places:
    def __init__(self, calls, home_of, scripts=None):
        self.scripts, self.homes = scripts.files if scripts else set(), {home_of(c) for c in calls}
        self.extra = {}  # others that a run needs, by their paths
        self.directories, self.projects, self.linked = set(), {c["project"] for c in calls}, {}
        for c in calls:
            self.directories |= {home_of(c), c["cwd"]}
            for repository, tree in worktrees(str(c["input"]["command"]), c["cwd"], home_of(c)):
                if repository in self.projects:
                    self.linked.setdefault(tree, repository)
        parents = {os.path.dirname(tree): repository for tree, repository in self.linked.items() if "worktrees" in tree}
        for d in sorted(self.directories - self.projects):
            if os.path.dirname(d) in parents:
                self.linked.setdefault(d, parents[os.path.dirname(d)])
        for p in sorted(self.projects):
            main, found, _ = p.partition("/.worktrees/")
            if found and main in self.projects:
                self.linked.setdefault(p, main)

        own = self.projects | set(self.linked)
        self.other = {d for c in calls for d in used(str(c["input"]["command"]), c["cwd"], home_of(c))
                      if d and len(d.split("/")) > 2 and not any((d + "/").startswith(o + "/") for o in own)}
        self.other -= {home_of(c) for c in calls}

    def files(self):
        """Path and text of each file to create; None for a directory."""
        for d in sorted(self.directories | {"/tmp"}):
            yield d, None
        for p in sorted(self.projects - set(self.linked)):
            yield p + "/.git/objects", None
            yield p + "/.git/HEAD", "ref: refs/heads/main\n"
        for p in sorted(self.other):
            yield p + "/.git/objects", None
            yield p + "/.git/HEAD", "ref: refs/heads/main\n"
            yield p + "/.git/config", CLONED
        for n, (tree, repository) in enumerate(sorted(self.linked.items())):
            repository = self.linked.get(repository, repository)
            own = f"{repository}/.git/worktrees/{n}"
            yield own + "/commondir", "../..\n"
            yield own + "/gitdir", tree + "/.git\n"
            yield own + "/HEAD", "ref: refs/heads/work\n"
            yield tree + "/.git", f"gitdir: {own}\n"
        for s in sorted(self.scripts):
            yield s, ""

    @staticmethod
    def replay_of(name, home, project, mode, steps):
        """A session for REPLAY. Its start is not known: calls of scripts are judged elsewhere."""
        file = hashlib.sha256(f"claude\0{name}".encode()).hexdigest()
        begins = {"version": 1, "workspace": project, "mode": None, "prior": None, "denials": 0, "denials_in_a_row": 0,
                  "began": 0, "grants": []}
        return {"file": f"{home}/.local/state/warder/sessions/{file}.json", "home": home, "mode": mode, "begins": begins,
                "steps": steps}

    def make_sessions(self, root):
        """One session per home that starts when all scripts are old enough: Warder allows two seconds for coarse clocks."""
        time.sleep(3)
        name = hashlib.sha256(f"{CLIENT}\0{SESSION}".encode()).hexdigest()
        for home in self.homes:
            path = f"{root}{home}/.local/state/warder/sessions"
            os.makedirs(path, mode=0o700, exist_ok=True)
            with open(f"{path}/{name}.json", "w", encoding="utf-8", opener=lambda p, f: os.open(p, f, 0o600)) as f:
                json.dump({"version": 1, "workspace": "", "mode": None, "prior": None, "denials": 0, "denials_in_a_row": 0,
                           "began": int(time.time()), "grants": []}, f)

    def make(self, root):
        for path, text in self.files():
            os.makedirs(root + (path if text is None else os.path.dirname(path)), exist_ok=True)
            if text is not None:
                with open(root + path, "w", encoding="utf-8") as f:
                    f.write(text)
        if self.scripts:
            self.make_sessions(root)

    def runner(self, program):
        """A function that runs (argv, input) pairs in the recreated directories, or None if that is not possible."""
        def run(jobs, helper=HELPER):
            with tempfile.TemporaryDirectory() as root:
                self.make(root)
                for name, text in self.extra.items():
                    with open(root + name, "w", encoding="utf-8") as f:
                        f.write(text)
                script = ["set -e", f"r={shlex.quote(root)}"]
                for d in sorted(os.listdir("/")):
                    if os.path.islink("/" + d):
                        script.append(f"[ -e $r/{d} ] || cp -P /{d} $r/{d}")
                    elif os.path.isdir("/" + d) and not os.path.exists(f"{root}/{d}"):
                        # Read-only: what a session wrote was on its own machine.
                        script.append(f"mkdir $r/{d}; mount --rbind /{d} $r/{d}; mount -o remount,bind,ro $r/{d}")
                script.append(f"touch $r/.program; mount --bind {shlex.quote(program)} $r/.program")
                script.append('exec chroot $r python3 -c "$0"')
                if helper == HELPER:
                    jobs = [(["/.program", *argv[1:]], text) for argv, text in jobs]
                done = subprocess.run(["unshare", "-m" if os.geteuid() == 0 else "-rm", "sh", "-c", "\n".join(script), helper], input=json.dumps(jobs),
                                      text=True, capture_output=True)
                if done.returncode != 0:
                    raise OSError(done.stderr.strip()[:200])
                return json.loads(done.stdout)
        try:
            run([])
        except (OSError, ValueError) as e:
            print(f"cannot recreate the directories of the sessions here ({e}): measured without them")
            return None
        return run


def describe(p):
    return (f"{len(p.projects)} projects, {len(p.linked)} of them or beside them linked worktrees, "
            f"{len(p.other)} other repositories, {len(p.directories)} directories of calls, "
            f"{len(p.scripts)} scripts that were there before")
