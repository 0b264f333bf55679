"""The tests of the copy, for tools/mutants: which of them come to a change, in which order they are tried, and whether they pass."""
import collections, hashlib, json, os, re, shutil, signal, subprocess, threading

from mutations import room_of

QUICK = "unit", "fuzz-corpus"  # these need the rooms' libraries and nothing else
CHECKS_OF_THE_TREE = "tree."
SCENES = "unit.conformance", "unit.lock_calls", "unit.lock_rules", "unit.lock_scenes"  # in scenes that can run alone: tests/support/scenes.h
FIRST_SCENES = 25
NOTHING_PASSES_LONGER = 60, 10  # seconds on the clock, and times what it takes of the processor without a change
# A /proc of its own: where parts of /proc are covered, as in the box, a user namespace may mount none, and no sandbox is built.
TIMED = ["sh", "-c", 'mount -t proc proc /proc 2>/dev/null; ulimit -t "$1"; shift; "$@"; status=$?; times > "$0"; exit $status']
TOOLCHAINS = {"RUSTUP_HOME": ".rustup", "CARGO_HOME": ".cargo"}  # they are looked for in the home, which is another one in the box


def toolchains():
    places = {name: os.path.expanduser("~/" + place) for name, place in TOOLCHAINS.items()}
    return {name: place for name, place in places.items() if os.path.isdir(place)}


