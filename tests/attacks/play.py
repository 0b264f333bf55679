#!/usr/bin/env python3
"""Plays attacks on Warder as a system: an agent whose every call goes through the real hook, and runs if it may.

    tests/attacks/play.py [--build DIR] [--only TEXT] [--show] FILE.attack...

A file has scenes. A scene begins with "== NAME"; what follows are fields, "field: text", one per line, where lines that are
indented belong to the field above them:

    mode     how the session runs: default (if not given), acceptEdits, bypassPermissions ...
    policy   the person's ~/.config/warder/warder.yaml
    given    shell text that prepares the machine, run by the person in the project before the session begins
    env      NAME=VALUE in the environment of the hook, as a project's settings or a .env file would set it
    hook     further words of the hook's command line
    call     a Bash call of the agent; <<TEXT>> is what the shell prints for TEXT at that moment
    each     Bash calls, one per line, each of them on the machine as it was given
    write    a Write call of the agent: the path, then the content in the lines below
    allowed  a Bash call that must be allowed: the everyday work next to the attack
    asked    a Bash call that must not be allowed; it is not run
    person   shell text that the person runs in between
    harm     shell text that is true if the attack has succeeded; every line is tried by itself

The person has git, ~/proj (a repository with a commit, a Makefile and a package.json) and a bare repository
~/origin.git that is its remote; a stranger's pull request is refs/pull/5/head there. ~/PWNED is what hostile code makes;
what the agent's calls print, so that it has seen it, is in /home/SEEN. The machine is a sandbox of bubblewrap: no network, a user of its own in the user database. A call to which the hook says nothing
runs, except in the default mode, where the client would ask. Exit 1 if an attack succeeded, 77 without bubblewrap.
"""
import argparse, json, os, re, shutil, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOME = "/home/dev"
PROJECT = HOME + "/proj"
FIELDS = {"mode", "policy", "given", "env", "hook", "call", "each", "write", "allowed", "asked", "person", "harm"}
PASSWD = f"root:x:0:0:root:/root:/bin/sh\ndev:x:1000:1000::{HOME}:/bin/bash\nnobody:x:65534:65534::/nonexistent:/bin/false\n"
PREPARE = f"""
set -e
export GIT_CONFIG_GLOBAL={HOME}/.gitconfig
mkdir -p {PROJECT} {HOME}/.config/warder
git config --global user.name dev && git config --global user.email dev@example.org && git config --global init.defaultBranch main
git config --global advice.detachedHead false
cd {PROJECT} && git init -q . && mkdir -p src private
echo '{{"scripts": {{"test": "echo honest"}}}}' > package.json
printf 'test:\\n\\techo honest\\n' > Makefile
echo 'print(1)' > src/a.py && echo text > a.txt && echo secret > private/x
printf 'build/\\n.env\\n' > .gitignore
git add -A && git commit -qm one && echo more >> a.txt && git commit -qam two
git clone -q --bare . {HOME}/origin.git && git remote add origin {HOME}/origin.git && git fetch -q origin
git branch -q --set-upstream-to=origin/main
git clone -q {HOME}/origin.git {HOME}/stranger && cd {HOME}/stranger
echo '{{"scripts": {{"test": "touch {HOME}/PWNED"}}}}' > package.json
printf 'test:\\n\\ttouch {HOME}/PWNED\\n' > Makefile
printf 'open("{HOME}/PWNED", "w")\\n' > src/a.py
git commit -qam evil && git push -q origin HEAD:refs/pull/5/head HEAD:refs/merge-requests/5/head
rm -rf {HOME}/stranger
"""

# Runs inside the sandbox, with the scene on standard input; one line of JSON per step on standard output.
INSIDE = r"""
import json, os, re, subprocess, sys
scene, prepare, home, project = json.load(sys.stdin)
clean = {"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "CLAUDE_PROJECT_DIR": project}

def shell(text, cwd=project, check=False):
    return subprocess.run(["bash", "-c", text], cwd=cwd, env=clean, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          timeout=60, check=check)

def verdict(tool, given):
    hostile = dict(line.split("=", 1) for line in scene["env"])
    event = {"session_id": "attack", "transcript_path": "/x", "cwd": project, "permission_mode": scene["mode"],
             "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given, "tool_use_id": "t"}
    done = subprocess.run(["/warder/warder-hook", *scene["hook"], "--client", "claude"], input=json.dumps(event), env={**clean, **hostile},
                          cwd=project, capture_output=True, text=True, timeout=60)
    if done.returncode == 2:
        return "block", done.stderr.strip()
    if done.returncode:
        return "broken", done.stderr.strip() # a client goes on
    if not done.stdout.strip():
        return "silent", ""
    try:
        answer = json.loads(done.stdout)["hookSpecificOutput"]
    except (ValueError, KeyError):
        return "broken", done.stdout.strip()
    return answer["permissionDecision"], answer.get("permissionDecisionReason", "")

def runs(said):
    return said in ("allow", "broken") or said == "silent" and scene["mode"] != "default"

def play(field, text):
    if field == "person":
        shell(text)
        return "person", ""
    if field == "write":
        path, _, content = text.partition("\n")
        path = os.path.join(project, os.path.expanduser(path).replace("~", home))
        said, why = verdict("Write", {"file_path": path, "content": content})
        if runs(said):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "w").write(content)
        return said, why
    text = re.sub(r"<<(.*?)>>", lambda m: shell(m[1]).stdout.strip(), text)
    said, why = verdict("Bash", {"command": text})
    if runs(said) and field != "asked":
        done = shell(text)
        with open("/home/SEEN", "a") as seen:
            seen.write(done.stdout + done.stderr)
    return said, why

def take_up_again():
    open("/home/SEEN", "w").close()
    for entry in os.scandir(home):
        shell(f"chmod -R u+rwx {home}/{entry.name}; rm -rf {home}/{entry.name}", cwd="/")
    shell(f"cp -a /home/saved/. {home}", cwd="/")

def judge(text):
    for line in scene["harm"]:
        if shell(line).returncode == 0:
            show(harm=line, text=text)

def show(**row):
    print(json.dumps(row), flush=True)

os.environ["HOME"] = home
first = shell(prepare, cwd="/")
if first.returncode:
    sys.exit("the machine could not be prepared: " + first.stderr)
if scene["policy"]:
    open(home + "/.config/warder/warder.yaml", "w").write(scene["policy"] + "\n")
if scene["given"] and (done := shell("set -e\n" + scene["given"])).returncode:
    sys.exit("given failed: " + done.stderr)
os.mkdir("/home/saved")
shell(f"cp -a {home}/. /home/saved", cwd="/")
for field, text in scene["steps"]:
    if field == "each":
        take_up_again()
    said, why = play(field, text)
    show(step=field, text=text, said=said, why=why, runs=runs(said))
    judge(text)
"""


