#!/usr/bin/env python3
"""Checks that every function fits a screen: at most 60 lines from its first line to its closing brace.

Relies on the layout that clang-format keeps: what is in a namespace begins in the first column and ends with a lone brace.

Usage: lengths.py ROOT
"""

import re
import sys
from pathlib import Path

from tree import files, report

MOST = 60
NO_FUNCTION = re.compile(r"^(namespace|struct|class|enum|union|extern|template|using|#|//|})|=\s*\{?$|^[^()]*$")


def find_long(text):
    """(line, lines) of every function that is too long."""
    long, begin = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line == "}" and begin:
            if number - begin + 1 > MOST:
                long.append((begin, number - begin + 1))
            begin = None
        elif begin is None and line[:1].strip() and not NO_FUNCTION.search(line):
            begin = number
        elif line.endswith(";") and line[:1].strip():
            begin = None
    return long


def find_problems(root):
    problems = []
    for folder in ("src", "apps", "experiments", "include", "examples"):
        for path in files(root / folder, ".h", ".cpp"):
            for line, count in find_long(path.read_text()):
                problems.append(f"{path.relative_to(root).as_posix()}:{line}: a function of {count} lines")
    return problems


if __name__ == "__main__":
    report(find_problems(Path(sys.argv[1])))
