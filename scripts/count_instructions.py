#!/usr/bin/env python3
"""Instructions per call of the kernels, counted by callgrind and compared with the committed numbers.

Times vary from run to run on a shared machine; instruction counts hardly do. Each kernel runs 100 and 1100 times; the
difference divided by 1000 is free of start-up cost. A count that moved by more than 3 % in either direction fails: a
gain is welcome, and is committed with --update.

Usage: count_instructions.py PROGRAM [COUNTS] [--update]

PROGRAM NAME N runs kernel NAME N times; PROGRAM alone lists the names, one a line. COUNTS: lines of `name count`.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FEW, MANY = 100, 1100
TOLERANCE = 0.03  # compilers of one Debian release agree better than this; a lost inlining does not
COUNTS = Path(__file__).resolve().parents[1] / "benchmarks/instruction_counts.txt"
HEADER = """\
# Instructions per call, counted by callgrind (scripts/count_instructions.py --update). GCC 12, -O3, baseline x86-64.
"""


def instructions(program, name, repetitions):
    """Instructions of the whole program for that many repetitions."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program, name, str(repetitions)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    total = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not total:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return int(total[1])


def measure(program):
    """{kernel: instructions per call} for every kernel the program lists."""
    listed = subprocess.run([program], capture_output=True, text=True, check=True)
    counts = {}
    for name in listed.stdout.split():
        difference = instructions(program, name, MANY) - instructions(program, name, FEW)
        counts[name] = round(difference / (MANY - FEW))
    return counts


def read_counts(path):
    if not path.exists():
        sys.exit(f"{path} is missing; write it with --update")
    lines = [line.split("#")[0].split() for line in path.read_text().splitlines()]
    return {name: int(count) for name, count in (line for line in lines if line)}


def write_counts(path, counts):
    path.write_text(HEADER + "".join(f"{name} {count}\n" for name, count in counts.items()))


def compare(measured, known):
    """What differs, one line each."""
    problems = []
    for name in known.keys() - measured.keys():
        problems.append(f"{name}: committed, but the program no longer has it")
    for name, count in measured.items():
        if name not in known:
            problems.append(f"{name}: {count} instructions, not committed yet")
        elif abs(count - known[name]) > TOLERANCE * known[name]:
            change = 100.0 * (count - known[name]) / known[name]
            problems.append(f"{name}: {count} instructions, committed {known[name]} ({change:+.1f} %)")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("counts", nargs="?", type=Path, default=COUNTS)
    parser.add_argument("--update", action="store_true", help="write the measured numbers instead of comparing")
    options = parser.parse_args()

    measured = measure(options.program)
    if not measured:
        sys.exit(f"{options.program} lists no kernels")
    if options.update:
        write_counts(options.counts, measured)
        return
    problems = compare(measured, read_counts(options.counts))
    for name, count in measured.items():
        print(f"{name} {count}")
    if problems:
        sys.exit("\n".join(["", *problems, "If the change is meant: scripts/count_instructions.py PROGRAM --update"]))


if __name__ == "__main__":
    main()
