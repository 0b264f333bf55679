#!/usr/bin/env python3
"""kill -9 of the hook, of a cell's keeper and of `warder undo`, at random moments: the next `warder undo` gives everything back.

usage: tests/cell/killed.py WARDER [--rounds N] [--seed N]

The real programs, one after the other: the hook saves a call and is killed; the keeper saves what a program of random file
operations destroys, and is killed, and the program with it; `warder undo` is killed while it works. Then a person runs `warder
undo` until it has nothing more to do. The project must be what it was, and every journal one that can be read."""
import argparse
import fcntl
import json
import os
import pty
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time

from recorded import Agent, differs, fill, tree
from users import as_user, users


def sleep_and_kill(process, longest):
    """Whether it was there to be killed."""
    time.sleep(longest)
    alive = process.poll() is None
    process.kill()
    process.wait()
    return alive


def wait_for_program(agent):
    """The cell dies with its keeper; its last process may take a moment."""
    name = (agent.place + "/program.py").encode()
    alive = True
    while alive:
        alive = False
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/cmdline" % number, "rb") as f:
                    words = f.read().split(b"\0")
            except OSError:
                continue
            alive = alive or (name in words and words[0].endswith(b"python3"))
        time.sleep(0.01 if alive else 0)


def contained(agent, command):
    """What the hook makes of it. A cell that was killed while it was built may have told that none can be: then it is looked at again."""
    for _ in range(2):
        given = agent.event("PreToolUse", command).get("hookSpecificOutput", {}).get("updatedInput", {}).get("command")
        if given:
            return given
        agent.check("namespaces")
    sys.exit("no cell for " + command)


def kill_hook(agent, dice):
    agent.calls += 1
    text = json.dumps({"session_id": "s", "cwd": agent.project, "permission_mode": "acceptEdits", "hook_event_name": "PreToolUse",
                       "tool_name": "Bash", "tool_input": {"command": "rm -rf sub one; mv two three; echo x > a"},
                       "tool_use_id": "u%d" % agent.calls})
    hook = subprocess.Popen([agent.warder + "-hook", "--client", "claude", "--home", agent.home], stdin=subprocess.PIPE,
                            stdout=subprocess.DEVNULL, env=agent.env, cwd=agent.project, text=True)
    hook.stdin.write(text)
    hook.stdin.close()
    return sleep_and_kill(hook, dice.random() * 0.02)


def kill_keeper(agent, dice):
    agent.calls += 1
    command = "python3 %s/program.py %d 400 t" % (agent.place, dice.randrange(1 << 30))
    given = contained(agent, command)
    keeper = subprocess.Popen(["bash", "-c", "exec " + given], env=agent.env, cwd=agent.project, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    alive = sleep_and_kill(keeper, dice.random() * 0.6)
    wait_for_program(agent)
    return alive


def on_terminal(agent, *words):
    """Starts it as a person does."""
    master, slave = pty.openpty()
    process = subprocess.Popen([agent.warder, "undo", "--home", agent.home, *words], env=agent.env, cwd=agent.project, stdin=slave,
                               stdout=slave, stderr=slave, start_new_session=True,
                               preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    os.close(slave)
    return process, master


def kill_undo(agent, dice):
    agent.calls += 1
    command = "python3 %s/program.py %d 60 t" % (agent.place, dice.randrange(1 << 30))
    subprocess.run(["bash", "-c", contained(agent, command)], env=agent.env, cwd=agent.project, capture_output=True)
    agent.event("PostToolUse", command)
    process, master = on_terminal(agent)
    alive = sleep_and_kill(process, dice.random() * 0.03)
    os.close(master)
    return alive


def can_be_listed(agent):
    """Every journal that is left can be read, and none waits for its end."""
    listed = subprocess.run([agent.warder, "undo", "list", "--json", "--home", agent.home], env=agent.env, cwd=agent.project,
                            capture_output=True, text=True)
    rows = json.loads(listed.stdout) if listed.returncode == 0 else None
    good = rows is not None and all(row["standing"] in ("stands", "undone", "taken back") for row in rows)
    if not good and "nothing was saved" not in listed.stderr:
        print("the list: " + listed.stdout + listed.stderr)
    return good or "nothing was saved" in listed.stderr


def one(agent, kind, seed):
    """Whether everything came back, and whether something was killed."""
    dice = random.Random(seed)
    fill(agent.project, seed)
    shutil.rmtree(agent.home + "/.local/state/warder/undo", ignore_errors=True)
    before = tree(agent.project)
    killed = kind(agent, dice)
    code, said = agent.undo()
    good = code == 0 or "no call of this project" in said or "nothing was saved" in said
    if not good:
        print("seed %d, %s: %s" % (seed, kind.__name__, said))
    return good and not differs(before, tree(agent.project), "seed %d, %s" % (seed, kind.__name__)) and can_be_listed(agent), killed


def part(warder, rounds, seed):
    agent = Agent(warder, os.environ["TEST_HOME"], "namespaces")
    if not agent.check("namespaces"):
        print("no sandbox of this tier here")
        return True
    good, all_good = {}, True
    kinds = [kill_hook, kill_keeper, kill_undo]
    for i in range(rounds):
        kind = kinds[i % len(kinds)]
        back, killed = one(agent, kind, seed + i)
        good[kind] = good.get(kind, 0) + killed
        all_good = all_good and back
    print("user %d: %d rounds, killed %s: %s" % (os.getuid(), rounds, ", ".join("%s %d" % (k.__name__[5:], n) for k, n in good.items()),
                                                 "everything came back" if all_good else "NOT everything came back"))
    return all_good


def main():
    p = argparse.ArgumentParser()
    p.add_argument("warder")
    p.add_argument("--rounds", type=int, default=30)
    p.add_argument("--seed", type=int, default=1)
    given = p.parse_args()
    os.umask(0o022)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    user = users()[-1]
    with tempfile.TemporaryDirectory(prefix="warder-killed-", dir=os.environ.get("PLACE", "/var/tmp")) as place:
        os.chmod(place, 0o755 if user == os.getuid() else 0o777)
        os.environ["TEST_HOME"] = place + "/home"
        good = as_user(user, place + "/home", part, os.path.abspath(given.warder), given.rounds, given.seed)
    sys.exit(0 if good else 1)


main()
