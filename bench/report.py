#!/usr/bin/env python3
"""Makes a table, a JSON file and a plot of what the benchmarks measured.

usage: bench/report.py DIRECTORY [--plot FILE.svg]

DIRECTORY/*.jsonl hold the figures (bench/lines.h). DIRECTORY/bench.json gets all of them. The table shows medians, how far
the inner eight tenths of the runs lay apart, and each one's ratio to the first of its kind; the plot, what a check costs
against the number of rules.
"""
import argparse
import glob
import json
import math
import os

UNITS = {"s": [(1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")], "B": [(1 << 20, "MB"), (1 << 10, "kB"), (1, "B")],
         "/s": [(1e6, "M/s"), (1e3, "k/s"), (1, "/s")]}
COLOURS = ["#0b6e4f", "#c44536", "#4a6fa5", "#b07d12", "#7b4b94", "#5f6b6d", "#d07c9a", "#2f9e9e"]


def show(value, unit):
    scale, name = next((u for u in UNITS.get(unit, []) if value >= u[0]), UNITS.get(unit, [(1, unit)])[-1])
    return "%.3g %s" % (value / scale, name)


def read(directory):
    rows = []
    for path in sorted(glob.glob(os.path.join(directory, "*.jsonl"))):
        with open(path) as f:
            rows += [json.loads(line) for line in f if line.strip()]
    return rows


def table(rows):
    groups = {}
    for r in rows:
        groups.setdefault((r["bench"], r["n"], r["unit"]) if r["bench"] == "rules" else (r["bench"], r["unit"]), []).append(r)
    for key, group in groups.items():
        print("\n%s%s" % (key[0], ", %d rules" % key[1] if key[0] == "rules" else ""))
        first = group[0]["median"]
        for r in group:
            noise = "%s to %s" % (show(r["low"], r["unit"]), show(r["high"], r["unit"]))
            ratio = r["median"] / first if first else 0
            name = r["who"] if key[0] == "rules" or r["n"] <= 1 else "%s, %d" % (r["who"], r["n"])
            print("  %-44s %10s   (%s)%s" % (name, show(r["median"], r["unit"]), noise,
                                            "" if r is group[0] else "   %.3g times" % ratio))


def log_scale(values, low, high):
    least, most = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    most = max(most, least + 1)
    return least, most, lambda v: low + (math.log10(v) - least) / (most - least) * (high - low)


def plot(rows, path):
    rows = [r for r in rows if r["bench"] == "rules" and r["unit"] == "s"]
    if not rows:
        return
    width, height, left, right, top, bottom = 760, 420, 70, 200, 40, 50
    x0, x1, x = log_scale([r["n"] for r in rows], left, width - right)
    y0, y1, y = log_scale([r["median"] for r in rows], height - bottom, top)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">' % (width, height),
           '<rect width="100%" height="100%" fill="#fff"/>',
           '<text x="%d" y="22" font-size="14">Finding the rules that match one command</text>' % left]
    for e in range(x0, x1 + 1):
        out.append('<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#ddd"/>' % (x(10 ** e), x(10 ** e), top, height - bottom))
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (x(10 ** e), height - bottom + 18, format(10 ** e, ",")))
    for e in range(y0, y1 + 1):
        out.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>' % (left, width - right, y(10 ** e), y(10 ** e)))
        out.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (left - 8, y(10 ** e) + 4, show(10.0 ** e, "s")))
    out.append('<text x="%.1f" y="%d" text-anchor="middle">rules</text>' % ((left + width - right) / 2, height - 12))
    names = list(dict.fromkeys(r["who"] for r in rows))
    ends = []
    for i, name in enumerate(names):
        points = sorted((r["n"], r["median"]) for r in rows if r["who"] == name)
        colour = COLOURS[i % len(COLOURS)]
        out.append('<polyline fill="none" stroke="%s" stroke-width="%s" points="%s"/>' % (
            colour, 3 if i == 0 else 1.5, " ".join("%.1f,%.1f" % (x(n), y(m)) for n, m in points)))
        out += ['<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (x(n), y(m), colour) for n, m in points]
        ends.append((y(points[-1][1]), x(points[-1][0]), name, colour))
    last = top - 20
    for at, px, name, colour in sorted(ends):
        last = max(at + 4, last + 15)  # names do not lie on each other
        out.append('<text x="%.1f" y="%.1f" fill="%s">%s</text>' % (px + 10, last, colour, name))
    with open(path, "w") as f:
        f.write("\n".join(out) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory")
    parser.add_argument("--plot")
    args = parser.parse_args()
    rows = read(args.directory)
    everything = {"figures": rows}
    for path in glob.glob(os.path.join(args.directory, "shell.json")):
        with open(path) as f:
            everything["shell"] = json.load(f)
    with open(os.path.join(args.directory, "bench.json"), "w") as f:
        json.dump(everything, f, indent=1)
    table(rows)
    if args.plot:
        plot(rows, args.plot)


main()
