#!/usr/bin/env python3
"""Checks every #include of src/, include/, apps/ and experiments/ against the table in src/layers.txt.

Usage: layers.py ROOT
"""

import re
import sys
from pathlib import Path

from tree import files, report

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
PUBLIC = "rigor"


def read_layers(root):
    """{folder: set of folders it may include}, from lines `folder: other other`."""
    layers = {}
    for line in (root / "src/layers.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            folder, _, others = line.partition(":")
            layers[folder.strip()] = set(others.split())
    return layers


def table_problems(root, layers):
    """The table itself: every folder has a row, rows name earlier rows only (so no cycles), solvers stay blind."""
    problems, above = [], set()
    for folder in sorted(path.name for path in (root / "src").iterdir() if path.is_dir()):
        if folder not in layers:
            problems.append(f"src/layers.txt: folder src/{folder} has no row")
    for folder, others in layers.items():
        for other in sorted(others - above):
            problems.append(f"src/layers.txt: {folder} names {other}, which is not in a row above it")
        above.add(folder)
    if layers.get("solvers") != {"math", "contact"}:
        problems.append("src/layers.txt: solvers may see math and contact, nothing else: a solver knows no robot")
    return problems


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1], match[2]


def include_problems(root, folder, allowed, own=None):
    """Includes below root/folder that name neither a public header, nor one of `allowed` or `own` folders of src/.

    Outside src/ (own is None) a file may also include its neighbours without naming a folder."""
    problems = []
    for path in files(root / folder, ".h", ".cpp"):
        for number, quote, header in includes(path):
            where = f"{path.relative_to(root)}:{number}: {header}"
            first, slash, _ = header.partition("/")
            if quote == "<":
                if (root / "src" / header).is_file() or (root / "include" / header).is_file():
                    problems.append(f'{where} is ours: write "{header}"')
            elif first == PUBLIC and slash:
                if not (root / "include" / header).is_file():
                    problems.append(f"{where} is not in include/")
            elif not slash:
                if own is not None or not (path.parent / header).is_file():
                    problems.append(f"{where}: write the folder too")
            elif first != own and first not in allowed:
                problems.append(f"{where}: {folder} may not include from {first}")
    return problems


def find_problems(root):
    layers = read_layers(root)
    problems = table_problems(root, layers)
    for folder, others in layers.items():
        problems += include_problems(root, f"src/{folder}", others, own=folder)
    problems += include_problems(root, "include/rigor", set())
    problems += include_problems(root, "apps/rigor", {"experiments"})  # the program uses the library as a user would
    problems += include_problems(root, "experiments", {"experiments", "io", "text"})
    return problems


if __name__ == "__main__":
    report(find_problems(Path(sys.argv[1])))