class Place:
    """Where one test at a time runs: a directory that the box of the test sees under the name that all programs know."""

    def __init__(self, work, number, tree):
        self.own, self.seen = "%s/place-%d" % (work, number), work + "/place"
        shutil.rmtree(self.own, ignore_errors=True)
        os.makedirs(self.own + "/home")
        os.makedirs(self.seen, exist_ok=True)
        self.box = ["bwrap", "--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc", "--perms", "1777", "--tmpfs", "/tmp",
                    "--perms", "1777", "--tmpfs", "/var/tmp", "--bind", work, work, "--bind", self.own, self.seen, "--unshare-pid",
                    "--unshare-net", "--die-with-parent", "--new-session", "--cap-add", "ALL", "--chdir", tree]

    def write(self, name, text):
        with open(self.own + "/" + name, "w") as f:
            f.write(text)

    def read(self, name):
        with open(self.own + "/" + name, "rb") as f:
            return f.read()

    def run(self, command, env, seconds):
        """Whether it passes, seconds of the processor, and its output."""
        limit = [str(int(3 + NOTHING_PASSES_LONGER[1] * seconds))]
        with open(self.own + "/output", "wb") as output:
            process = subprocess.Popen(self.box + TIMED + [self.seen + "/times"] + limit + command, stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=output, start_new_session=True,
                                       env={**toolchains(), **os.environ, **env, "HOME": self.seen + "/home", "WARDER_FIRST_RED": "1"})
            try:
                status = process.wait(NOTHING_PASSES_LONGER[0] + NOTHING_PASSES_LONGER[1] * seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return False, seconds, b""
        said = self.read("output")
        return status in (0, 77) and b"warder: internal fault" not in said, self.seconds(), said

    def seconds(self):
        """Of the processor, as the shell in the box has counted them: the second line that `times` prints is about its children."""
        counted = self.read("times").decode().splitlines()
        return sum(60 * float(m) + float(s) for m, s in re.findall(r"(\d+)m([\d.]+)s", counted[1])) if len(counted) > 1 else 0


class Part:
    """A test, or some scenes of one."""

    def __init__(self, name, seconds, scenes=None):
        self.name, self.seconds, self.scenes = name, seconds, scenes


class Tests:
    """The tests that pass without any change, how long each takes, and what it comes to."""

    def __init__(self, copy, work, only, longest, jobs):
        listed = json.loads(subprocess.run(["ctest", "--test-dir", copy.build_directory, "--show-only=json-v1"], stdout=subprocess.PIPE,
                                           check=True).stdout)
        self.tests = {t["name"]: t for t in listed["tests"] if "command" in t and
                      (t["name"] in only.split(",") if only else not t["name"].startswith(CHECKS_OF_THE_TREE))}
        self.longest, self.kills, self.known_seconds = longest, collections.Counter(), work + "/seconds.json"
        self.tree, self.tried = copy.tree, work + "/tried.json"
        self.seconds, self.reached, self.scenes, self.usable = {}, {}, {}, {}
        self.places, self.mine = [Place(work, number, copy.tree) for number in range(jobs)], threading.local()
        self.free = list(self.places)

    def place(self):
        """That of this thread."""
        if not hasattr(self.mine, "place"):
            self.mine.place = self.free.pop()
        return self.mine.place

    def environment(self, name):
        properties = {p["name"]: p["value"] for p in self.tests[name].get("properties", [])}
        return dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))

    # ---- once, without a change ----

    def names(self, quick):
        """Those that are tried, without what is too long, or was in an earlier run."""
        seconds = {**self.earlier(), **self.seconds}
        return [n for n in sorted(self.tests) if (n.split(".")[0] in QUICK) == quick and
                (n in SCENES or seconds.get(n, 0) <= self.longest)]

    def earlier(self):
        if not os.path.exists(self.known_seconds):
            return {}
        with open(self.known_seconds) as f:
            return json.load(f)

    def try_all(self, quick, mutants, pool):
        """Runs each test once without a change, but for those of the last run if nothing has changed since: one that fails then would
        kill every mutant."""
        known = self.of_last_run()
        for name in known:
            self.seconds[name], self.reached[name] = known[name][0], set(known[name][1])
            self.scenes[name] = {scene: set(reached) for scene, reached in known[name][2].items()}
        list(pool.map(lambda name: self.try_one(name, mutants), [n for n in self.names(quick) if n not in known]))
        self.usable[quick] = self.names(quick)
        self.keep()

    def of_last_run(self):
        if not os.path.exists(self.tried):
            return {}
        with open(self.tried) as f:
            kept = json.load(f)
        return kept["tests"] if kept["state"] == self.state() else {}

    def keep(self):
        scenes = lambda name: {scene: sorted(reached) for scene, reached in self.scenes.get(name, {}).items()}
        tests = {n: [self.seconds[n], sorted(self.reached[n]), scenes(n)] for n in self.seconds}
        seconds = {**self.earlier(), **self.seconds}
        for path, what in (self.tried, {"state": self.state(), "tests": tests}), (self.known_seconds, seconds):
            with open(path, "w") as f:
                json.dump(what, f)

    def state(self):
        """Of all that a test could depend on: when it was written."""
        files = [os.path.join(d, f) for place in ("/tests", "/src") for d, _, names in os.walk(self.tree + place) for f in names]
        return hashlib.sha256(repr(sorted((f, os.stat(f).st_mtime_ns) for f in files if os.path.exists(f))).encode()).hexdigest()

    def try_one(self, name, mutants):
        place = self.place()
        place.write("now", "0\n")
        place.write("reached", "\0" * (mutants + 1))
        env = {**self.environment(name), **({"WARDER_REACHED": place.seen + "/reached"} if name in SCENES else {})}
        passed, seconds, said = place.run(self.tests[name]["command"], env, 600)
        self.reached[name] = {n for n, byte in enumerate(place.read("reached")) if byte}
        if name in SCENES:
            self.scenes[name] = {words[0]: {int(word) for word in words[1:] if word.isdigit()} for words in
                                 (line.split()[1:] for line in said.decode(errors="replace").splitlines() if line.startswith("scene "))}
            self.reached[name] = set().union(*self.scenes[name].values())
        os.unlink(place.own + "/reached")
        self.seconds[name] = max(0.01, seconds) if passed else 0
        print("%-40s %s" % (name, "%.1f s, comes to %d" % (seconds, len(self.reached[name])) if passed else "left out: fails without a change"),
              flush=True)

    # ---- for one change ----

    def parts(self, mutant, quick):
        """What is worth a try. A change without a number (of a table) may concern every test."""
        for name in self.usable[quick]:
            if not self.seconds.get(name, 0) or (mutant.number and mutant.number not in self.reached[name]):
                continue
            if name in SCENES:
                yield from self.parts_of_scenes(name, mutant)
            else:
                yield Part(name, self.seconds[name])

    def parts_of_scenes(self, name, mutant):
        scenes = self.scenes[name]
        found = [s for s in scenes if not mutant.number or mutant.number in scenes[s]]
        file = lambda scene: scene.split(":")[0]
        worth = lambda s: (self.kills[mutant.path, s], self.kills[mutant.path, file(s)], -len(scenes[s]))
        found.sort(key=worth, reverse=True)
        each = self.seconds[name] / max(1, len(scenes))
        for some in found[:FIRST_SCENES], found[FIRST_SCENES:]:
            if some:
                yield Part(name, 0.05 + each * len(some), some)

    def order(self, mutant, quick):
        words = set(re.split(r"[/_.]", mutant.path))
        worth = lambda part: (1 + 9 * self.kills[mutant.path, part.name] + 3 * self.kills[room_of(mutant.path), part.name] +
                              2 * len(words & set(re.split(r"[._]", part.name)))) / (0.1 + part.seconds)
        return sorted(self.parts(mutant, quick), key=worth, reverse=True)

    def killer(self, mutant, quick):
        """The first test that notices, or None."""
        place = self.place()
        place.write("now", "%d\n" % mutant.number)
        for part in self.order(mutant, quick):
            env = self.environment(part.name)
            if part.scenes:
                place.write("scenes", "".join(s + "\n" for s in part.scenes))
                env["WARDER_SCENES"] = place.seen + "/scenes"
            passed, _, said = place.run(self.tests[part.name]["command"], env, part.seconds)
            if not passed:
                self.remember(mutant, part, said.decode(errors="replace"))
                return part.name
        return None

    def remember(self, mutant, part, said):
        self.kills[mutant.path, part.name] += 1
        self.kills[room_of(mutant.path), part.name] += 1
        red = re.search(r"/([^/\s:]+\.(?:case|lock)):(\d+): ", said) if part.scenes else None
        if red:
            self.kills[mutant.path, red[1]] += 1
            self.kills[mutant.path, self.scene_at(part.name, red[1], int(red[2]))] += 1

    def scene_at(self, name, file, line):
        lines = [int(scene.split(":")[1]) for scene in self.scenes[name] if scene.split(":")[0] == file]
        return "%s:%d" % (file, max((n for n in lines if n <= line), default=0))
