#!/usr/bin/env python3
"""Runs every URDF below some folders as a user would: load, check, 2 s at 1 ms with default settings and meshes.

    pip download --no-deps -d wheels example-robot-data pybullet robosuite mujoco
    for wheel in wheels/*.whl; do unzip -q $wheel -d robots/$(basename $wheel); done
    scripts/run_urdf_corpus.py robots --skip random_urdfs --out corpus.md

Writes a table: does it load, if not why; refused steps; does it fall through the floor; time of a step; warnings. One
process at a time, each with a limit of CPU time; times are CPU times. Exit code 1 if a file that loads does not run to its
end, a step is refused or something falls through the floor, unless rigor check told that it has no shapes to stand on.

Usage: run_urdf_corpus.py FOLDER… [--program rigor] [--skip TEXT] [--only TEXT] [--time 2] [--limit 120] [--out FILE] [--json FILE]
"""
import argparse
import json
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FALLEN = -2.0  # [m] height of the base; nothing stands that low on a floor at z = 0, and 2 s of free fall end at -19.6 m


def read_doubles(npz, name):
    """A vector of doubles out of an .npz file, without numpy."""
    data = zipfile.ZipFile(npz).read(name + ".npy")
    start = 10 + struct.unpack("<H", data[8:10])[0]
    return struct.unpack(f"<{(len(data) - start) // 8}d", data[start:])


class Answer:
    """What the program says to some arguments, and how long its CPU worked for it: other processes do not count."""

    def __init__(self, program, arguments, limit):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        forbid = lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True, preexec_fn=forbid)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.json = json.loads(done.stdout) if done.stdout.strip() else None
        told = [line for line in done.stderr.splitlines() if line and not line.startswith((" ", "warning:"))]
        self.last_line = told[-1] if told else ""
        if done.returncode < 0:
            out_of_time = -done.returncode == signal.SIGXCPU
            self.last_line = f"not finished within {limit} s" if out_of_time else f"ended by signal {-done.returncode}"


def has_free_root(info):
    return any(joint["type"] == "free" and joint["q_index"] == 0 for joint in info["joints"])


def run_robot(urdf, options):
    row = {"file": str(urdf), "loads": False, "verdict": "", "why": ""}
    info = Answer(options.program, ["info", str(urdf)], options.limit)
    row["load_s"] = info.seconds
    if info.json is None:
        row["why"] = info.last_line
        return row
    row.update(loads=True, nv=info.json["nv"], shapes=info.json["shapes"], warnings=len(info.json["warnings"]))
    check = Answer(options.program, ["check", str(urdf)], options.limit)
    problems = check.json["problems"] if check.json else []
    row["check_s"] = check.seconds
    row["problems"] = Counter(problem["kind"] for problem in problems)
    row["errors"] = [problem["message"] for problem in problems if problem["severity"] == "error"]
    row["told"] = any(problem["kind"] in ("no_shape", "missing_shape", "start") for problem in problems
                      if problem["severity"] == "error")
    with tempfile.TemporaryDirectory() as folder:
        end = Path(folder) / "end.npz"
        arguments = ["run", str(urdf), "--time", str(options.time), "--save-snapshot", str(end)]
        run = Answer(options.program, arguments, options.limit)
        if run.json is None:
            row.update(verdict="does not run", why=run.last_line)
            return row
        told = run.json
        row.update(verdict=told["status"], failed=told["failed_steps"], substeps=told["substeps"], steps=told["steps"],
                   contacts=told["contacts_max"], penetration=told["penetration_max"],
                   us=1e6 * (run.seconds - info.seconds) / max(told["steps"], 1))
        if told["status"] != "done":
            row["why"] = run.last_line
        row["falls"] = has_free_root(info.json) and end.exists() and read_doubles(end, "q")[2] < FALLEN
    return row


def is_good(row):
    """Whatever loads runs to its end and stays above the floor, unless rigor check told before that shapes are missing."""
    if not row["loads"]:
        return True
    ran = row["verdict"] == "done" or (row["verdict"] == "incomplete" and row["told"])
    return ran and not row["failed"] and (not row["falls"] or row["told"])


def describe(row, folder):
    name = str(Path(row["file"]).relative_to(folder))
    if not row["loads"]:
        return [name, "no", "", "", "", "", "", row["why"]]
    found = ", ".join(f"{kind} {count}" for kind, count in sorted(row["problems"].items()))
    if not row["verdict"] or row["verdict"] == "does not run":
        return [name, "yes", str(row["nv"]), str(row["shapes"]), "does not run", "", found, row["why"]]
    verdict = "falls, no shapes" if row["falls"] and row["told"] else "falls" if row["falls"] else row["verdict"]
    return [name, "yes", str(row["nv"]), str(row["shapes"]), verdict, f"{row['us']:.0f}", found, row["why"]]


def write_table(rows, folder, out):
    heading = ["URDF", "loads", "freedoms", "shapes", "2 s at 1 ms", "µs per step", "rigor check", "why"]
    lines = ["| " + " | ".join(cells) + " |" for cells in [heading, ["---"] * len(heading)]]
    lines += ["| " + " | ".join(cell.replace("|", "/") for cell in describe(row, folder)) + " |" for row in rows]
    Path(out).write_text("\n".join(lines) + "\n")


def summarise(rows):
    loaded = [row for row in rows if row["loads"]]
    ran = [row for row in loaded if row["verdict"] == "done"]
    print(f"{len(rows)} files, {len(loaded)} load, {len(ran)} run to the end, "
          f"{sum(row.get('failed', 0) > 0 for row in loaded)} with refused steps, "
          f"{sum(bool(row.get('falls')) for row in loaded)} fall through the floor")
    for row in rows:
        if not is_good(row):
            print(f"  {row['file']}: {row['verdict']}{' falls' if row.get('falls') else ''}: {row['why']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/rigor"))
    parser.add_argument("--skip", action="append", default=[], help="files whose path has this text")
    parser.add_argument("--only", help="files whose path has this text")
    parser.add_argument("--time", type=float, default=2.0)
    parser.add_argument("--limit", type=int, default=120, help="seconds of CPU for one call of the program")
    parser.add_argument("--out", help="table (Markdown)")
    parser.add_argument("--json", help="all numbers")
    options = parser.parse_args()
    files = sorted(file for folder in options.folders for file in folder.rglob("*.urdf"))
    files = [file for file in files if not any(text in str(file) for text in options.skip)]
    if options.only:
        files = [file for file in files if options.only in str(file)]
    rows = []
    for file in files:
        rows.append(run_robot(file, options))
        row = rows[-1]
        print(f"{file}: {row['verdict'] or 'does not load'} {row['why']}", file=sys.stderr, flush=True)
    if options.out:
        write_table(rows, options.folders[0], options.out)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1))
    summarise(rows)
    return 0 if all(is_good(row) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