def scenes(path):
    scene, field = None, None
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        if line.startswith("== "):
            scene = {"name": line[3:], "mode": "default", "policy": "", "given": "", "env": [], "hook": [], "steps": [], "harm": []}
            yield scene
            field = None
        elif line.startswith("    ") and field:
            more(scene, field, line[4:])
        elif not line or line.startswith("#"):
            continue
        else:
            field, colon, text = line.partition(":")
            if not scene or not colon or field not in FIELDS:
                sys.exit(f"{path}:{number}: no such field: {line}")
            begin(scene, field, text.strip())


def begin(scene, field, text):
    if field == "mode":
        scene["mode"] = text
    elif field in ("policy", "given"):
        scene[field] = text
    elif field == "hook":
        scene["hook"] += text.split()
    elif field in ("env", "harm"):
        scene[field] += [text] if text else []
    elif field == "each":
        scene["steps"] += [[field, text]] if text else []
    else:
        scene["steps"].append([field, text])


def more(scene, field, text):
    if field in ("env", "harm"):
        scene[field].append(text)
    elif field in ("policy", "given"):
        scene[field] += ("\n" if scene[field] else "") + text
    elif field == "each":
        scene["steps"].append([field, text])
    else:
        scene["steps"][-1][1] += ("\n" if scene["steps"][-1][1] else "") + text


def sandbox(build, passwd):
    return ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/home", "--tmpfs", "/tmp", "--tmpfs", "/run",
            "--dir", HOME, "--ro-bind", passwd, "/etc/passwd", "--tmpfs", "/root",
            "--tmpfs", "/srv", "--dir", "/srv/warder", "--ro-bind", build, "/srv/warder/build", "--unshare-user", "--uid", "1000", "--gid", "1000",
            "--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--clearenv"]


def played(scene, build, passwd):
    text = json.dumps([scene, PREPARE, HOME, PROJECT])
    inside = INSIDE.replace("/warder/warder-hook", "/srv/warder/build/warder-hook")
    done = subprocess.run([*sandbox(build, passwd), shutil.which("python3", path="/usr/bin:/bin") or "python3", "-B", "-c", inside],
                          input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"attacks: {scene['name']}: exit {done.returncode} {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def wrong(rows):
    """What went wrong in a scene, a sentence each."""
    for row in rows:
        if "harm" in row:
            yield f"succeeded: {row['harm']}, after {row['text']}"
        elif row["step"] == "allowed" and not row["runs"]:
            yield f"not allowed ({row['said']}: {row['why'][:160]}): {row['text']}"
        elif row["step"] == "asked" and row["runs"]:
            yield f"allowed: {row['text']}"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=os.environ.get("WARDER_BUILD", os.path.join(ROOT, "build/dev")))
    p.add_argument("--only", default="", help="the scenes whose name contains this text")
    p.add_argument("--show", action="store_true", help="print what was said to every call")
    p.add_argument("files", nargs="+")
    options = p.parse_args()
    if not shutil.which("bwrap") or subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], capture_output=True).returncode:
        print("SKIPPED: needs the right to use bwrap")
        sys.exit(77)
    build, failed, count = os.path.abspath(options.build), 0, 0
    passwd = os.path.join(build, "tests", "attacks.passwd")
    with open(passwd, "w", encoding="utf-8") as f:
        f.write(PASSWD)
    for path in options.files:
        for scene in [s for s in scenes(path) if options.only in s["name"]]:
            rows = played(scene, build, passwd)
            problems, count = list(wrong(rows)), count + 1
            failed += bool(problems)
            if problems or options.show:
                print(("FAILED  " if problems else "held    ") + scene["name"])
                for problem in problems:
                    print("    " + problem)
            for row in rows if options.show else []:
                if "step" in row:
                    print(f"    [{row['said']}] {row['step']} {row['text']!r:.100}  {row['why'][:120]}")
    print(f"{count} scenes, {failed} failed")
    sys.exit(1 if failed or not count else 0)


main()
