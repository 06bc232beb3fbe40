#!/usr/bin/env python3
"""Checks that the tree is fit for other machines and other readers.

No path of somebody's machine, no unfinished note, no source file too long to read, no private registry in a lock file.

Usage: hygiene.py ROOT
"""

import re
import sys
from pathlib import Path

from tree import files, report

# Written so that this file does not find itself.
MACHINE_PATH = re.compile(r"(?<![\w./~-])/(?:work|home|root|Users)/[\w.]")
UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|X" + r"XX)\b")
REGISTRY = re.compile(r'"resolved":\s*"(?!https://registry\.npmjs\.org/)([^"]*)"')

LONGEST_SOURCE = 500  # lines; a file has one purpose
BINARY = (".png", ".npz", ".stl", ".gz", ".ico", ".woff2")


def text_problems(name, text):
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := MACHINE_PATH.search(line):
            problems.append(f"{name}:{number}: a path of one machine: {match[0]}…")
        if match := UNFINISHED.search(line):
            problems.append(f"{name}:{number}: {match[0]}: finish it, or say in words what is missing and why")
        if name.endswith("package-lock.json") and REGISTRY.search(line):
            problems.append(f"{name}:{number}: a lock file may name no registry but the public one")
    return problems


def find_problems(root):
    problems = []
    for path in files(root):
        name = str(path.relative_to(root))
        if name.endswith(BINARY):
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            problems.append(f"{name}: neither UTF-8 text nor a known binary kind")
            continue
        problems += text_problems(name, text)
        lines = text.count("\n")
        if name.startswith("src/") and lines > LONGEST_SOURCE:
            problems.append(f"{name}: {lines} lines, more than {LONGEST_SOURCE}: split it by purpose")
    return problems


if __name__ == "__main__":
    report(find_problems(Path(sys.argv[1])))
