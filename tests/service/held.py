"""Who held the processor while others were ready to run, by the kernel's own trace of its scheduler.

How long a check takes depends on everything that runs on the machine. How long those who work for it (the threads of the service, the
clients, the kernel's threads that write to the disk) waited for a processor that the queries of the log held does not.
"""

import bisect
import os
import re
from pathlib import Path

TRACING = Path("/sys/kernel/tracing")
LINE = re.compile(r"\[(\d+)\] \S+\s+([\d.]+): sched_(\w+): (.*)")
SWITCH = re.compile(r"prev_comm=.* prev_pid=(\d+) prev_prio=\d+ prev_state=(\S+) ==> next_comm=(.*) next_pid=(\d+) next_prio=")
WAKING = re.compile(r"comm=.* pid=(\d+) prio=\d+ target_cpu=")
KERNEL = ("kworker/", "jbd2/")
BUFFER_KB = 96 * 1024  # for each processor


def threads(pid):
    return {int(tid) for tid in os.listdir(f"/proc/{pid}/task")}


def nice(tid):
    return int(Path(f"/proc/{tid}/stat").read_text().rpartition(")")[2].split()[16])


class Trace:
    """From start() to stop(). Where that is not allowed, it sees nothing."""

    def __init__(self):
        self.instance = TRACING / "instances" / f"warder-{os.getpid()}"

    def start(self):
        try:
            self.instance.mkdir()
            self.write("trace_clock", "mono")
            self.write("buffer_size_kb", BUFFER_KB)
            for event in ("sched_switch", "sched_waking"):
                self.write(f"events/sched/{event}/enable", 1)
        except OSError:
            return False
        return True

    def write(self, name, value):
        (self.instance / name).write_text(str(value))

    def stop(self, holders, waiters):
        """Milliseconds, one for each wait of `waiters` (or of the kernel's threads) behind `holders`."""
        self.write("tracing_on", 0)
        try:
            with open(self.instance / "trace", encoding="utf-8", errors="replace") as lines:
                return waits_behind(lines, holders, waiters)
        finally:
            self.instance.rmdir()


def waits_behind(lines, holders, waiters):
    running, since, ready, held, waits = {}, {}, {}, {}, []
    for line in lines:
        found = LINE.search(line)
        if not found:
            continue
        cpu, at, rest = int(found[1]), float(found[2]) * 1000, found[4]
        if found[3] == "waking":
            pid = int(WAKING.search(rest)[1])
            if pid not in running.values():
                ready.setdefault(pid, at)
            continue
        before, state, comm, pid = SWITCH.search(rest).groups()
        before, pid = int(before), int(pid)
        if before in holders and cpu in since:
            held.setdefault(cpu, []).append((since[cpu], at))
        if state.startswith("R") and before:
            ready[before] = at
        running[cpu], since[cpu] = pid, at
        began = ready.pop(pid, None)
        if began is not None and (pid in waiters or comm.startswith(KERNEL)):
            behind = overlap(held.get(cpu, []), began, at)
            if behind:
                waits.append(behind)
    return sorted(waits)


def overlap(turns, begin, end):
    total, k = 0, bisect.bisect_left(turns, (begin,)) - 1
    for first, last in turns[max(k, 0):]:
        if first >= end:
            break
        total += max(0, min(last, end) - max(first, begin))
    return total
