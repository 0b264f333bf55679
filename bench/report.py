#!/usr/bin/env python3
"""Turns the figures of the benchmarks into a table, a JSON file and a plot.

usage: bench/report.py DIRECTORY [--plot FILE.svg]

DIRECTORY/*.jsonl have the figures (bench/lines.h), shell.json those of the shell reader. DIRECTORY/bench.json gets all of
them. The table shows medians, the spread of the middle 80 % of the runs, and each one's ratio to the first of its kind;
the targets follow. The plot shows the cost of finding the rules of a command by the number of rules.
"""
import argparse
import glob
import json
import math
import os

UNITS = {"s": [(1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")], "B": [(1 << 20, "MB"), (1 << 10, "kB"), (1, "B")],
         "/s": [(1, "/s")]}
BY_RULES = ("rules", "load", "image")  # a group for each number of rules


def number(value):
    return format(round(value), ",") if value >= 1000 else "%.3g" % value


def show(value, unit):
    scale, name = next((u for u in UNITS.get(unit, []) if value >= u[0]), UNITS.get(unit, [(1, unit)])[-1])
    return "%s %s" % (number(value / scale), name)


# ---- reading ----

def read_shell(path):
    """The file of the shell reader, converted to lines like the others."""
    with open(path) as f:
        shell = json.load(f)
    for r in shell.get("typical", []):
        yield {"bench": "shell text, typical", "who": r["name"], "n": 1, "unit": "s", "median": r["nanoseconds"] / 1e9,
               "low": r["low"] / 1e9, "high": r["high"] / 1e9}
    for r in shell.get("hostile", []):
        costs = [v / 1e12 for k, v in r.items() if k.startswith("picoseconds_")]
        if costs:
            yield {"bench": "shell text, hostile, a byte of 255 kB (1 kB to 64 kB)", "who": r["name"], "n": 1, "unit": "s",
                   "median": costs[-1], "low": min(costs[:-1]), "high": max(costs[:-1])}


def read(directory):
    rows = []
    for path in sorted(glob.glob(os.path.join(directory, "*.jsonl"))):
        with open(path) as f:
            rows += [json.loads(line) for line in f if line.strip()]
    for path in glob.glob(os.path.join(directory, "shell.json")):
        rows += read_shell(path)
    return rows


# ---- the table ----

def group_of(r):
    return (r["bench"], r["unit"], r["n"]) if r["bench"] in BY_RULES else (r["bench"], r["unit"], None)


def table(rows):
    groups = {}
    for r in rows:
        groups.setdefault(group_of(r), []).append(r)
    for (bench, unit, n), group in groups.items():
        print("\n%s%s" % (bench, ", %s rules" % format(n, ",") if n else ""))
        for r in group:
            name = r["who"] if n or r["n"] <= 1 else "%s, %s" % (r["who"], format(r["n"], ","))
            noise = "(%s to %s)" % (show(r["low"], r["unit"]), show(r["high"], r["unit"])) if r["low"] != r["high"] else ""
            ratio = "" if r is group[0] or unit == "B" else "x %s" % number(r["median"] / group[0]["median"])
            print(("  %-42s %9s  %-22s %s" % (name, show(r["median"], r["unit"]), noise, ratio)).rstrip())


# ---- targets ----

AT_MOST, AT_LEAST = "at most", "at least"
HOOK = ("hook process", "warder-hook", 1)
INDEX = ("rules", "warder", 100000)
DECISION = ("serve", "POST /v1/check, recorded and synced", 1)

# Description; the figure (bench, who, n), relative to another one or by itself; the target. None means 1 / figure.
GOALS = [
    ("warder-hook beside a static program that echoes", HOOK, ("hook process", "floor (static echo)", 1), AT_MOST, 2, "x"),
    ("... beside /bin/true", HOOK, ("hook process", "/bin/true", 1), AT_MOST, 0.5, "x"),
    ("a Python hook that only reads and prints JSON", ("hook process", "python3, JSON only", 1), HOOK, AT_LEAST, 100, "x"),
    ("a Node hook that does the same", ("hook process", "node, JSON only", 1), HOOK, AT_LEAST, 400, "x"),
    ("warder-hook where a service runs, beside the floor", ("hook process", "warder-hook, served", 1),
     ("hook process", "floor (static echo)", 1), AT_MOST, 2, "x"),
    ("warm checks of agent sessions, 1,000 rules, one core", None, ("check", "sessions, threads", 1), AT_LEAST, 300000, "/s"),
    ("a check by 100,000 rules beside one by 10", ("check", "by rules", 100000), ("check", "by rules", 10), AT_MOST, 3, "x"),
    ("finding the rules: 100,000 beside 10", INDEX, ("rules", "warder", 10), AT_MOST, 3, "x"),
    ("... an fnmatch loop, 100,000 rules", ("rules", "fnmatch, one after the other", 100000), INDEX, AT_LEAST, 1000, "x"),
    ("... picomatch, 100,000 rules", ("rules", "picomatch, one after the other", 100000), INDEX, AT_LEAST, 100000, "x"),
    ("100,000 rules from JSON", ("load", "from json", 100000), None, AT_MOST, 0.5, "s"),
    ("100,000 rules from YAML", ("load", "from yaml", 100000), None, AT_MOST, 0.5, "s"),
    ("100,000 rules from the image", ("load", "from image", 100000), None, AT_MOST, 0.005, "s"),
    ("memory of an engine with 100,000 rules", ("memory", "engine", 100000), None, AT_MOST, 30 << 20, "B"),
    ("a decision over the unix socket beside an echo", ("socket", "decision", 2), ("socket", "echo", 2), AT_MOST, 2, "x"),
    ("... with client and service on one processor", ("socket", "decision", 1), ("socket", "echo", 1), AT_MOST, 2, "x"),
    ("decisions by HTTP, synced, beside an empty handler", DECISION, ("serve", "an empty handler of libwebsockets", 1), AT_LEAST, 0.35, "x"),
    ("... the p99 of a round beside its p50", ("serve tail", *DECISION[1:]), None, AT_MOST, 3, "x"),
    ("a request with 5,000 idle WebSockets beside none", ("serve idle", "POST /v1/check, 5000 WebSockets", 1),
     ("serve idle", "POST /v1/check, alone", 1), AT_MOST, 1.2, "x"),
]
ONE = {"median": 1, "low": 1, "high": 1}


def goals(rows):
    found = {(r["bench"], r["who"], r["n"]): r for r in rows}
    print("\n%-52s %9s  %-24s %s" % ("target", "measured", "(noise)", "target"))
    for what, above, below, way, limit, unit in GOALS:
        a, b = (found.get(key) if key else ONE for key in (above, below))
        if not a or not b:
            print("  %-52s %9s" % (what, "missing"))
            continue
        value = a["median"] / b["median"]
        noise = "(%s to %s)" % (show(a["low"] / b["high"], unit), show(a["high"] / b["low"], unit))
        met = value <= limit if way == AT_MOST else value >= limit
        print("  %-52s %9s  %-22s %s %s%s" % (what, show(value, unit), noise, way, show(limit, unit), "" if met else "   MISSED"))


# ---- the plot ----

COLOURS = ["#0b6e4f", "#c44536", "#4a6fa5", "#b07d12", "#7b4b94", "#5f6b6d", "#a8325e", "#2f7f8e"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 820, 460, 84, 236, 56, 58
NAME_GAP = 16


def text(x, y, words, more=""):
    return '<text x="%.1f" y="%.1f" %s>%s</text>' % (x, y, more, words)


def line(x1, y1, x2, y2):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#ddd"/>' % (x1, y1, x2, y2)


def log_scale(values, low, high):
    least, most = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    most = max(most, least + 1)
    return range(least, most + 1), lambda v: low + (math.log10(v) - least) / (most - least) * (high - low)


def axes(xs, x, ys, y):
    middle = (TOP + HEIGHT - BOTTOM) / 2
    for e in xs:
        yield line(x(10 ** e), TOP, x(10 ** e), HEIGHT - BOTTOM)
        yield text(x(10 ** e), HEIGHT - BOTTOM + 18, format(10 ** e, ","), 'text-anchor="middle"')
    for e in ys:
        yield line(LEFT, y(10 ** e), WIDTH - RIGHT, y(10 ** e))
        yield text(LEFT - 8, y(10 ** e) + 4, show(10.0 ** e, "s").replace("us", "\u00b5s"), 'text-anchor="end"')
    yield text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, "number of rules", 'text-anchor="middle"')
    yield text(0, 0, "time for one command", 'text-anchor="middle" transform="translate(18 %.1f) rotate(-90)"' % middle)


def names_apart(ends):
    """Where to write each name: next to the last point of its line, without overlapping another one."""
    ends = sorted(ends)
    places = [y for y, *_ in ends]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + NAME_GAP)
    over = max(0, places[-1] - (HEIGHT - BOTTOM))
    for i in reversed(range(len(places))):
        limit = places[i + 1] - NAME_GAP if i + 1 < len(places) else places[i] - over
        places[i] = min(places[i], limit)
    return zip(places, ends)


def plot(rows, path):
    rows = [r for r in rows if r["bench"] == "rules" and r["unit"] == "s"]
    if not rows:
        return
    xs, x = log_scale([r["n"] for r in rows], LEFT, WIDTH - RIGHT)
    ys, y = log_scale([r["median"] for r in rows], HEIGHT - BOTTOM, TOP)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">' % (WIDTH, HEIGHT),
           '<rect width="100%" height="100%" fill="#fff"/>',
           text(LEFT, 24, "Finding the rules that match one command", 'font-size="16"'),
           text(LEFT, 42, "the same glob patterns and commands for all; medians, both axes logarithmic", 'fill="#666"'),
           *axes(xs, x, ys, y)]
    ends = []
    for i, name in enumerate(dict.fromkeys(r["who"] for r in rows)):
        points = sorted((x(r["n"]), y(r["median"])) for r in rows if r["who"] == name)
        colour = COLOURS[i % len(COLOURS)]
        out.append('<polyline fill="none" stroke="%s" stroke-width="%s" points="%s"/>' % (
            colour, 3.5 if i == 0 else 1.5, " ".join("%.1f,%.1f" % p for p in points)))
        out += ['<circle cx="%.1f" cy="%.1f" r="%s" fill="%s"/>' % (*p, 4 if i == 0 else 3, colour) for p in points]
        ends.append((points[-1][1], points[-1][0], name, colour, i == 0))
    for place, (at, px, name, colour, bold) in names_apart(ends):
        left = WIDTH - RIGHT + 24
        out.append('<path d="M%.1f %.1f L%.1f %.1f" stroke="%s" stroke-dasharray="2 3" fill="none"/>' % (px + 6, at, left - 4, place, colour))
        out.append(text(left, place + 4, name, 'fill="%s"%s' % (colour, ' font-weight="bold"' if bold else "")))
    with open(path, "w") as f:
        f.write("\n".join(out) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory")
    parser.add_argument("--plot")
    args = parser.parse_args()
    rows = read(args.directory)
    with open(os.path.join(args.directory, "bench.json"), "w") as f:
        json.dump({"figures": rows}, f, indent=1)
    table(rows)
    goals(rows)
    if args.plot:
        plot(rows, args.plot)


main()
