#!/usr/bin/env python3
"""Flips one sign of the physics at a time and checks that the test which guards it fails.

A test suite that passes with a wrong sign does not test that sign. The flips are listed in sign_flips.txt: file, exact
snippet, replacement, and the test that must fail. Works on a copy of the tree in build/sign_flips; the copy is built
once, each flip then rebuilds one file and one test program. Too slow for every test run; run it before a release.

Usage: sign_flips.py [--list] [--check] [--only N] [--jobs J]
Exit code 1 if a flip survives, does not compile, or cannot be applied, or if its test fails without the flip.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FLIPS = ROOT / "scripts/sign_flips.txt"
WORK = ROOT / "build/sign_flips"
COPIED = ["CMakeLists.txt", "CMakePresets.json", "README.md", "include", "src", "apps", "tests", "scenes", "scripts",
          "benchmarks", "viewer", "cmake", "experiments"]


class BadEntry(Exception):
    """The list or the tree must be repaired before the flip means anything."""


@dataclass
class Flip:
    file: str
    find: str
    replace: str
    test: str  # ctest name: folder.Suite.Name

    @property
    def target(self):
        return "test_" + self.test.split(".")[0]

    def __str__(self):
        return f"{self.file}: {self.find}  →  {self.replace}   [{self.test}]"


def read_flips(path):
    """Entries of `key: value` lines, parted by blank lines; lines with # at their start are comments."""
    flips = []
    text = "\n".join(line for line in path.read_text().splitlines() if not line.startswith("#"))
    for entry in filter(None, re.split(r"\n\s*\n", text.strip())):
        fields = dict(line.split(": ", 1) for line in entry.splitlines() if ": " in line)
        if set(fields) != {"file", "find", "replace", "test"}:
            raise BadEntry(f"an entry needs file, find, replace and test:\n{entry}")
        flips.append(Flip(**{key: value.strip() for key, value in fields.items()}))
    return flips


def flipped(text, flip):
    """The text with the flip in it; the snippet must occur exactly once."""
    count = text.count(flip.find)
    if count != 1:
        raise BadEntry(f"{flip.file} has {count} times: {flip.find}")
    return text.replace(flip.find, flip.replace)


def copy_tree():
    """Brings WORK/tree up to date; files that did not change keep their time, so that little is rebuilt."""
    tree = WORK / "tree"
    wanted = set()
    for name in COPIED:
        source = ROOT / name
        paths = [source] if source.is_file() else [path for path in source.rglob("*") if path.is_file()]
        wanted |= {path.relative_to(ROOT) for path in paths
                   if not {"node_modules", "__pycache__"} & set(path.parts)}
    for name in sorted(wanted):
        to = tree / name
        if not to.exists() or to.read_bytes() != (ROOT / name).read_bytes():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to)
    for path in [path for path in tree.rglob("*") if path.is_file()]:
        if path.relative_to(tree) not in wanted:
            path.unlink()
    return tree


def build(target, jobs):
    """The compiler's words if it fails, else None."""
    done = subprocess.run(["ninja", "-C", WORK / "build", "-j", str(jobs), target], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stdout


def passes(test):
    """True if the test exists and passes; a test over many values counts as one."""
    command = ["ctest", "--test-dir", WORK / "build", "-R", f"^{re.escape(test)}(/.*)?$"]
    done = subprocess.run(command, capture_output=True, text=True)
    if "No tests were found" in done.stdout + done.stderr:
        raise BadEntry(f"there is no test {test}")
    return done.returncode == 0


def try_flip(tree, flip, jobs):
    """A verdict in words; "caught" is the good one."""
    path = tree / flip.file
    original = path.read_text()
    changed = flipped(original, flip)
    if error := build(flip.target, jobs):
        raise BadEntry(f"the tree does not build without the flip:\n{error}")
    if not passes(flip.test):
        raise BadEntry(f"{flip.test} fails even without the flip")
    try:
        path.write_text(changed)
        if error := build(flip.target, jobs):
            raise BadEntry(f"the flipped source does not compile:\n{error}")
        return "SURVIVED" if passes(flip.test) else "caught"
    finally:
        path.write_text(original)


def check(flips):
    """Says which flips no longer fit their files, without building anything."""
    stale = 0
    for flip in flips:
        try:
            flipped((ROOT / flip.file).read_text(), flip)
        except (BadEntry, OSError) as problem:
            print(problem)
            stale += 1
    return 1 if stale else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the numbered flips and stop")
    parser.add_argument("--check", action="store_true", help="see that every snippet occurs once in its file, and stop")
    parser.add_argument("--only", type=int, metavar="N", help="try flip N alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    options = parser.parse_args()

    flips = list(enumerate(read_flips(FLIPS), 1))
    if options.check:
        sys.exit(check(flip for _, flip in flips))
    if options.only:
        flips = [(number, flip) for number, flip in flips if number == options.only]
        if not flips:
            sys.exit(f"there is no flip {options.only}")
    if options.list:
        for number, flip in flips:
            print(f"{number:3} {flip}")
        return

    tree = copy_tree()
    subprocess.run(["cmake", "-S", tree, "-B", WORK / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
                   check=True, stdout=subprocess.DEVNULL)
    failures = 0
    for number, flip in flips:
        try:
            verdict, details = try_flip(tree, flip, options.jobs), ""
        except BadEntry as problem:
            verdict, details = "BAD", f"\n{problem}"
        failures += verdict != "caught"
        print(f"{number:3} {verdict:8} {flip}{details}", flush=True)
    print(f"{len(flips) - failures} of {len(flips)} flips caught")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
